import type { UnionAccount } from "./account-secrets.ts";
import { askUnion, isTimeout, unionFailure } from "./request.ts";

/** Why there is no answer about a person. */
export type NoAnswer =
  | { readonly outcome: "nobody" }
  /** 401: the union refuses the credentials. 403: it forbids the lookup. */
  | { readonly outcome: "refused"; readonly status: 401 | 403 }
  /** The union did not answer, or not with what was asked for. */
  | { readonly outcome: "failed"; readonly why: string }
  | { readonly outcome: "late" };

export const failed = (why: string): NoAnswer => ({ outcome: "failed", why });

/**
 * Asks the union about a person. Its document does not show the response for an unknown one, so all likely forms are accepted. Never
 * throws.
 *
 * @param read reads an answer, whose JSON is undefined if it is empty
 */
export async function askAboutPerson<Found>(
  baseAddress: string,
  account: UnionAccount,
  request: Omit<Parameters<typeof askUnion>[2], "method">,
  read: (json: unknown, text: string) => Found | NoAnswer,
): Promise<Found | NoAnswer> {
  try {
    const { status, text } = await askUnion(baseAddress, account, { ...request, method: "GET" });
    if (status === 404 || status === 204) return { outcome: "nobody" };
    if (status === 401 || status === 403) return { outcome: "refused", status };
    if (status !== 200) return failed(`The union answered ${status}.`);
    return read(text.trim() === "" ? undefined : JSON.parse(text), text);
  } catch (error) {
    if (error instanceof SyntaxError) return failed("The union's answer is not JSON.");
    return isTimeout(error) ? { outcome: "late" } : failed(unionFailure(error));
  }
}
