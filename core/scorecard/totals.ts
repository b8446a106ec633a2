/** The sum of a list. */
export function sum(list: readonly number[]): number {
  let total = 0;
  for (const entry of list) total += entry;
  return total;
}

/** TotalStrokes by the Strokes: 0 after any pick-up; holes not played do not count. @see union-api, Scorecard.Result */
export function totalStrokes(strokes: readonly number[]): number {
  return strokes.includes(0) ? 0 : sum(strokes.filter((taken) => taken > 0));
}
