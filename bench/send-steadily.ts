import { setTimeout as delay } from "node:timers/promises";
import { awaitArrivals } from "./arrivals.ts";
import { postCards } from "./backlog.ts";
import type { Bench } from "./start-pipelines.ts";

const patience = 240_000;

/**
 * Sends single cards at a steady rate, whatever they wait for.
 *
 * @returns a function that tells how many milliseconds a share of the cards took at most from when each was due to its arrival at the union: a
 *   card that is sent late, since the machine is busy, waits from when it was due
 */
export async function sendSteadily(
  { ours, union, authorization, apiSet, nextCards }: Bench,
  name: string,
  perSecond: number,
  seconds: number,
): Promise<(share: number) => number> {
  const cards = nextCards(name, perSecond * seconds);
  const begun = Date.now();
  const dueAt = cards.map((_, n) => begun + (n * 1000) / perSecond);
  const requests: Promise<unknown>[] = [];
  for (const [n, card] of cards.entries()) {
    const wait = (dueAt[n] ?? 0) - Date.now();
    if (wait > 0) await delay(wait);
    requests.push(postCards(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, [card]));
  }
  await Promise.all(requests);
  const externalIds = cards.map(({ ExternalID }) => ExternalID);
  const arrivals = await awaitArrivals(union.control, externalIds, patience);
  const waits = arrivals.map((at, n) => at - (dueAt[n] ?? at)).sort((one, other) => one - other);
  return (share) => waits[Math.floor(waits.length * share)] ?? 0;
}
