/** A source of numbers from 0 to below 1. */
export type Random = () => number;

/** The same elements in another order, each order as likely as another. */
export function shuffled<T>(elements: readonly T[], random: Random): T[] {
  return elements
    .map((element) => ({ element, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ element }) => element);
}

/**
 * One of several outcomes, each as likely as its weight says.
 *
 * @param weights outcome and weight; the weights sum to 1
 */
export function weighted<T>(weights: readonly [outcome: T, weight: number][], random: Random): T {
  let left = random();
  for (const [outcome, weight] of weights) {
    left -= weight;
    if (left < 0) return outcome;
  }
  // The sum of decimal weights may be slightly less than 1.
  return (weights.at(-1) as [T, number])[0];
}
