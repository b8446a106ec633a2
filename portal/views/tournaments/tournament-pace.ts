import type { Tournament } from "@scorecard-pipeline/scorecards-client";

/** Seconds between two reads of a tournament at first. */
export const minPaceSeconds = 4;
/** The API reads so many cards for a start list in the time of one pace. */
const cardsAtMinPace = 1_000;
const maxPaceSeconds = 32;

/**
 * Seconds between two reads of a tournament: longer if the API has to compare many cards with a start list each time, in steps, so
 * that a card more changes nothing.
 */
export function choosePace({ totals, startLists }: Pick<Tournament, "totals" | "startLists">): number {
  let pace = minPaceSeconds;
  if (startLists === undefined) return pace;
  for (let cards = totals.cards; cards > cardsAtMinPace && pace < maxPaceSeconds; cards /= 2) pace *= 2;
  return pace;
}
