import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { GatewayRefusalError } from "./gateway-refusal.ts";

/** API Gateway's limit on a request's body, in bytes. */
const maxBodyBytes = 10_485_760;
/** After this many bytes the connection is no longer read. */
const maxDiscardedBytes = 8 * maxBodyBytes;

/** Headers that API Gateway does not pass on. */
const removedHeaders = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-md5",
  "expect",
  "max-forwards",
  "proxy-authenticate",
  "server",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "www-authenticate",
]);

/** Headers whose spelling API Gateway changes. */
const fixedSpellings: ReadonlyMap<string, string> = new Map([
  ["authorization", "Authorization"],
  ["host", "Host"],
  ["user-agent", "User-Agent"],
]);

/** A request as API Gateway sees it. */
export interface ApiRequest {
  readonly id: string;
  readonly extendedId: string;
  readonly receivedAt: Date;
  readonly method: string;
  /** First segment of the path. */
  readonly stage: string;
  /** The rest of the path, as sent, with one leading slash. */
  readonly path: string;
  /** Values by parameter, decoded, in the order sent. */
  readonly query: Readonly<Record<string, string[]>>;
  /** Values by header, spelt as sent, with those that API Gateway adds. */
  readonly headers: Readonly<Record<string, string[]>>;
  /** The last value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly protocol: string;
  readonly sourceIp: string;
}

function grouped(pairs: Iterable<readonly [string, string]>): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    groups[name] ??= [];
    groups[name].push(value);
  }
  return groups;
}

function* headerPairs(rawHeaders: readonly string[]): Generator<readonly [string, string]> {
  const spellings = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (removedHeaders.has(lower)) continue;
    // A header that is sent in two spellings is one header with two values.
    const spelling = spellings.get(lower) ?? fixedSpellings.get(lower) ?? name;
    spellings.set(lower, spelling);
    yield [spelling, rawHeaders[index + 1] as string];
  }
}

/** Reads everything of a request except its body. */
export function readRequest(message: IncomingMessage): ApiRequest {
  const [address = "/", ...queries] = (message.url ?? "/").split("?");
  const [, stage = "", rest = ""] = /^\/*([^/]*)(.*)$/s.exec(address) ?? [];
  const sourceIp = message.socket.remoteAddress ?? "127.0.0.1";
  const epoch = Math.floor(Date.now() / 1000).toString(16);
  const headers = grouped(headerPairs(message.rawHeaders));
  headers["X-Amzn-Trace-Id"] = [`Root=1-${epoch}-${randomUUID().replaceAll("-", "").slice(8)}`];
  headers["X-Forwarded-For"] = [sourceIp];
  headers["X-Forwarded-Port"] = [String(message.socket.localPort)];
  headers["X-Forwarded-Proto"] = ["http"];
  return {
    id: randomUUID(),
    extendedId: randomUUID().replaceAll("-", "").slice(0, 14),
    receivedAt: new Date(),
    method: message.method ?? "GET",
    stage,
    path: `/${rest.replace(/^\/+/, "")}`,
    query: grouped(new URLSearchParams(queries.join("?"))),
    headers,
    header: (name) => message.headersDistinct[name]?.at(-1),
    protocol: `HTTP/${message.httpVersion}`,
    sourceIp,
  };
}

/** After each chunk of output zlib waits for this thread, which is busy: fewer, larger chunks save time. */
const chunkSize = 256 * 1_024;
const maxDecoded = { maxOutputLength: maxBodyBytes, chunkSize };
const decoders: ReadonlyMap<string, (body: Buffer) => Promise<Buffer>> = new Map([
  ["identity", (body: Buffer) => Promise.resolve(body)],
  ["gzip", (body: Buffer) => promisify<Buffer, object, Buffer>(gunzip)(body, maxDecoded)],
  ["deflate", (body: Buffer) => promisify<Buffer, object, Buffer>(inflate)(body, maxDecoded)],
]);

async function readWhole(message: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
    else if (bytes > maxDiscardedBytes) break;
  }
  // The rest of the body has been read first, because a client that is still sending does not read the response.
  if (bytes > maxBodyBytes) throw new GatewayRefusalError("REQUEST_TOO_LARGE");
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * Reads a request's body and decodes its content coding.
 *
 * @throws GatewayRefusalError REQUEST_TOO_LARGE over 10 MB, as sent or decoded; UNSUPPORTED_MEDIA_TYPE if the coding is
 *   unknown or the body is not in it
 */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const body = await readWhole(message);
  const decode = decoders.get((message.headers["content-encoding"] ?? "identity").trim().toLowerCase());
  if (decode === undefined) throw new GatewayRefusalError("UNSUPPORTED_MEDIA_TYPE");
  try {
    return await decode(body);
  } catch (cause) {
    const tooLarge = (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new GatewayRefusalError(tooLarge ? "REQUEST_TOO_LARGE" : "UNSUPPORTED_MEDIA_TYPE", { cause });
  }
}
