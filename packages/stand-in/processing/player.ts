import type { ScoresForHandicap } from "@scorecard-pipeline/whs";
import { type ScoringRecord, withRound } from "../handicap/scoring-record.ts";
import type { CalculableRound } from "./calculable-round.ts";

/** A round in a player's record. */
export interface ProcessedRound {
  /** Identifies the card: API set and ExternalID. */
  readonly card: string;
  readonly round: CalculableRound;
  /** Tenths. */
  readonly differential: number;
  readonly after: ScoringRecord;
}

/** A player with the processed rounds, in order of play. */
export interface Player {
  readonly before: ScoringRecord;
  readonly rounds: readonly ProcessedRound[];
}

/** A received round that is not processed yet. */
export type PickedUp = Pick<ProcessedRound, "card" | "round">;

/** The player's current record. */
export const recordOf = ({ before, rounds }: Player): ScoringRecord => rounds.at(-1)?.after ?? before;

/**
 * The player after more rounds.
 *
 * A round that was played before processed ones is inserted in order of play, and the record is recalculated. A
 * card that is received again replaces the earlier one. All rounds of a day use the Handicap Index of its morning.
 *
 * @param removed cards whose rounds are another player's now
 * @param scoresForHandicap that the first Handicap Index takes; by default three
 * @see Rules of Handicapping 2024, 5.4 and 5.9
 */
export function withRounds(
  player: Player,
  picked: readonly PickedUp[],
  scoresForHandicap?: ScoresForHandicap,
  removed: ReadonlySet<string> = new Set(),
): Player {
  const latest = new Map(picked.map((one) => [one.card, one]));
  const kept = player.rounds.filter(({ card }) => !latest.has(card));
  const all: PickedUp[] = [...kept, ...latest.values()].filter(({ card }) => !removed.has(card));
  // Sorting is stable: rounds with the same start stay in the order in which they were received.
  all.sort(({ round: one }, { round: other }) =>
    one.startTime === other.startTime ? 0 : one.startTime < other.startTime ? -1 : 1,
  );
  const rounds: ProcessedRound[] = [];
  let { before: record, before: morning } = player;
  for (const { card, round } of all) {
    if (round.day !== rounds.at(-1)?.round.day) morning = record;
    const { differential, record: after } = withRound(
      record,
      round,
      morning.handicapIndex,
      scoresForHandicap,
    );
    rounds.push({ card, round, differential, after });
    record = after;
  }
  return { before: player.before, rounds };
}
