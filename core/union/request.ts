import { basicAuthorization } from "../accounts/account.ts";
import type { UnionAccount } from "./account-secrets.ts";
import { NotSentError, ResponseTooLargeError, sendRequest, type UnionResponse } from "./send-request.ts";

export { NotSentError, ResponseTooLargeError, type UnionResponse } from "./send-request.ts";

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
  /** Whether the request gets a connection of its own, which is closed after the response. */
  readonly closesConnection?: boolean;
  /** A larger response is not read to its end. */
  readonly maxMebibytes?: number | undefined;
}

/** Far more than any list or echo of the union takes decoded, and little enough for several of them in a function's memory. */
const defaultMebibytes = 32;

/** Codes of a connection that was established and broke. */
const broken = new Set(["ECONNRESET", "EPIPE"]);

function isBroken(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return broken.has(cause?.code ?? "");
}

/** Whether `askUnion` failed because its time was up. */
export function isTimeout(error: unknown): boolean {
  const reason = error instanceof NotSentError ? error.cause : error;
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** Why `askUnion` failed, without the request: that could name a player. */
export const unionFailure = (error: unknown): string =>
  error instanceof ResponseTooLargeError ? error.message : "The union could not be reached.";

/**
 * Sends a request with the four headers that the union requires, on a connection that is kept alive.
 *
 * The union may have closed a kept connection meanwhile, which shows only when it is used. So a GET is retried once, within the
 * same time, if its connection breaks; a POST never is, since the union may have taken its cards.
 *
 * @throws NotSentError if there is no connection; ResponseTooLargeError; DOMException "TimeoutError"; TypeError without a cause if
 *   the address or a header is invalid, and with one if the connection breaks
 * @see union-api, Authentication
 */
export async function askUnion(
  baseAddress: string,
  account: UnionAccount,
  request: UnionRequest,
): Promise<UnionResponse> {
  const {
    method,
    path,
    body,
    token,
    timeoutMilliseconds,
    closesConnection,
    maxMebibytes = defaultMebibytes,
  } = request;
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const send = async (): Promise<UnionResponse> => {
    const response = await sendRequest(`${baseAddress}/${encodeURIComponent(account.unionApiSet)}/${path}`, {
      method,
      headers: {
        Authorization: basicAuthorization(account),
        "Content-Type": "application/json",
        Accept: "application/json",
        "Accept-Encoding": "gzip, deflate, br",
        Token: token ?? account.token,
        "User-Agent": "scorecard-pipeline",
      },
      body,
      closesConnection,
      maxMebibytes,
      signal,
    });
    // Only proxies answer it: the union may have the request or not.
    if (response.status === 407) throw new TypeError("", { cause: new Error("a proxy answered 407") });
    return response;
  };
  return send().catch((error: unknown) => {
    if (method === "GET" && isBroken(error)) return send();
    throw error;
  });
}
