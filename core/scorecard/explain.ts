import { holesOfRound } from "./register-match.ts";
import { netDoubleBogey } from "./rules/hole-score.ts";
import { courseHandicapsOfCard, nineOfEighteen, scoreRound, sum, totalStrokes } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";

/** How the figures of one hole come about. */
export interface HoleDerivation {
  readonly number: number;
  readonly par: number;
  readonly strokeIndex: number;
  /** Strokes taken; 0 picked up, -1 not played. */
  readonly strokes: number;
  /** Strokes received off the Playing Handicap, which points are counted with. */
  readonly receivedOffPlayingHandicap: number;
  /** Strokes received off the Course Handicap, which net double bogey is counted with. */
  readonly receivedOffCourseHandicap: number;
  /** Stableford points by the rule; a card's own points are passed on even if they differ. */
  readonly points: number;
  /** The most that the hole counts for handicapping: net double bogey, never more than par + 5. */
  readonly maximum: number;
  /** What the hole counts for handicapping; null where it was not played. */
  readonly counted: number | null;
}

/** How the figures of a card come about, hole by hole, by our reading of the rules. */
export interface Derivation {
  readonly courseHandicap: number;
  /** What HCP, TeeRating, TeeSlope and the pars come to; for nine holes by the rounded and by the exact half of HCP. */
  readonly courseHandicapByRule: readonly number[];
  readonly playingHandicap: number;
  /** The numbers of the holes that strokes are received on in a nine-hole round on eighteen holes; else null. */
  readonly nineHoles: readonly number[] | null;
  readonly holes: readonly HoleDerivation[];
  readonly totalPoints: number;
  /** 0 after any pick-up. */
  readonly totalStrokes: number;
  /** Null where holes of the round were not played: how those count is for the WHS server to say. */
  readonly netDoubleBogeyGross: number | null;
}

/**
 * Explains a card that has been filled in.
 *
 * @returns undefined for a card that has not been
 */
export function explainCard(card: Scorecard): Derivation | undefined {
  const { Course: course, CourseHandicap: courseHandicap, Result, Round } = card;
  const { Strokes: strokes } = Result;
  const { HolesPlayed: holesPlayed } = Round;
  const holes = holesOfRound(course.Holes, undefined);
  if (holes === undefined || holes.pars.length !== strokes.length) return undefined;
  const playingHandicap = card.PHCP ?? courseHandicap;
  const worked = scoreRound({ holes, strokes, holesPlayed, courseHandicap, playingHandicap });
  const numberOf = (place: number) => course.Holes?.[place]?.Number ?? place + 1;
  const derived = holes.pars.map((par, place): HoleDerivation => {
    const receivedOffCourseHandicap = worked.courseStrokes[place] ?? 0;
    const taken = strokes[place] ?? -1;
    return {
      number: numberOf(place),
      par,
      strokeIndex: holes.indexes[place] ?? 0,
      strokes: taken,
      receivedOffPlayingHandicap: worked.playingStrokes[place] ?? 0,
      receivedOffCourseHandicap,
      points: worked.points[place] ?? 0,
      maximum: netDoubleBogey(par, receivedOffCourseHandicap),
      counted: taken === -1 ? null : (worked.counted[place] ?? null),
    };
  });
  return {
    courseHandicap,
    courseHandicapByRule: courseHandicapsOfCard(card, sum(holes.pars)),
    playingHandicap,
    nineHoles: nineOfEighteen(strokes, holesPlayed)?.map(numberOf) ?? null,
    holes: derived,
    totalPoints: sum(worked.points),
    totalStrokes: totalStrokes(strokes),
    netDoubleBogeyGross: worked.netDoubleBogeyGross ?? null,
  };
}
