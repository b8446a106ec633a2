import { Resolver } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { maxUrlLength } from "./endpoint.ts";
import { isPublicAddress } from "./public-address.ts";

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

/** How events are posted. */
interface PosterOptions {
  /** The addresses of a host name; by default A and AAAA records. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Whether http and https to this machine are allowed, as on the local run. */
  readonly allowLoopback: boolean;
  /** For all together: name, connection, TLS, headers and body. */
  readonly timeoutMilliseconds: number;
}

/** This much of a response is read, so that the endpoint can finish sending it; none of it is used. */
const maxBodyBytes = 4096;

/** A longer Retry-After counts as this, the schedule's longest wait: a wrong header must not stop an endpoint. */
const maxRetryAfterSeconds = 24 * 3600;

/** Names that lead to machines of one's own network. @see RFC 6761, 6762, 8375; ICANN's reserved .internal */
const innerDomains = [
  "corp",
  "home",
  "home.arpa",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "private",
];

const isWithin = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);

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
  if (text.length > maxUrlLength) return `The URL is longer than ${maxUrlLength} characters. Shorten it.`;
  const url = URL.parse(text);
  if (url === null) return "This is not a URL. Send one such as https://example.com/webhooks.";

  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? isLoopback(host) : isWithin(host, "localhost");
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
    : isLocal || !host.includes(".") || innerDomains.some((domain) => isWithin(host, domain));
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
function publicResolver(): NonNullable<PosterOptions["resolve"]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    if (isWithin(hostname, "localhost")) return ["127.0.0.1", "::1"];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw new Error("The name has no address.");
    return addresses;
  };
}

/** Makes connections go to these addresses, whatever host name they ask for. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all }, callback) => {
    if (all) callback(null, records);
    else callback(null, records[0]?.address ?? "", records[0]?.family);
  };
}

/** Whole seconds from a Retry-After header, in seconds or as a date, which the endpoint's own Date header is compared with. */
function retryAfter({ "retry-after": header = "", date = "" }: IncomingMessage["headers"]) {
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.parse(date)) / 1000);
  return seconds >= 0 ? Math.min(seconds, maxRetryAfterSeconds) : undefined;
}

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
  const isAllowed = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopback(address));

  return async (text, headers, body) => {
    const fault = checkEndpointUrl(text, { allowLoopback });
    if (fault !== undefined) return { message: fault };
    const url = new URL(text);
    const host = hostOf(url);
    const { promise: timedOut, resolve: timeOut } = Promise.withResolvers<"timeout">();
    const timer = setTimeout(timeOut, timeoutMilliseconds, "timeout");
    const stop = new AbortController();
    const late = { message: `The endpoint took longer than ${timeoutMilliseconds / 1000} seconds.` };
    try {
      const resolving = isIP(host) === 0 ? resolve(host).catch(() => []) : [host];
      const addresses = await Promise.race([resolving, timedOut]);
      if (addresses === "timeout") return late;
      if (addresses.length === 0) return { message: "The URL's host name has no address in DNS." };
      if (!addresses.every(isAllowed) || (url.protocol === "http:" && !addresses.every(isLoopback))) {
        return { message: "The URL's host name has an address that is not on the Internet." };
      }
      const answer = await Promise.race([post(url, addresses, headers, body, stop.signal), timedOut]);
      return answer === "timeout" ? late : answer;
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  };
}

/** Error messages, by the step that failed. */
const failures = {
  connect: "The endpoint could not be reached",
  tls: "No encrypted connection with the endpoint could be made",
  answer: "The endpoint closed the connection without an answer",
};

/** Posts to addresses that were checked. Resolves at the end of the answer, or when enough of it was read. */
async function post(
  url: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<EventPostResult> {
  const host = hostOf(url);
  const isEncrypted = url.protocol === "https:";
  const { promise, resolve } = Promise.withResolvers<EventPostResult>();
  let phase: keyof typeof failures = "connect";
  const fail = (error?: unknown) => {
    resolve({ message: `${failures[phase]}${codeOf(error)}.` });
  };

  const request = (isEncrypted ? requestHttps : requestHttp)({
    method: "POST",
    host,
    port: url.port || (isEncrypted ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    lookup: lookupOf(addresses),
    // An agent of its own: without kept connections, and without a proxy from the environment.
    agent: false,
    // Set although it is the default, because an environment variable can change the default.
    rejectUnauthorized: true,
    // The host name in the certificate; without this, Node would take it from a Host header.
    servername: isIP(host) === 0 ? host : "",
    signal,
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
    const retryAfterSeconds = retryAfter(response.headers);
    const answered = () => {
      resolve({ status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
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
