import { type ScoringRecord, withRound } from "../handicap/scoring-record.ts";
import type { CalculableRound } from "./calculable-round.ts";

/** A round in a player's record. */
export interface ProcessedRound {
  /** Names the card: API set and ExternalID. */
  readonly card: string;
  readonly round: CalculableRound;
  /** Tenths. */
  readonly differential: number;
  /** The record with this round. */
  readonly after: ScoringRecord;
}

/** A player with the rounds that were processed here, in order of play. */
export interface Player {
  /** The record before the first of them. */
  readonly before: ScoringRecord;
  readonly rounds: readonly ProcessedRound[];
}

/** A round that was picked up. */
export type PickedUp = Pick<ProcessedRound, "card" | "round">;

/** The player's present record. */
export const recordOf = ({ before, rounds }: Player): ScoringRecord => rounds.at(-1)?.after ?? before;

/**
 * The player after more rounds were picked up.
 *
 * One played before others that have been processed goes in its place, and the record is worked out again from there; a
 * card that comes again takes the place of the one before.
 *
 * @see Rules of Handicapping 2024, 5.4
 */
export function withRounds(player: Player, picked: readonly PickedUp[]): Player {
  const latest = new Map(picked.map((one) => [one.card, one]));
  const kept = player.rounds.filter(({ card }) => !latest.has(card));
  const all: PickedUp[] = [...kept, ...latest.values()];
  // Sorting is stable: rounds that began together stay in the order in which they came.
  all.sort(({ round: one }, { round: other }) =>
    one.startTime === other.startTime ? 0 : one.startTime < other.startTime ? -1 : 1,
  );
  const same = player.rounds.findIndex((round, place) => round !== all[place]);
  const unchanged = same === -1 ? player.rounds.length : same;
  const rounds = player.rounds.slice(0, unchanged);
  let record = rounds.at(-1)?.after ?? player.before;
  for (const { card, round } of all.slice(unchanged)) {
    const { differential, record: after } = withRound(record, round);
    rounds.push({ card, round, differential, after });
    record = after;
  }
  return { before: player.before, rounds };
}
