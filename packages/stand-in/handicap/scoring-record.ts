import {
  averageOfLowest,
  capped,
  exceptionalReduction,
  fullRecord,
  maximumHandicapIndex,
  type ScoresForHandicap,
} from "./handicap-index.ts";
import { handicapStatus, mayMove } from "./handicap-status.ts";
import { type PlayedHoles, scoreDifferential } from "./score-differential.ts";

/** A Handicap Index that a player had from a day on. */
interface DatedIndex {
  /** Days since 1970. */
  readonly day: number;
  /** Tenths. */
  readonly index: number;
}

/** A player's Handicap Index, and the Score Differentials and earlier Indexes that decide it. */
export interface ScoringRecord {
  /** As in HandicapStatus. */
  readonly status: number;
  /** Tenths; undefined for a player without one. */
  readonly handicapIndex: number | undefined;
  /** The latest Score Differentials in tenths, at most 20, in order of play, after reductions for exceptional scores. */
  readonly differentials: readonly number[];
  /**
   * The Indexes since there are 20 scores, in order of time: the Low Handicap Index is one of them. At most two a day, and none
   * that equals the one before, since each round of a player keeps its own list.
   */
  readonly indexes: readonly DatedIndex[];
}

/** A round for the record. */
export interface Round extends PlayedHoles {
  /** Adjusted gross score for a player without a Handicap Index. */
  readonly adjustedGrossWithoutIndex: number;
  /** Day it was played, in days since 1970. */
  readonly day: number;
}

const daysOfLowIndex = 365;

/** The Indexes that a player had in the 365 days before a day, also the one at the start of the period. */
function indexesBefore(indexes: readonly DatedIndex[], day: number): readonly DatedIndex[] {
  const start = indexes.findLastIndex((dated) => dated.day <= day - daysOfLowIndex);
  return start > 0 ? indexes.slice(start) : indexes;
}

/** The Indexes after one more, without those that no Low Handicap Index can be. */
function withIndex(indexes: readonly DatedIndex[], next: DatedIndex): readonly DatedIndex[] {
  if (indexes.at(-1)?.index === next.index) return indexes;
  const dayBegins = indexes.findIndex(({ day }) => day === next.day);
  if (dayBegins === -1) return [...indexes, next];
  // A later Low Handicap Index is the day's lowest, or its last if the period begins with it.
  const lower = indexes.slice(dayBegins).filter(({ index }) => index < next.index);
  const lowest = lower.sort((one, other) => one.index - other.index).slice(0, 1);
  return [...indexes.slice(0, dayBegins), ...lowest, next];
}

/**
 * The Low Handicap Index: the lowest that the player had in the 365 days before the latest round.
 *
 * @param day of the latest round
 * @returns tenths; undefined if none is established
 * @see Rules of Handicapping 2024, 5.7
 */
export function lowHandicapIndex(indexes: readonly DatedIndex[], day: number): number | undefined {
  const inPeriod = indexesBefore(indexes, day).map(({ index }) => index);
  return inPeriod.length === 0 ? undefined : Math.min(...inPeriod);
}

/** The Handicap Index calculated from a record, before restrictions of the status. */
function indexOf(
  differentials: readonly number[],
  low: number | undefined,
  fewest: ScoresForHandicap | undefined,
): number | undefined {
  const average = averageOfLowest(differentials, fewest);
  if (average === undefined) return undefined;
  return Math.min(low === undefined ? average : capped(average, low), maximumHandicapIndex);
}

/**
 * The record after one more round.
 *
 * A player without a Handicap Index gets the expected score of the highest one. That is invented: the rules hold such
 * nine-hole scores back.
 *
 * @param indexThatDay the player's Handicap Index on the day of the round, in tenths. Scores change it from the next day on,
 * so two rounds of a day use the same one.
 * @param scoresForHandicap that the first Handicap Index takes; by default three
 * @returns the record with the round's own Score Differential, in tenths, before any reduction
 * @see Rules of Handicapping 2024, 5.2 to 5.9; 5.4 on when an Index is updated
 */
export function withRound(
  record: ScoringRecord,
  round: Round,
  indexThatDay: number | undefined = record.handicapIndex,
  scoresForHandicap?: ScoresForHandicap,
): { readonly record: ScoringRecord; readonly differential: number } {
  const { status, handicapIndex } = record;
  const played =
    indexThatDay === undefined ? { ...round, adjustedGross: round.adjustedGrossWithoutIndex } : round;
  const differential = scoreDifferential(played, indexThatDay ?? maximumHandicapIndex);
  const reduction = indexThatDay === undefined ? 0 : exceptionalReduction(differential, indexThatDay);
  const differentials = [...record.differentials, differential]
    .slice(-fullRecord)
    .map((one) => one - reduction);

  const low = lowHandicapIndex(record.indexes, round.day);
  const calculated = indexOf(differentials, low, scoresForHandicap);
  const next =
    calculated === undefined || (handicapIndex !== undefined && !mayMove(status, handicapIndex, calculated))
      ? handicapIndex
      : calculated;
  const isEstablished = differentials.length === fullRecord && next !== undefined;
  return {
    differential,
    record: {
      status: status === handicapStatus.unallocated && next !== undefined ? handicapStatus.normal : status,
      handicapIndex: next,
      differentials,
      indexes: isEstablished
        ? withIndex(indexesBefore(record.indexes, round.day), { day: round.day, index: next })
        : record.indexes,
    },
  };
}
