/** The most cards of a failed array that are posted alone to find one that goes through. */
const maxSamples = 3;

/** Up to three cards, spread over an array: bad cards often stand side by side. */
export function sampleOf<Card>(cards: readonly Card[]): Card[] {
  const count = Math.min(maxSamples, cards.length);
  return Array.from({ length: count }, (_, index) =>
    cards.at(Math.floor((index * cards.length) / count)),
  ).filter((card) => card !== undefined);
}

/**
 * The parts that a failed array is posted in next: halves if failing takes no longer than going through, and smaller ones the
 * longer it takes. A card at which the exchange hangs is found by one long post then, and not by one for each half.
 *
 * @param failedIn how long the array took to fail, in milliseconds
 * @param wentThroughIn how long the last post took that went through
 */
export function partsOf<Card>(cards: readonly Card[], failedIn: number, wentThroughIn: number): Card[][] {
  const parts = Math.min(cards.length, Math.max(2, Math.floor(failedIn / Math.max(1, wentThroughIn))));
  return Array.from({ length: parts }, (_, index) =>
    cards.slice(Math.ceil((index * cards.length) / parts), Math.ceil(((index + 1) * cards.length) / parts)),
  );
}
