import type { FastifyInstance } from "fastify";
import type { StandInAccount } from "../base/account.ts";
import { membershipType } from "../register/membership-type.ts";
import type { UnionMember } from "../register/records.ts";
import type { Entrance } from "./entrance.ts";
import type { Query } from "./query.ts";
import { RefusalError } from "./refusal.ts";
import type { Union } from "./union.ts";

/** A player's consent to the app of an account. */
export interface Consent {
  readonly memberId: string;
  /** The account's. */
  readonly username: string;
}

/** The union's data, current handicaps and consents that member lookups read. */
export interface GolferDependencies {
  readonly union: Union;
  /** A member with the current handicap. */
  readonly present: (member: UnionMember) => UnionMember;
  /** By access token. The login at which a player gives one is the union's alone. */
  readonly consents: ReadonlyMap<string, Consent>;
}

/** @throws RefusalError 403 if the account may not look the member up without consent */
export function requireAgreement({ clubs }: StandInAccount, member: UnionMember): void {
  if (clubs === undefined) return;
  if (clubs.length === 0) throw new RefusalError(403, "The account needs the player's consent.");
  const isOfClub = member.Memberships.some(
    ({ Club, Type }) => Type !== membershipType.former && clubs.includes(Club.UnionNumber),
  );
  if (!isOfClub)
    throw new RefusalError(403, "The player is no member of a club that the account represents.");
}

/**
 * Endpoints 5 and 6: a member with all memberships, by one identifier or both; and the member who has consented.
 *
 * @see union-api, Member lookup
 */
export function golferEndpoints(
  app: FastifyInstance,
  entrance: Entrance,
  dependencies: GolferDependencies,
): void {
  const { union, present, consents } = dependencies;

  app.get<{ Querystring: Query }>(
    "/:apiset/Clubs/Golfer",
    { onRequest: entrance("golfer", "golfer") },
    async ({ query, account }) => {
      const member = union.register.member({ lifeTimeId: query.lifetimeid, unionId: query.unionid });
      // An account that needs every player's consent must not learn who is a member.
      if (member === undefined && account.clubs?.length !== 0)
        throw new RefusalError(404, "There is no such member.");
      if (member === undefined) throw new RefusalError(403, "The account needs the player's consent.");
      requireAgreement(account, member);
      return present(member);
    },
  );

  app.get(
    "/:apiset/Clubs/Golfer_ByAccessToken",
    { onRequest: entrance("golferByToken", "golfer-by-token") },
    async ({ headers, account }) => {
      const given = consents.get(String(headers.token));
      if (given?.username !== account.username) throw new RefusalError(401, "The access token is not valid.");
      const member = union.register.memberById(given.memberId);
      if (member === undefined) throw new RefusalError(404, "There is no such member.");
      return present(member);
    },
  );
}
