import { isIP } from "node:net";
import { hostOf, isLoopback } from "../../core/webhooks/post-event.ts";

/** Where this stage's API is reached. */
export interface OwnAddress {
  /** API Gateway's ID of the API, the first label of its own host name. */
  readonly apiId: string | undefined;
  /** Host names with the port, if it is not 443. */
  readonly hosts: readonly string[];
}

const portOf = ({ port, protocol }: URL) => port || (protocol === "http:" ? "80" : "443");

/**
 * Whether a URL leads to the API itself, in whatever spelling: an event that is posted there can make the API post another one,
 * without end.
 *
 * A name that leads here by DNS alone is no danger: its certificate is not the API's.
 */
export function isOwnAddress(text: string, { apiId, hosts }: OwnAddress): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const host = hostOf(url);
  // Also the name of a VPC endpoint, ID-vpce-….execute-api.….
  if (apiId !== undefined && new RegExp(`^${apiId}(-[^.]+)?\\.execute-api\\.`).test(host)) return true;
  const isHere = isLocal(host);
  return hosts.some((own) => {
    const known = URL.parse(`https://${own}`);
    if (known === null) return false;
    const isSame = hostOf(known) === host || (isHere && isLocal(hostOf(known)));
    return isSame && portOf(known) === portOf(url);
  });
}

/** Whether a host is this machine, as on the local run. */
const isLocal = (host: string) =>
  isIP(host) === 0 ? host === "localhost" || host.endsWith(".localhost") : isLoopback(host);
