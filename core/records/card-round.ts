import type { CardRound } from "../cards/life/card-round.ts";
import type { RecordedRound } from "../union/record-register.ts";

/** The digits of a time to the second. The record's form of a time is not documented: `20260704T093000` and ISO 8601 are read alike. */
export const digitsOf = (time: string) => time.replaceAll(/\D/g, "").padEnd(14, "0").slice(0, 14);

/** Whether a total that the record may leave out is the card's. */
const isAlike = (recorded: number | undefined, own: number) => recorded === undefined || recorded === own;

/**
 * The rounds of a player's record that may be a card's.
 *
 * @returns those with its StartTime and totals; `otherTotals` if there are only others at its StartTime
 */
export function roundsLike(
  { startTime, totalStrokes, totalPoints }: CardRound,
  record: readonly RecordedRound[],
): RecordedRound[] | "otherTotals" {
  const began = digitsOf(startTime);
  const rounds = record.filter((round) => digitsOf(round.startTime) === began);
  const alike = rounds.filter(
    (round) => isAlike(round.totalStrokes, totalStrokes) && isAlike(round.totalPoints, totalPoints),
  );
  return alike.length === 0 && rounds.length > 0 ? "otherTotals" : alike;
}
