import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds since 1970, UTC, at which the union took each card first, by ExternalID. */
export async function arrivalsAt(control: string): Promise<Map<string, number>> {
  const response = await fetch(`${control}/received`);
  const received = (await response.json()) as { at: string; card: { ExternalID: string } }[];
  return new Map(received.toReversed().map(({ at, card }) => [card.ExternalID, Date.parse(at)]));
}

/**
 * Waits until the union has all of these cards.
 *
 * @returns when it took each first, milliseconds since 1970, UTC, in the order of the names
 * @throws Error if some are missing after so many milliseconds
 */
export async function awaitArrivals(
  control: string,
  externalIds: readonly string[],
  patience: number,
): Promise<number[]> {
  const until = Date.now() + patience;
  for (;;) {
    const arrivals = await arrivalsAt(control);
    const times = externalIds.flatMap((externalId) => arrivals.get(externalId) ?? []);
    if (times.length === externalIds.length) return times;
    const missing = externalIds.length - times.length;
    if (Date.now() > until) throw new Error(`${missing} of ${externalIds.length} cards have not arrived.`);
    await delay(500);
  }
}
