import * as z from "zod/mini";
import { guidSchema } from "../formats/identifiers.ts";
import type { UnionAccount } from "./account-secrets.ts";
import type { documentedMember } from "./documented-member.ts";
import { askAboutPerson, failed, type NoAnswer } from "./person-lookup.ts";

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
  { readonly outcome: "found"; readonly member: string } | NoAnswer;

/** The union's members, read live; nothing is stored. @see union-api, endpoints 5 and 6 */
export interface MemberRegister {
  /** @param token a player's own instead of the account's, if any */
  byNumbers(account: UnionAccount, numbers: MemberNumbers, token: string | undefined): Promise<MemberLookup>;
  /** The player who granted consent. @param token the player's access token */
  byToken(account: UnionAccount, token: string): Promise<MemberLookup>;
}

/** Looks members up over HTTP, one request each. */
export function memberRegister(baseAddress: string, timeoutMilliseconds: number): MemberRegister {
  const get = (account: UnionAccount, path: string, token: string | undefined) =>
    askAboutPerson(baseAddress, account, { path, token, timeoutMilliseconds }, read);
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

function read(json: unknown, text: string): MemberLookup {
  const isList = Array.isArray(json);
  const members: readonly unknown[] = Array.isArray(json) ? json : [json ?? undefined];
  const [member, ...others] = members;
  if (others.length > 0) return failed("The union's answer is several members.");
  if (member === undefined) return { outcome: "nobody" };
  if (!memberSchema.safeParse(member).success) return failed("The union's answer is not a member.");
  return { outcome: "found", member: isList ? JSON.stringify(member) : text };
}
