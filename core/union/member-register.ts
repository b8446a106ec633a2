import * as z from "zod/mini";
import { guidSchema } from "../formats/identifiers.ts";
import type { UnionAccount } from "./account-secrets.ts";
import type { documentedMember } from "./documented-member.ts";
import { askUnion, isTimeout, type UnionResponse, unionFailure } from "./request.ts";

/** A person with the memberships of all clubs. */
type Member = z.input<typeof documentedMember>;

/** Reads a member of the union. Only the ID is required: a vendor sees the union's data even if it is not as documented. */
const memberSchema = z.looseObject({ ID: guidSchema }) as unknown as z.ZodMiniType<Member>;

/** The numbers that identify a member: one of them, or both. */
export interface MemberNumbers {
  readonly lifeTimeId?: string | undefined;
  readonly unionId?: string | undefined;
}

/** The result of a lookup. */
export type MemberLookup =
  /** JSON of the member as the union sent it, with the fields that its document does not name. */
  | { readonly outcome: "found"; readonly member: string }
  | { readonly outcome: "nobody" }
  /** 401: the union refuses the credentials. 403: it forbids the lookup. */
  | { readonly outcome: "refused"; readonly status: 401 | 403 }
  /** The union did not answer, or not with a member. */
  | { readonly outcome: "failed"; readonly why: string }
  | { readonly outcome: "late" };

/** The union's members, read live; nothing is stored. @see union-api, endpoints 5 and 6 */
export interface MemberRegister {
  /** @param token a player's own instead of the account's, if any */
  byNumbers(account: UnionAccount, numbers: MemberNumbers, token: string | undefined): Promise<MemberLookup>;
  /** The player who granted consent. @param token the player's access token */
  byToken(account: UnionAccount, token: string): Promise<MemberLookup>;
}

/** Looks members up over HTTP, one request each. */
export function memberRegister(baseAddress: string, timeoutMilliseconds: number): MemberRegister {
  async function get(account: UnionAccount, path: string, token: string | undefined): Promise<MemberLookup> {
    try {
      return read(await askUnion(baseAddress, account, { method: "GET", path, token, timeoutMilliseconds }));
    } catch (error) {
      return isTimeout(error) ? { outcome: "late" } : failed(unionFailure(error));
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

const failed = (why: string): MemberLookup => ({ outcome: "failed", why });

/** Reads a response. The union's document does not show the one for an unknown member, so all likely forms are accepted. */
function read({ status, text }: UnionResponse): MemberLookup {
  if (status === 404 || status === 204) return { outcome: "nobody" };
  if (status === 401 || status === 403) return { outcome: "refused", status };
  if (status !== 200) return failed(`The union answered ${status}.`);
  if (text.trim() === "") return { outcome: "nobody" };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed("The union's answer is not JSON.");
  }
  const isList = Array.isArray(json);
  const members: readonly unknown[] = Array.isArray(json) ? json : [json ?? undefined];
  const [member, ...others] = members;
  if (others.length > 0) return failed("The union's answer is several members.");
  if (member === undefined) return { outcome: "nobody" };
  if (!memberSchema.safeParse(member).success) return failed("The union's answer is not a member.");
  return { outcome: "found", member: isList ? JSON.stringify(member) : text };
}
