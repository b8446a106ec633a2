import * as z from "zod/mini";
import type { ApiSet } from "../accounts/account.ts";
import type { CardRound } from "../cards/life/card-content.ts";
import { guidSchema } from "../formats/identifiers.ts";
import { CredentialsUnavailableError, type UnionAccount } from "../union/account-secrets.ts";
import type { MemberLookup, MemberRegister } from "../union/member-register.ts";
import type { PlayerRecord, RecordedRound } from "../union/record-register.ts";

/** The union's registers, the accounts to ask with, and the time of the last record. */
export interface AskingDependencies {
  /** The account that reads the records of a vendor's players. */
  readonly account: (apiSet: ApiSet) => Promise<UnionAccount>;
  /** The vendor's own account, which looks members up. */
  readonly vendorAccount: (apiSet: ApiSet) => Promise<UnionAccount>;
  /** IDs of the union's clubs by official number. */
  readonly clubIds: () => Promise<ReadonlyMap<number, string>>;
  /** Never throws. */
  readonly playerRecord: (
    account: UnionAccount,
    player: { readonly clubId: string; readonly unionId: string },
  ) => Promise<PlayerRecord>;
  readonly members: Pick<MemberRegister, "byNumbers">;
  /** When the union last gave a record to an earlier run, in milliseconds since 1970, UTC; 0 if it never has. */
  readonly recordGivenAt: () => Promise<number>;
  /** Called when the union gives the first record of this run. */
  readonly recordGiven: () => Promise<void>;
  /** Called with the API set of a vendor whose account may read no records, or cannot be read itself. */
  readonly refused: (apiSet: ApiSet) => void;
}

/**
 * A player's rounds. `nobody`: the union does not know the player. `unanswered`: it did not answer for this player. `left`: it was
 * not asked, since it answers nobody, or refuses the vendor's account.
 */
export type RecordAnswer = readonly RecordedRound[] | "nobody" | "unanswered" | "left";

/** What a card says of its player. */
type AskedPlayer = Pick<CardRound, "unionId" | "lifeTimeId">;

/**
 * Asks for the record of a card's player, with the account of the card's vendor.
 *
 * @param deliveredAt when the card was delivered, in milliseconds since 1970, UTC. A union that has given no record since then may
 *   have its records elsewhere by now, and its 404 is no answer
 * @throws DynamoDB's error if clubs cannot be read, or when the union last gave a record
 */
export type AskForRecord = (
  apiSet: ApiSet,
  player: AskedPlayer,
  deliveredAt: number,
) => Promise<RecordAnswer>;

/** After this many unanswered requests in a row the union counts as down, and the run sends no more. */
const failuresOfAnOutage = 5;
/** After this many forbidden players, and none that may be read, the run asks for no more of the vendor's. */
const forbiddenOfAnAccount = 5;

const membershipsSchema = z.object({
  Memberships: z.array(
    z.object({
      UnionID: z.string(),
      IsHomeClub: z.optional(z.boolean()),
      Club: z.object({ ID: guidSchema }),
    }),
  ),
});

/** The membership whose record is requested. */
interface Membership {
  readonly clubId: string;
  readonly unionId: string;
}

/** The home club's membership, or the first. @param member JSON of the union's member */
function homeMembership(member: string): Membership | undefined {
  const { data } = membershipsSchema.safeParse(JSON.parse(member));
  const memberships = data?.Memberships ?? [];
  const membership = memberships.find(({ IsHomeClub }) => IsHomeClub) ?? memberships[0];
  return membership && { clubId: membership.Club.ID, unionId: membership.UnionID };
}

type Judge = ReturnType<typeof createJudge>;

/** Judges the answers of a run: after an outage, or for a vendor whose account is refused, no more is asked. */
function createJudge(refused: AskingDependencies["refused"]) {
  const answered = new Set<ApiSet>();
  const stopped = new Set<ApiSet>();
  const forbidden = new Map<ApiSet, number>();
  let failuresInARow = 0;

  const tellOnce = (apiSet: ApiSet) => {
    if (!stopped.has(apiSet) && !forbidden.has(apiSet)) refused(apiSet);
  };

  function stop(apiSet: ApiSet): "left" {
    tellOnce(apiSet);
    stopped.add(apiSet);
    return "left";
  }

  function judge(apiSet: ApiSet, answer: PlayerRecord | MemberLookup): "unanswered" | "left" | undefined {
    const { outcome } = answer;
    if (outcome === "failed" || outcome === "late") {
      failuresInARow++;
      return "unanswered";
    }
    failuresInARow = 0;
    if (outcome === "refused") {
      if (answered.has(apiSet)) return "unanswered";
      // An account may see the members of some clubs only, and its oldest cards may be of guests from others.
      tellOnce(apiSet);
      const times = (forbidden.get(apiSet) ?? 0) + 1;
      forbidden.set(apiSet, times);
      return answer.status === 401 || times >= forbiddenOfAnAccount ? stop(apiSet) : "unanswered";
    }
    answered.add(apiSet);
    return undefined;
  }

  const isStopped = (apiSet: ApiSet) => stopped.has(apiSet) || failuresInARow >= failuresOfAnOutage;
  return { stop, judge, isStopped };
}

/** Finds the membership whose record tells of a card, as far as the union's answers say. */
const membershipFinder =
  ({ clubIds, members }: Pick<AskingDependencies, "clubIds" | "members">, { judge }: Judge) =>
  async (
    apiSet: ApiSet,
    own: UnionAccount,
    { unionId, lifeTimeId }: AskedPlayer,
  ): Promise<Membership | Exclude<RecordAnswer, readonly RecordedRound[]>> => {
    if (unionId !== undefined) {
      // A UnionID begins with the official number of its club.
      const ids = await clubIds();
      const clubId = ids.get(Number(unionId.slice(0, unionId.indexOf("-"))));
      if (clubId === undefined) return ids.size === 0 ? "unanswered" : "nobody";
      return { clubId, unionId };
    }
    const found = await members.byNumbers(own, { lifeTimeId }, undefined);
    const failure = judge(apiSet, found);
    if (failure !== undefined) return failure;
    return (found.outcome === "found" && homeMembership(found.member)) || "nobody";
  };

/** Makes the function that asks for records in one run. It asks for each player once. */
export function recordQuestions(dependencies: AskingDependencies): AskForRecord {
  const { account, vendorAccount, playerRecord, recordGivenAt, recordGiven, refused } = dependencies;
  const asked = new Map<string, Promise<RecordAnswer | "notFound">>();
  const judge = createJudge(refused);
  const findMembership = membershipFinder(dependencies, judge);
  let isGiven = false;
  let givenBefore: Promise<number> | undefined;

  async function question(apiSet: ApiSet, player: AskedPlayer): Promise<RecordAnswer | "notFound"> {
    if (judge.isStopped(apiSet)) return "left";
    let own: UnionAccount;
    let vendors: UnionAccount;
    try {
      [own, vendors] = await Promise.all([account(apiSet), vendorAccount(apiSet)]);
    } catch (error) {
      if (error instanceof CredentialsUnavailableError) return judge.stop(apiSet);
      throw error;
    }
    const of = await findMembership(apiSet, vendors, player);
    if (typeof of === "string") return of;
    const answer = await playerRecord(own, of);
    const failure = judge.judge(apiSet, answer);
    if (failure !== undefined) return failure;
    if (answer.outcome !== "found") return "notFound";
    if (!isGiven) {
      isGiven = true;
      await recordGiven();
    }
    return answer.rounds;
  }

  return async (apiSet, player, deliveredAt) => {
    const { unionId, lifeTimeId } = player;
    const key = JSON.stringify([apiSet, ...(unionId === undefined ? [lifeTimeId, "LifeTimeID"] : [unionId])]);
    const answer = asked.get(key) ?? question(apiSet, player);
    asked.set(key, answer);
    const told = await answer;
    if (told !== "notFound") return told;
    if (isGiven) return "nobody";
    givenBefore ??= recordGivenAt();
    return (await givenBefore) >= deliveredAt ? "nobody" : "unanswered";
  };
}
