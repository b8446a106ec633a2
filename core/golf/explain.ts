import { countedStrokes, netDoubleBogey, scoreDifferential } from "@scorecard-pipeline/whs";
import { handicapsByRule } from "./handicaps.ts";
import { nineOfEighteen, scoreRound, sum, totalStrokes } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";
import { maxHoles, unrankedHoles } from "./tee-numbers.ts";
import { holesOfRound } from "./tee-of-card.ts";

/** How the figures of one hole were calculated. */
export interface HoleDerivation {
  readonly number: number;
  readonly par: number;
  readonly strokeIndex: number;
  /** Strokes taken; 0 picked up, -1 not played. */
  readonly strokes: number;
  /** Strokes received off the Playing Handicap; Stableford points count them. */
  readonly receivedOffPlayingHandicap: number;
  /** Strokes received off the Course Handicap; net double bogey counts them. */
  readonly receivedOffCourseHandicap: number;
  /** Stableford points by the rule; a card's own points are passed on even if they differ. */
  readonly points: number;
  /** The most that the hole counts for handicapping: net double bogey, never more than par + 5. */
  readonly maximum: number;
  /** Strokes that the hole counts for handicapping; null if it was not played. */
  readonly counted: number | null;
}

/** How the figures of a card were calculated, hole by hole, by our reading of the rules. */
export interface Derivation {
  readonly courseHandicap: number;
  /** The Course Handicap by HCP, TeeRating, TeeSlope and the pars; for nine holes with the rounded and the exact half of HCP. */
  readonly courseHandicapByRule: readonly number[];
  readonly playingHandicap: number;
  /** The numbers of the holes that strokes are received on in a nine-hole round on eighteen holes; else null. */
  readonly nineHoles: readonly number[] | null;
  readonly holes: readonly HoleDerivation[];
  readonly totalPoints: number;
  /** 0 after any pick-up. */
  readonly totalStrokes: number;
  /** Null if holes of the round were not played: the WHS server decides how those count. */
  readonly netDoubleBogeyGross: number | null;
  /** Times 10,000, by the card's TeeRating and TeeSlope; null unless all of 18 holes were played on a rated tee. */
  readonly scoreDifferential: number | null;
}

/** Explains a card that has been filled in; undefined for one that has not. */
export function explainCard(card: Scorecard): Derivation | undefined {
  const { Course: course, CourseHandicap: courseHandicap, Result, Round } = card;
  const { Strokes: strokes } = Result;
  const { HolesPlayed: holesPlayed } = Round;
  const { Holes = [] } = course;
  const listed = { pars: Holes.map(({ Par }) => Par), indexes: Holes.map(({ Index }) => Index) };
  const holes = holesOfRound(course.Holes, undefined) ?? unrankedHoles(listed);
  if (holes === undefined || holes.pars.length !== strokes.length) return undefined;
  const playingHandicap = card.PHCP ?? courseHandicap;
  const score = scoreRound({ holes, strokes, holesPlayed, courseHandicap, playingHandicap });
  const numberOf = (place: number) => course.Holes?.[place]?.Number ?? place + 1;
  const derived = holes.pars.map((par, place): HoleDerivation => {
    const receivedOffCourseHandicap = score.courseStrokes[place] ?? 0;
    const taken = strokes[place] ?? -1;
    return {
      number: numberOf(place),
      par,
      strokeIndex: holes.indexes[place] ?? 0,
      strokes: taken,
      receivedOffPlayingHandicap: score.playingStrokes[place] ?? 0,
      receivedOffCourseHandicap,
      points: score.points[place] ?? 0,
      maximum: netDoubleBogey(par, receivedOffCourseHandicap),
      counted: taken === -1 ? null : countedStrokes(par, receivedOffCourseHandicap, taken),
    };
  });
  const { ruled, figures } = handicapsByRule(card, undefined);
  const isWhole = holesPlayed === maxHoles && strokes.length === maxHoles;
  const adjustedGross = isWhole ? score.netDoubleBogeyGross : undefined;
  return {
    courseHandicap,
    courseHandicapByRule: ruled,
    playingHandicap,
    nineHoles: nineOfEighteen(strokes, holesPlayed)?.map(numberOf) ?? null,
    holes: derived,
    totalPoints: sum(score.points),
    totalStrokes: totalStrokes(strokes),
    netDoubleBogeyGross: score.netDoubleBogeyGross ?? null,
    scoreDifferential:
      adjustedGross && figures ? scoreDifferential({ adjustedGross, ...figures }).value : null,
  };
}
