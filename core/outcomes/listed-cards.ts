import type { ApiSet } from "../accounts/account.ts";
import { dayOf } from "../formats/union-time.ts";
import type { CardUpdate } from "./activity-counts.ts";

/** Cards of a vendor that were accepted on one day, in the order of the stream. */
export interface ListedCards {
  readonly apiSet: ApiSet;
  /** In the union's time zone, e.g. `2026-07-04`. */
  readonly day: string;
  /** Of the first of them. */
  readonly sequenceNumber: string;
  readonly externalIds: readonly string[];
}

/** The new cards among a batch of changes, by vendor and day. @param timeZone IANA name */
export function listedCards(updates: readonly CardUpdate[], timeZone: string): ListedCards[] {
  const lists = new Map<string, ListedCards & { readonly externalIds: string[] }>();
  for (const { card, before, sequenceNumber } of updates) {
    if (before !== undefined) continue;
    const { apiSet, externalId, acceptedAt } = card;
    const day = dayOf(acceptedAt, timeZone);
    const key = `${day} ${apiSet}`;
    const known = lists.get(key) ?? { apiSet, day, sequenceNumber, externalIds: [] };
    known.externalIds.push(externalId);
    lists.set(key, known);
  }
  return [...lists.values()];
}
