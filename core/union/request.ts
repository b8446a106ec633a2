import { basicAuthorization } from "../accounts/basic-credentials.ts";
import type { UnionAccount } from "./account.ts";

/** A request to the union. */
export interface UnionRequest {
  readonly method: "GET" | "POST";
  /** Below the API set, e.g. `Clubs`; already percent-encoded. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** A player's own token instead of the account's. */
  readonly token?: string;
  readonly timeoutMilliseconds: number;
}

/** What the union answered, read whole. */
export interface UnionAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Far more than any list or echo of the union's takes, once decoded. Several such answers fit into the memory of a
 * function; one that does not end would take it all, and whatever else the function was doing with it.
 */
const mostAnswerMebibytes = 32;
const mostAnswerBytes = mostAnswerMebibytes * 1024 * 1024;

/** The union's answer was more than is read of any. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";

  constructor() {
    super(`The union's answer is more than ${mostAnswerMebibytes} MB.`);
  }
}

/** Reads an answer whole; piece by piece where it does not say beforehand how much it is. */
async function textOf(response: Response): Promise<string> {
  const { headers, body } = response;
  const announcedBytes = headers.has("content-encoding") ? null : headers.get("content-length");
  if (announcedBytes !== null && Number(announcedBytes) <= mostAnswerBytes) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostAnswerBytes) throw new AnswerTooLarge();
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** A connection that was there, and broke before the whole answer had come. */
const broken = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isBroken(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return broken.has(cause?.code ?? "");
}

/**
 * Sends a request with the four headers that the union requires, on a connection that is kept alive.
 *
 * A connection that was kept may be closed by the union meanwhile, or forgotten on the way while the function was
 * frozen, and that shows only when it is used. So a GET whose connection breaks is sent once more, within the same time;
 * a POST never is, since the union may have taken what it brought.
 *
 * @throws AnswerTooLarge, or what `fetch` throws: TypeError where there is no connection or it breaks, DOMException
 *   "TimeoutError"
 * @see union-api, Authentication
 */
export async function askUnion(
  baseAddress: string,
  account: UnionAccount,
  request: UnionRequest,
): Promise<UnionAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMilliseconds);
  try {
    return await askOnce(baseAddress, account, request, signal);
  } catch (error) {
    if (request.method !== "GET" || !isBroken(error)) throw error;
    return askOnce(baseAddress, account, request, signal);
  }
}

async function askOnce(
  baseAddress: string,
  account: UnionAccount,
  { method, path, body, token }: UnionRequest,
  signal: AbortSignal,
): Promise<UnionAnswer> {
  const response = await fetch(`${baseAddress}/${encodeURIComponent(account.unionApiSet)}/${path}`, {
    method,
    headers: {
      Authorization: basicAuthorization(account),
      "Content-Type": "application/json",
      Accept: "application/json",
      Token: token ?? account.token,
    },
    ...(body !== undefined && { body }),
    redirect: "manual",
    signal,
  });
  return { status: response.status, headers: response.headers, text: await textOf(response) };
}
