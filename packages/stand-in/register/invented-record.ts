import { findCalculation, fullRecord } from "@scorecard-pipeline/whs";
import { seededRandom } from "../base/seeded-random.ts";
import { dayOf } from "../base/union-time.ts";
import { handicapStatus } from "../handicap/handicap-status.ts";
import type { ScoringRecord } from "../handicap/scoring-record.ts";
import type { UnionMember } from "./records.ts";

/** The union's records have handicaps times 10,000. */
const carriedPerTenth = 1_000;
/** How far below a Handicap Index the low one may be, in tenths: near enough that no cap has acted yet. */
const maxAboveLow = 25;

/**
 * Invents the Score Differentials behind a member's Handicap Index: the average of the lowest is exactly that Index. The
 * same member always gets the same ones; one without a handicap gets none.
 */
export function inventRecord(member: UnionMember): ScoringRecord {
  const { HandicapStatus: status, Handicap, HandicapDato } = member;
  if (status === handicapStatus.unallocated) {
    return { status, handicapIndex: undefined, differentials: [], indexes: [] };
  }
  const random = seededRandom(member.ID, "scoring record");
  const handicapIndex = Number(Handicap) / carriedPerTenth;
  const count = random.chance(0.85) ? fullRecord : random.whole(3, fullRecord - 1);
  const { lowest, adjustment } = findCalculation(count) ?? { lowest: 1, adjustment: 0 };
  const average = handicapIndex - adjustment / carriedPerTenth;
  const spreads = Array.from({ length: lowest >> 1 }, () => random.whole(2, 40));
  const counting = [
    ...spreads.flatMap((spread) => [average - spread, average + spread]),
    ...(lowest % 2 === 1 ? [average] : []),
  ];
  const highest = Math.max(...counting);
  const rest = Array.from({ length: count - lowest }, () => highest + random.whole(0, 90));
  const day = dayOf(HandicapDato);
  const low = handicapIndex - random.whole(0, maxAboveLow);
  return {
    status,
    handicapIndex,
    differentials: random.shuffled([...counting, ...rest]),
    indexes:
      count < fullRecord
        ? []
        : [
            { day: day - random.whole(30, 300), index: low },
            { day, index: handicapIndex },
          ],
  };
}
