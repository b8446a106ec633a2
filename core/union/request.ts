import { basicAuthorization } from "../accounts/account.ts";
import type { UnionAccount } from "./account-secrets.ts";
import { decodeResponse } from "./response-text.ts";

/** A request to the union. */
export interface UnionRequest {
  readonly method: "GET" | "POST";
  /** Below the API set, e.g. `Clubs`; already percent-encoded. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** A player's own token instead of the account's. */
  readonly token?: string | undefined;
  readonly timeoutMilliseconds: number;
  /** Whether the connection is closed after the response; it is kept if left out. */
  readonly closesConnection?: boolean;
  /** A larger response is not read to its end. */
  readonly maxMebibytes?: number | undefined;
}

/** A response of the union, read whole. */
export interface UnionResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Far more than any list or echo of the union takes decoded, and little enough for several of them in a function's memory. */
const defaultMebibytes = 32;

/** The union's response is larger than may be read. */
export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";

  constructor(maxMebibytes: number) {
    super(`The union's answer is more than ${maxMebibytes} MB.`);
  }
}

/** Reads a response that does not announce its size, up to the limit. */
async function readBytes({ body }: Response, maxMebibytes: number): Promise<Uint8Array> {
  const maxBytes = maxMebibytes * 1024 * 1024;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ResponseTooLargeError(maxMebibytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function textOf(response: Response, maxMebibytes: number): Promise<string> {
  const { headers } = response;
  const announcedBytes = headers.has("content-encoding") ? null : headers.get("content-length");
  const isSmall = announcedBytes !== null && Number(announcedBytes) <= maxMebibytes * 1024 * 1024;
  const bytes = isSmall ? await response.bytes() : await readBytes(response, maxMebibytes);
  return decodeResponse(bytes, headers.get("content-type"));
}

/** Codes of a connection that was established and broke. */
const broken = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isBroken(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return broken.has(cause?.code ?? "");
}

/** Whether `askUnion` failed because its time was up. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "TimeoutError";

/** Why `askUnion` failed, without the request: that could name a player. */
export const unionFailure = (error: unknown): string =>
  error instanceof ResponseTooLargeError ? error.message : "The union could not be reached.";

/**
 * Sends a request with the four headers that the union requires, on a connection that is kept alive.
 *
 * The union may have closed a kept connection meanwhile, which shows only when it is used. So a GET is retried once, within the
 * same time, if its connection breaks; a POST never is, since the union may have taken its cards.
 *
 * @throws ResponseTooLargeError, or what `fetch` throws: TypeError if there is no connection or it breaks, DOMException
 *   "TimeoutError"
 * @see union-api, Authentication
 */
export async function askUnion(
  baseAddress: string,
  account: UnionAccount,
  request: UnionRequest,
): Promise<UnionResponse> {
  const { method, path, body, token, timeoutMilliseconds, maxMebibytes = defaultMebibytes } = request;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const send = async (): Promise<UnionResponse> => {
    const response = await fetch(`${baseAddress}/${encodeURIComponent(account.unionApiSet)}/${path}`, {
      method,
      headers: {
        Authorization: basicAuthorization(account),
        "Content-Type": "application/json",
        Accept: "application/json",
        Token: token ?? account.token,
        ...(request.closesConnection && { Connection: "close" }),
      },
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal,
    });
    return {
      status: response.status,
      headers: response.headers,
      text: await textOf(response, maxMebibytes),
    };
  };
  return send().catch((error: unknown) => {
    if (method === "GET" && isBroken(error)) return send();
    throw error;
  });
}
