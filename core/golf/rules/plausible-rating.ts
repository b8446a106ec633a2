import { oneStroke } from "../../formats/ten-thousandths.ts";

/** Least and greatest Slope Rating. @see Rules of Handicapping, Definitions: Slope Rating */
export const slopeBounds = [55, 155] as const;

/** Strokes by which the Course Rating of eighteen holes may be below par, from the shortest tees, and above it. */
const maxFromPar = [22, 15] as const;

/** Whether a tee may have this Slope Rating. */
export const isPlausibleSlope = (slope: number): boolean =>
  slope >= slopeBounds[0] && slope <= slopeBounds[1];

/**
 * Whether a tee may have this Course Rating: one of nine holes for eighteen, or the reverse, is far from par.
 *
 * @param rating times 10,000
 * @param holes of the tee, 9 or 18
 */
export function isPlausibleRating(rating: number, par: number, holes: number): boolean {
  const [below, above] = maxFromPar.map((strokes) => strokes * oneStroke * (holes === 9 ? 0.5 : 1));
  const abovePar = rating - par * oneStroke;
  return abovePar >= -Number(below) && abovePar <= Number(above);
}
