import type { ApiSet } from "../accounts/account.ts";
import type { CardHappening, EventKind } from "../cards/life/happened.ts";
import { dayOf } from "../formats/union-time.ts";
import { type ListedCount, listedCounts, warningCount } from "./activity-counts.ts";
import { countsOfEvent } from "./hours.ts";

/** Cards of a vendor that were accepted or counted on one day, in the order of the stream. */
export interface ListedCards {
  readonly apiSet: ApiSet;
  /**
   * `cards`: the card is new; `versions`: a new version of a card whose last one was accepted on another day; otherwise what the
   * card was counted for on the day, or `not` if that was taken back, since a post was answered late.
   */
  readonly list: "cards" | "versions" | ListedCount | `not ${ListedCount}`;
  /** In the union's time zone, e.g. `2026-07-04`. */
  readonly day: string;
  /** Sequence number of the first of these cards' changes. */
  readonly sequenceNumber: string;
  readonly externalIds: readonly string[];
}

/** The list of the day of its acceptance that a card comes to by each kind of event. */
const listByKind: Partial<Record<EventKind, "cards" | "versions">> = {
  accepted: "cards",
  corrected: "versions",
  resent: "versions",
  // Delivery resumed as a version of its own.
  withdrawalFailed: "versions",
};

/** The list that a card comes to when it is counted under a name. */
const listOfCount = new Map<string, ListedCount>(
  listedCounts.flatMap((name) => [name, warningCount(name)].map((count) => [count, name] as const)),
);

/** The new cards and versions among a batch of changes, and those that were counted, by vendor and day. @param timeZone IANA name */
export function listedCards(updates: readonly CardHappening[], timeZone: string): ListedCards[] {
  const lists = new Map<string, ListedCards & { readonly externalIds: string[] }>();
  for (const { card, before, sequenceNumber, events } of updates) {
    const { apiSet, externalId, acceptedAt } = card;
    const add = (list: ListedCards["list"], day: string) => {
      const key = `${list} ${day} ${apiSet}`;
      const known = lists.get(key) ?? { apiSet, list, day, sequenceNumber, externalIds: [] };
      known.externalIds.push(externalId);
      lists.set(key, known);
    };
    const takeBack = (list: ListedCount, day: string) => {
      const own = lists.get(`${list} ${day} ${apiSet}`)?.externalIds ?? [];
      if (own.includes(externalId)) own.splice(own.lastIndexOf(externalId), 1);
      add(`not ${list}`, day);
    };
    for (const event of events) {
      for (const [at, counts] of countsOfEvent(event, card)) {
        for (const [name, count] of Object.entries(counts)) {
          const list = listOfCount.get(name);
          if (list === undefined) continue;
          if (count > 0) add(list, dayOf(at, timeZone));
          else takeBack(list, dayOf(at, timeZone));
        }
      }
    }
    const [list] = events.flatMap(({ kind }) => listByKind[kind] ?? []);
    const day = dayOf(acceptedAt, timeZone);
    if (list !== undefined && (before === undefined || dayOf(before.acceptedAt, timeZone) !== day))
      add(list, day);
  }
  return [...lists.values()].filter(({ externalIds }) => externalIds.length > 0);
}
