import { basicAuthorization } from "../account/basic-credentials.ts";
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
 * Sends one request with the four headers that the union requires, on a connection that is kept alive.
 *
 * @throws what `fetch` throws: TypeError where there is no connection or it breaks, DOMException "TimeoutError"
 * @see union-api, Authentication
 */
export async function askUnion(
  baseAddress: string,
  account: UnionAccount,
  { method, path, body, token, timeoutMilliseconds }: UnionRequest,
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
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
