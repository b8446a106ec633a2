import {
  type DatedHandicapIndex,
  exceptionalScoreReduction,
  findIndexesInPeriod,
  fullRecord,
  handicapIndex as handicapIndexByRule,
  lowHandicapIndex,
  maxHandicapIndex,
  type ScoreDifferential,
  type ScoresForHandicap,
  scoreDifferential,
  shortRoundScoreDifferential,
} from "@scorecard-pipeline/whs";
import { handicapStatus, mayMove } from "./handicap-status.ts";

/** The rules take handicaps times 10,000. */
const perTenth = 1_000;

/** A player's Handicap Index, and the Score Differentials and earlier Indexes that decide it. */
export interface ScoringRecord {
  readonly status: number;
  /** Tenths; undefined for a player without one. */
  readonly handicapIndex: number | undefined;
  /** The latest Score Differentials in tenths, at most 20, in order of play, after reductions for exceptional scores. */
  readonly differentials: readonly number[];
  /**
   * The Indexes in tenths since there are 20 scores, in order of time: the Low Handicap Index is one of them. At most two a day, and none
   * that equals the one before, since each round of a player keeps its own list.
   */
  readonly indexes: readonly DatedHandicapIndex[];
}

/** A round for the record. */
export interface Round {
  /** Adjusted gross score of the holes played. */
  readonly adjustedGross: number;
  /** The same for a player without a Handicap Index. */
  readonly adjustedGrossWithoutIndex: number;
  /** Course Rating of the holes played, times 10,000. */
  readonly courseRating: number;
  readonly slope: number;
  /** Holes short of 18, for which the player's expected score counts: 9 for a nine-hole round, 0 for a full one. */
  readonly holesExpected: number;
  /** Day it was played, in days since 1970. */
  readonly day: number;
}

/** The Indexes after one more, without those that no Low Handicap Index can be. */
function withIndex(
  indexes: readonly DatedHandicapIndex[],
  next: DatedHandicapIndex,
): readonly DatedHandicapIndex[] {
  if (indexes.at(-1)?.index === next.index) return indexes;
  const dayBegins = indexes.findIndex(({ day }) => day === next.day);
  if (dayBegins === -1) return [...indexes, next];
  // A later Low Handicap Index is the day's lowest, or its last if the period begins with it.
  const lower = indexes.slice(dayBegins).filter(({ index }) => index < next.index);
  const lowest = lower.sort((one, other) => one.index - other.index).slice(0, 1);
  return [...indexes.slice(0, dayBegins), ...lowest, next];
}

/** The Score Differential of a round. @param indexThatDay in tenths; undefined if the player had none */
function differentialOfRound(round: Round, indexThatDay: number | undefined): ScoreDifferential {
  const { courseRating: rating, slope, holesExpected: holesNotPlayed } = round;
  const adjustedGross = indexThatDay === undefined ? round.adjustedGrossWithoutIndex : round.adjustedGross;
  if (holesNotPlayed === 0) return scoreDifferential({ adjustedGross, rating, slope });
  const handicapIndex = indexThatDay === undefined ? maxHandicapIndex : indexThatDay * perTenth;
  return shortRoundScoreDifferential({ adjustedGross, rating, slope, handicapIndex, holesNotPlayed });
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
  const exact = differentialOfRound(round, indexThatDay);
  const differential = exact.value / perTenth;
  const reduction =
    indexThatDay === undefined ? 0 : exceptionalScoreReduction(exact, indexThatDay * perTenth) / perTenth;
  const differentials = [...record.differentials, differential]
    .slice(-fullRecord)
    .map((one) => one - reduction);

  const low = lowHandicapIndex(record.indexes, round.day);
  const byRule = handicapIndexByRule({
    differentials: differentials.map((one) => one * perTenth),
    lowHandicapIndex: low === undefined ? undefined : low * perTenth,
    minScores: scoresForHandicap,
  });
  const calculated = byRule && byRule.value / perTenth;
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
        ? withIndex(findIndexesInPeriod(record.indexes, round.day), { day: round.day, index: next })
        : record.indexes,
    },
  };
}
