import type { Tournament } from "@scorecard-pipeline/scorecards-client";

/** Seconds between two reads of a tournament at first. */
export const quickestPace = 4;
/** The API reads so many cards for a start list in the time of one pace. */
const cardsAtQuickest = 1_000;
const slowestPace = 32;

/**
 * Seconds between two reads of a tournament: longer if the API has to compare many cards with a start list each time, in steps, so
 * that a card more changes nothing.
 */
export function paceOf({ totals, startLists }: Pick<Tournament, "totals" | "startLists">): number {
  let pace = quickestPace;
  if (startLists === undefined) return pace;
  for (let cards = totals.cards; cards > cardsAtQuickest && pace < slowestPace; cards /= 2) pace *= 2;
  return pace;
}
