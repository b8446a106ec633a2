/** A hole and the score on it. */
export interface HoleScore {
  readonly par: number;
  /** Stroke index, 1 the hardest. */
  readonly index: number;
  /** 0 if the ball was picked up, -1 if the hole was not played. */
  readonly strokes: number;
}

/** Highest score of a hole over par, whatever strokes are received on it. */
const maxOverPar = 5;

/**
 * Strokes received on a hole: one stroke a hole from the hardest on, repeated until the handicap is used up; a plus
 * handicap gives strokes back from the easiest hole on.
 *
 * @param rank rank of the hole by difficulty, 0 the hardest
 * @param holes number of holes
 * @see Rules of Handicapping 2024, appendix E
 */
function strokesReceived(courseHandicap: number, rank: number, holes: number): number {
  return Math.ceil((courseHandicap - rank) / holes);
}

/**
 * The adjusted gross score of the holes played: each counts at most net double bogey, and so does one picked up.
 *
 * @param courseHandicap whole strokes for these holes; undefined for a player without a Handicap Index, whose limit is
 * par + 5
 * @see Rules of Handicapping 2024, 3.1 and 3.3
 */
export function adjustedGrossScore(holes: readonly HoleScore[], courseHandicap: number | undefined): number {
  let score = 0;
  for (const { par, index, strokes } of holes) {
    if (strokes < 0) continue;
    let rank = 0;
    for (const other of holes) if (other.index < index) rank++;
    const received =
      courseHandicap === undefined ? maxOverPar : strokesReceived(courseHandicap, rank, holes.length);
    const most = Math.min(par + maxOverPar, par + 2 + received);
    score += strokes === 0 ? most : Math.min(strokes, most);
  }
  return score;
}
