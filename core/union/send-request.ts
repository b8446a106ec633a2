import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { decodeResponse } from "./response-text.ts";

/** A request as it is sent. */
export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the request gets a connection of its own, which is closed after the response. */
  readonly closesConnection?: boolean | undefined;
  /** A larger response is not read to its end. */
  readonly maxMebibytes: number;
  readonly signal: AbortSignal;
}

/** A response of the union, read whole. */
export interface UnionResponse {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly text: string;
}

/** The union's response is larger than may be read. */
export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";

  constructor(maxMebibytes: number) {
    super(`The union's answer is more than ${maxMebibytes} MB.`);
  }
}

/** No byte of the request was written: there was no connection, or the TLS handshake failed. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
  /** E.g. `ECONNREFUSED`. */
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException) {
    // An exception of the DOM has a number.
    const code = typeof cause.code === "string" ? cause.code : cause.name;
    super(`There is no connection to the union (${code}).`, { cause });
    this.code = code;
  }
}

/**
 * A kept connection that was idle for longer is closed, in milliseconds of the wall clock: Lambda stops timers between two runs, so
 * the union may have closed the connection without this environment's knowledge.
 */
const maxIdle = 2_000;
const freedAt = new WeakMap<Socket, number>();

/** Keeps connections, and notes when each became idle. */
function keeping<AnyAgent extends Agent>(agent: AnyAgent): AnyAgent {
  return agent.on("free", (socket: Socket) => freedAt.set(socket, Date.now()));
}
const clients = {
  "http:": { request: requestHttp, agent: keeping(new Agent({ keepAlive: true })) },
  "https:": { request: requestHttps, agent: keeping(new HttpsAgent({ keepAlive: true })) },
};

function closeIdle({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) {
    if (Date.now() - (freedAt.get(socket) ?? 0) > maxIdle) socket.destroy();
  }
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function readText(response: IncomingMessage, maxMebibytes: number): Promise<string> {
  const decode = decoders[response.headers["content-encoding"]?.toLowerCase() ?? ""];
  // Its errors reach the reader.
  const stream = decode === undefined ? response : pipeline(response, decode(), () => undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxMebibytes * 1024 * 1024) throw new ResponseTooLargeError(maxMebibytes);
    chunks.push(chunk);
  }
  return decodeResponse(Buffer.concat(chunks), response.headers["content-type"]);
}

/**
 * Sends one request, and reads its response whole. Redirects are not followed. A 1xx response, asked for or not, is skipped: `fetch`
 * would end the request by it, and does not tell whether it was sent.
 *
 * @throws NotSentError; ResponseTooLargeError; the signal's reason; TypeError without a cause if the address or a header is
 *   invalid, and with one if the connection broke
 */
export async function sendRequest(
  address: string,
  { method, headers, body, closesConnection, maxMebibytes, signal }: SentRequest,
): Promise<UnionResponse> {
  signal.throwIfAborted();
  const url = new URL(address);
  // It would be logged with the address.
  if (url.username !== "" || url.password !== "") throw new TypeError("The address has a password.");
  const { request: start, agent } = clients[url.protocol === "https:" ? "https:" : "http:"];
  closeIdle(agent);
  const { promise: responded, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = start(url, { method, headers, agent: closesConnection ? false : agent }, resolve);
  let isSent = false;
  request.on("error", reject).on("socket", (socket: Socket) => {
    isSent = request.reusedSocket;
    // A reused socket has connected before: a listener for each of its requests would stay.
    if (isSent) return;
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
      isSent = true;
    });
  });
  const abort = () => request.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort);
  try {
    request.end(body);
    const response = await responded;
    const text = await readText(response, maxMebibytes);
    const get = (name: string) => {
      const value = response.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(", ") : (value ?? null);
    };
    return { status: response.statusCode ?? 0, headers: { get }, text };
  } catch (error) {
    request.destroy();
    if (error instanceof ResponseTooLargeError) throw error;
    const cause = signal.aborted ? signal.reason : error;
    if (!isSent) throw new NotSentError(cause as Error);
    throw signal.aborted ? cause : new TypeError("The connection to the union broke.", { cause });
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
