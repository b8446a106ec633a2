import type { HourCounts } from "./activity-table.ts";

/**
 * Longer than a card waits, in milliseconds. Its message is kept for 14 days, and a card is given up within as many; but a hold of
 * delivery, for a freeze of the union, lasts as long as it has to.
 */
export const maxWait = 60 * 86_400_000;

/** Cards that have no outcome yet. */
export interface WaitingCards {
  readonly cards: number;
  /** Beginning of the hour in which the oldest of them was accepted; ISO 8601, UTC. */
  readonly since?: string;
}

/**
 * The cards that wait, by the counts of the hours in which they were accepted. While changes are being counted, one hour may be
 * counted without another.
 *
 * @param hours in order
 */
export function waitingCards(hours: readonly HourCounts[]): WaitingCards {
  const cards = hours.reduce((sum, { counts }) => sum + (counts.waiting ?? 0), 0);
  const oldest = hours.find(({ counts }) => (counts.waiting ?? 0) > 0);
  return {
    cards: Math.max(0, cards),
    ...(oldest !== undefined && cards > 0 && { since: new Date(oldest.hour).toISOString() }),
  };
}
