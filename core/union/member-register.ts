import { memberSchema } from "../members/member.ts";
import type { UnionAccount } from "./account.ts";
import { AnswerTooLarge, askUnion, type UnionAnswer } from "./request.ts";

/** Who is looked for: by one identifier, or by both. */
export interface MemberNumbers {
  readonly lifeTimeId?: string | undefined;
  readonly unionId?: string | undefined;
}

/** What came of looking a member up. */
export type MemberLookup =
  /** The member as the union gave it, as JSON text: what the document does not name is in it too. */
  | { readonly outcome: "found"; readonly member: string }
  | { readonly outcome: "nobody" }
  /** 401: the union does not accept who asks. 403: it does, but not what is asked. */
  | { readonly outcome: "refused"; readonly status: 401 | 403 }
  /** Another answer than a member, or none. */
  | { readonly outcome: "failed"; readonly why: string }
  | { readonly outcome: "late" };

/** Members as the union has them now; nothing of an answer is kept. @see union-api, endpoints 5 and 6 */
export interface MemberRegister {
  /** @param token a player's own instead of the account's; undefined for none */
  byNumbers(account: UnionAccount, numbers: MemberNumbers, token: string | undefined): Promise<MemberLookup>;
  /** The player who granted consent. @param token the player's access token */
  byToken(account: UnionAccount, token: string): Promise<MemberLookup>;
}

/** Members over HTTP, each lookup one request. */
export function memberRegister(baseAddress: string, timeoutMilliseconds: number): MemberRegister {
  async function get(account: UnionAccount, path: string, token: string | undefined): Promise<MemberLookup> {
    try {
      const own = token === undefined ? {} : { token };
      return read(await askUnion(baseAddress, account, { method: "GET", path, ...own, timeoutMilliseconds }));
    } catch (error) {
      if (error instanceof AnswerTooLarge) return { outcome: "failed", why: error.message };
      // Not the error itself: what it says of the request could name the player.
      return error instanceof DOMException && error.name === "TimeoutError"
        ? { outcome: "late" }
        : { outcome: "failed", why: "The union could not be reached." };
    }
  }

  return {
    byNumbers(account, { lifeTimeId, unionId }, token) {
      const query = new URLSearchParams({
        ...(lifeTimeId !== undefined && { lifetimeID: lifeTimeId }),
        ...(unionId !== undefined && { unionID: unionId }),
      });
      return get(account, `Clubs/Golfer?${query}`, token);
    },
    byToken: (account, token) => get(account, "clubs/Golfer_ByAccessToken", token),
  };
}

/** What an answer says. The document shows none for a member there is not, so every way of saying so is understood. */
function read({ status, text }: UnionAnswer): MemberLookup {
  if (status === 404 || status === 204) return { outcome: "nobody" };
  if (status === 401 || status === 403) return { outcome: "refused", status };
  if (status !== 200) return { outcome: "failed", why: `The union answered ${status}.` };
  if (text.trim() === "") return { outcome: "nobody" };
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { outcome: "failed", why: "The union's answer is not JSON." };
  }
  if (answer === null) return { outcome: "nobody" };
  if (!Array.isArray(answer)) return member(answer, text);
  const [only, ...others] = answer;
  if (others.length > 0) return { outcome: "failed", why: "The union's answer is several members." };
  return only === undefined ? { outcome: "nobody" } : member(only, JSON.stringify(only));
}

function member(answer: unknown, text: string): MemberLookup {
  return memberSchema.safeParse(answer).success
    ? { outcome: "found", member: text }
    : { outcome: "failed", why: "The union's answer is not a member." };
}
