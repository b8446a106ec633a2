import type { OutageSpan } from "./breaker.ts";
import type { StoredCard } from "./card.ts";

/** The service objective: a card is delivered within this time of its acceptance, in milliseconds; outages of the union apart. */
export const objectiveTime = 5 * 60_000;

/** The part of a time that is not in an outage, in milliseconds. */
function outsideOf(from: number, to: number, outage: OutageSpan | undefined): number {
  const overlap = outage === undefined ? 0 : Math.min(to, outage.to) - Math.max(from, outage.from);
  return Math.max(0, to - from - Math.max(0, overlap));
}

/**
 * Whether a card that has been delivered took longer than the objective allows, without an outage of the union that explains it.
 * A card that failed by itself has been in time if its first post was: after that it waited for the exchange.
 *
 * @param card as it was read before the delivery
 * @param outage the vendor's latest
 * @param now milliseconds since 1970, UTC
 */
export function isDelayed(
  { acceptedAt, version, suspicion, failed = [] }: StoredCard,
  outage: OutageSpan | undefined,
  now: number,
): boolean {
  const failedPosts = suspicion === undefined ? [] : failed.filter((posts) => posts.version === version);
  const until = Math.min(now, ...failedPosts.map(({ from }) => from));
  return outsideOf(acceptedAt, until, outage) > objectiveTime;
}
