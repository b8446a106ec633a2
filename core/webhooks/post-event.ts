import { Resolver } from "node:dns/promises";
import { type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { retryAfterSeconds } from "../union/retry-after.ts";

/** What an endpoint answered to an event, with whatever status; a redirect is an answer, too. */
export interface EventPostResult {
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  /** Why it did not take the event. It is for the vendor: it has no address, nothing of the URL and no secret. */
  readonly message?: string;
}

/**
 * Posts an event to an endpoint, once.
 *
 * @throws TypeError if a header may not be sent
 */
export type PostEvent = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<EventPostResult>;

type Resolve = (hostname: string) => Promise<readonly string[]>;

/** How events are posted. */
interface PosterOptions {
  /** The addresses of a host name; by default A and AAAA records. */
  readonly resolve?: Resolve;
  /** Whether http and https to this machine are allowed, as on the local run. */
  readonly allowLoopback: boolean;
  /** For all together: name, connection, TLS, headers and body. */
  readonly timeoutMilliseconds: number;
}

/** This much of a response is read, so that the endpoint can finish sending it; none of it is used. */
const maxBodyBytes = 4096;

/** Names that lead to machines of one's own network. @see RFC 6761, 6762, 8375; ICANN's reserved .internal */
const innerName = /(?:^|\.)(?:corp|home|home\.arpa|internal|intranet|lan|local|localdomain|private)$/;
const isLocalName = (hostname: string) => /(?:^|\.)localhost$/.test(hostname);

/** All that is assigned to hosts on the Internet. @see IANA, Internet Protocol Version 6 Address Space */
const assignedInternetIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is unmistakably one of a host on the Internet.
 *
 * All ranges of the registries of special-purpose addresses are not, and neither is an IPv6 address that has an IPv4 address
 * in it (mapped, compatible, NAT64, 6to4, Teredo): a connection would go to that one.
 *
 * @param address as DNS gives it: four decimal numbers, or IPv6 without brackets and zone; any other text is not public
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === "unicast";
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.zoneId === undefined && parsed.match(assignedInternetIpv6) && parsed.range() === "unicast";
}

/** Whether an IP address is one of this machine. */
export const isLoopback = (address: string) =>
  isIP(address) !== 0 && ipaddr.parse(address).range() === "loopback";

/** The host without an IPv6 address's brackets and without dots that end a name: one is allowed, and more could hide it. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$|\.+$/g, "");

/**
 * What is wrong with a URL that a vendor gives for an endpoint.
 *
 * A name may still lead to an address that is not public; `PostEvent` checks that each time.
 *
 * @param text as the vendor wrote it; `URL` turns each spelling of an IP address into the usual one
 * @returns a sentence for the vendor's developer; undefined if nothing is wrong
 */
export function checkEndpointUrl(
  text: string,
  { allowLoopback }: Pick<PosterOptions, "allowLoopback">,
): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "This is not a URL. Send one such as https://example.com/webhooks.";

  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? isLoopback(host) : isLocalName(host);
  const isAllowedLocal = allowLoopback && isLocal;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isAllowedLocal)) {
    return "The URL does not begin with https://. Events are only sent encrypted.";
  }
  if (url.username !== "" || url.password !== "") {
    return "The URL has a user name or a password. Leave them out, and verify the signature instead.";
  }
  if (url.hash !== "") return "The URL has a fragment, which is never sent. Leave out # and what follows.";
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port !== 443 && port < 1024) return `Port ${port} is not allowed. Use 443, or one from 1024 to 65535.`;

  if (isAllowedLocal) return undefined;
  const isInside = isAddress
    ? !isPublicAddress(host)
    : isLocal || !host.includes(".") || innerName.test(host);
  return isInside ? "The URL's host is not on the Internet. Give one that has a public address." : undefined;
}

/** A code such as ECONNRESET or CERT_HAS_EXPIRED in brackets. The message beside it may name an address. */
const codeOf = (error: unknown) => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  return /^[A-Z][A-Z\d_]+$/.test(code) ? ` (${code})` : "";
};

/**
 * Asks the name servers, and neither /etc/hosts nor search domains, for A and AAAA records. It keeps no thread busy, so a slow
 * name server of one endpoint does not delay another endpoint's names.
 */
function publicResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    if (isLocalName(hostname)) return ["127.0.0.1", "::1"];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw new Error("The name has no address.");
    return addresses;
  };
}

/** The addresses of a name that an event may not be posted to. The message is for the vendor. */
class AddressError extends Error {
  override readonly name = "AddressError";
}

/** Makes connections go to the addresses of a host name, if there are any, and all are allowed. */
const lookupAllowed =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, { all }, callback) => {
    const resolving = resolve(hostname).catch((): readonly string[] => []);
    void resolving.then((addresses) => {
      const records = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = records;
      if (first === undefined) callback(new AddressError("The URL's host name has no address in DNS."), []);
      else if (!addresses.every(isAllowed))
        callback(new AddressError("The URL's host name has an address that is not on the Internet."), []);
      else if (all) callback(null, records);
      else callback(null, first.address, first.family);
    });
  };

/**
 * Creates the function that posts events to the URLs of vendors, but to no address of the own network.
 *
 * A name is resolved once for each post, and is refused if any of its addresses is not public. The connection goes to these
 * addresses only, so a name server cannot give another one after the check. Redirects are not followed, certificates are
 * always verified, no proxy is used, and no connection is kept. An endpoint that breaks off after its status has answered.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createPoster({
  resolve = publicResolver(),
  allowLoopback,
  timeoutMilliseconds,
}: PosterOptions): PostEvent {
  return async (text, headers, body) => {
    const fault = checkEndpointUrl(text, { allowLoopback });
    if (fault !== undefined) return { message: fault };
    const url = new URL(text);
    const isAllowed = (address: string) =>
      (isPublicAddress(address) && url.protocol === "https:") || (allowLoopback && isLoopback(address));
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const answer = await post(url, headers, body, { lookup: lookupAllowed(resolve, isAllowed), signal });
    return signal.aborted
      ? { message: `The endpoint took longer than ${timeoutMilliseconds / 1000} seconds.` }
      : answer;
  };
}

/** Error messages, by the step that failed. */
const failures = {
  connect: "The endpoint could not be reached",
  tls: "No encrypted connection with the endpoint could be made",
  answer: "The endpoint closed the connection without an answer",
};

/** Posts to an address that was checked, if the URL has one. Resolves at the end of the answer, or when enough of it was read. */
async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: Required<Pick<RequestOptions, "lookup" | "signal">>,
): Promise<EventPostResult> {
  const host = hostOf(url);
  const isEncrypted = url.protocol === "https:";
  const { promise, resolve } = Promise.withResolvers<EventPostResult>();
  let phase: keyof typeof failures = "connect";
  const fail = (error?: unknown) => {
    const message = error instanceof AddressError ? error.message : `${failures[phase]}${codeOf(error)}.`;
    resolve({ message });
  };

  const request = (isEncrypted ? requestHttps : requestHttp)({
    ...options,
    method: "POST",
    host,
    port: url.port || (isEncrypted ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    // An agent of its own: without kept connections, and without a proxy from the environment.
    agent: false,
    // Set although it is the default, because an environment variable can change the default.
    rejectUnauthorized: true,
    // The host name in the certificate; without this, Node would take it from a Host header.
    servername: isIP(host) === 0 ? host : "",
  });
  request.once("socket", (socket) => {
    socket.once("connect", () => {
      phase = isEncrypted ? "tls" : "answer";
    });
    socket.once("secureConnect", () => {
      phase = "answer";
    });
  });
  request.on("error", fail).once("close", fail);
  request.once("response", (response) => {
    request.off("close", fail);
    const { statusCode: status = 0 } = response;
    const { "retry-after": header = null, date = "" } = response.headers;
    // A date is compared with the endpoint's own clock.
    const wait = retryAfterSeconds(header, new Date(date));
    const answered = () => {
      resolve({ status, ...(wait !== undefined && { retryAfterSeconds: wait }) });
      request.destroy();
    };
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= maxBodyBytes) answered();
    });
    response.on("end", answered).on("error", answered).on("close", answered);
  });
  request.end(body);
  return promise;
}
