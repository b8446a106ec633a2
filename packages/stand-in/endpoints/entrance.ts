import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { StandInAccount, StandInResource } from "../base/account.ts";
import type { SeededRandom } from "../base/seeded-random.ts";
import type { Faults } from "../exchange/faults.ts";
import type { ReceptionRecord, StandInEndpoint } from "../exchange/record.ts";
import { RefusalError } from "./refusal.ts";

/** Finds the account of a request's Authorization header. @throws RefusalError 401 */
type Authentication = (authorization: string | undefined) => StandInAccount;

/** HTTP Basic authentication of the accounts. */
function authentication(accounts: readonly StandInAccount[]): Authentication {
  const byCredentials = new Map(
    accounts.map((account) => {
      const pair = `${account.username}:${account.password}`;
      return [Buffer.from(pair).toString("base64"), account];
    }),
  );
  return (authorization) => {
    const [, credentials = ""] = /^basic +(\S+) *$/i.exec(authorization ?? "") ?? [];
    const account = byCredentials.get(credentials);
    if (account === undefined) throw new RefusalError(401, "Authorization has been denied for this request.");
    return account;
  };
}

/** @throws RefusalError 403 if the account has another API set or may not use the resource */
function authorize(account: StandInAccount, apiSet: string, resource: StandInResource): void {
  if (account.apiSet.toLowerCase() !== apiSet.toLowerCase()) {
    throw new RefusalError(403, "The account may not use this API set.");
  }
  if (account.resources?.includes(resource) === false) {
    throw new RefusalError(403, `The account may not use the resource ${resource}.`);
  }
}

const json = /(^|[\s,])application\/json([\s,;]|$)/i;

/**
 * Checks the headers that a request must have besides Authorization. Token may be empty.
 *
 * The document demands Token of every request, and says that it carries a player's consent, which only one lookup needs. The
 * union's own app sends none.
 *
 * @param needsToken whether a request without Token fails
 * @throws RefusalError 500, the only status that the union's document shows
 * @see union-api, Authentication
 */
function requireHeaders(headers: IncomingHttpHeaders, needsToken: boolean): void {
  if (!json.test(headers["content-type"] ?? "")) {
    throw new RefusalError(500, "The header Content-Type: application/json is missing.");
  }
  if (!json.test(headers.accept ?? ""))
    throw new RefusalError(500, "The header Accept: application/json is missing.");
  if (needsToken && headers.token === undefined) throw new RefusalError(500, "The header Token is missing.");
}

declare module "fastify" {
  interface FastifyRequest {
    /** The authenticated account; set by the entrance. */
    account: StandInAccount;
  }
}

/** Creates the hook that checks an endpoint's requests. */
export type Entrance = (
  endpoint: StandInEndpoint,
  resource: StandInResource,
) => (request: FastifyRequest) => Promise<void>;

/** The accounts and faults that requests are checked against, and the record that counts them. */
interface EntranceDependencies {
  readonly accounts: readonly StandInAccount[];
  /** Whether every request needs the header Token, not only a lookup by token. */
  readonly requiresToken: boolean;
  readonly faults: Faults;
  readonly record: ReceptionRecord;
  /** Decides which reads fail. */
  readonly random: SeededRandom;
}

/** Counts each request, and then checks outage, credentials, permission, headers and read faults, in this order. */
export function createEntrance(dependencies: EntranceDependencies): Entrance {
  const { accounts, requiresToken, faults, record, random } = dependencies;
  const authenticate = authentication(accounts);
  return (endpoint, resource) => async (request) => {
    record.requests[endpoint]++;
    if (faults.outage) throw new RefusalError(503, "The service is unavailable.");
    const account = authenticate(request.headers.authorization);
    // The statistics have an API set of their own, for every account.
    const { apiset = account.apiSet } = request.params as { readonly apiset?: string };
    authorize(account, apiset, resource);
    requireHeaders(request.headers, requiresToken || resource === "golfer-by-token");
    request.account = account;
    if (request.method === "GET" && random.chance(faults.readFailShare)) {
      throw new RefusalError(500, "An error has occurred.");
    }
  };
}
