/**
 * Stableford points on one hole: 2 for net par, one more for each stroke better, one less for each worse, never
 * below 0.
 *
 * @param received strokes received off the Playing Handicap
 * @param strokes 0 picked up, -1 not played: no points
 * @see Rules of Golf, 21.1b
 */
export function stablefordPoints(par: number, received: number, strokes: number): number {
  return strokes <= 0 ? 0 : Math.max(0, par + 2 + received - strokes);
}
