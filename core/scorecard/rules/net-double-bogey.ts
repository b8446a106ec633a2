/**
 * The most that one hole counts for handicapping: net double bogey, and never more than par + 5.
 *
 * @param received strokes received off the Course Handicap; undefined where the player has no Handicap Index yet
 * @see Rules of Handicapping, 3.1
 */
export function netDoubleBogey(par: number, received: number | undefined): number {
  return received === undefined ? par + 5 : Math.min(par + 5, par + 2 + received);
}

/**
 * What a hole that was begun counts for handicapping.
 *
 * @param strokes 0 picked up: the most that the hole counts
 * @see Rules of Handicapping, 3.1 and 3.3
 */
export function countedStrokes(par: number, received: number | undefined, strokes: number): number {
  const most = netDoubleBogey(par, received);
  return strokes === 0 ? most : Math.min(strokes, most);
}
