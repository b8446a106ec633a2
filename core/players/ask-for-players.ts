import pMap from "p-map";
import type { MemberFields } from "../golf/member-warnings.ts";
import type { MemberLookup } from "../union/member-register.ts";

/** Asks the union for one player. Never throws. */
export type AskForPlayer = (
  unionId: string,
  timeoutMilliseconds: number,
) => Promise<{
  readonly outcome: MemberLookup["outcome"];
  readonly member?: string;
  /** Of a refusal: 403 concerns the members of a club, 401 all. */
  readonly status?: number;
}>;

/** The union's answers about players. */
export interface PlayerAnswers {
  /** Whether the union knows the player, by UnionID. Players without an answer are left out. */
  readonly isKnown: ReadonlyMap<string, boolean>;
  /** What the union says of the known ones, by UnionID. It is compared with the cards, and forgotten. */
  readonly members: ReadonlyMap<string, MemberFields>;
  /** Why the others were not asked for: the account may look nobody up, or the union did not answer. */
  readonly stopped?: "refused" | "unanswered" | undefined;
}

const parallelQuestions = 4;
/** An account that so many clubs refuse, and none answers, may look nobody up. */
const maxRefusedClubs = 25;
/** With less time left, an answer may come too late and would be lost. */
const minQuestionMilliseconds = 2000;
const maxQuestionMilliseconds = 5000;

/** Whether there is time for one more question. @param left milliseconds */
const hasTimeToAsk = (left: number): boolean => left >= minQuestionMilliseconds;

/**
 * Asks the union whether it knows players, several at the same time, until the time is up.
 *
 * It stops as soon as the union does not answer, or refuses the credentials. A refusal with 403 concerns the members of one club, who are not
 * asked for any more: an account may see those of some clubs only.
 *
 * @param unionIds without repeats
 * @param left milliseconds that are left
 */
export async function askForPlayers(
  ask: AskForPlayer,
  unionIds: readonly string[],
  left: () => number,
): Promise<PlayerAnswers> {
  const isKnown = new Map<string, boolean>();
  const members = new Map<string, MemberFields>();
  const refusedClubs = new Set<string>();
  let stopped: PlayerAnswers["stopped"];
  await pMap(
    unionIds,
    async (unionId) => {
      const [club = ""] = unionId.split("-", 1);
      if (stopped !== undefined || refusedClubs.has(club) || !hasTimeToAsk(left())) return;
      const { outcome, member, status } = await ask(unionId, Math.min(maxQuestionMilliseconds, left()));
      if (member !== undefined) members.set(unionId, JSON.parse(member) as MemberFields);
      if (outcome === "found" || outcome === "nobody") isKnown.set(unionId, outcome === "found");
      else if (outcome !== "refused") stopped = "unanswered";
      else refusedClubs.add(club);
      const isRefused = status === 401 || (isKnown.size === 0 && refusedClubs.size >= maxRefusedClubs);
      if (isRefused) stopped ??= "refused";
    },
    { concurrency: parallelQuestions },
  );
  // An account that was answered about nobody is not asked for again at once.
  if (isKnown.size === 0 && refusedClubs.size > 0) stopped ??= "refused";
  return { isKnown, members, stopped };
}
