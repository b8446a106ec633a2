import type { ApiSet } from "../accounts/account.ts";
import {
  attemptKinds,
  type ForEachKind,
  findingKinds,
  forKinds,
  outcomeKinds,
  viewOf,
} from "../cards/life/events.ts";
import type { CardHappening } from "../cards/life/happened.ts";
import { dayOf } from "../formats/union-time.ts";

/** Cards of a vendor that were accepted on one day, in the order of the stream. */
export interface ListedCards {
  readonly apiSet: ApiSet;
  /** `cards`: the card is new; `versions`: a new version of a card whose last one was accepted on another day. */
  readonly list: "cards" | "versions";
  /** In the union's time zone, e.g. `2026-07-04`. */
  readonly day: string;
  /** Sequence number of the first of these cards' changes. */
  readonly sequenceNumber: string;
  readonly externalIds: readonly string[];
}

/** The list that a card comes to by each kind of event. */
const listOf: ForEachKind<ListedCards["list"] | undefined> = {
  ...forKinds(undefined, "withdrawalBegun", ...attemptKinds, ...outcomeKinds, ...findingKinds, "erased"),
  accepted: () => "cards",
  // After `withdrawalFailed` delivery resumed as a version of its own.
  ...forKinds("versions", "corrected", "resent", "withdrawalFailed"),
};

/** The new cards and versions among a batch of changes, by vendor and day. @param timeZone IANA name */
export function listedCards(updates: readonly CardHappening[], timeZone: string): ListedCards[] {
  const lists = new Map<string, ListedCards & { readonly externalIds: string[] }>();
  for (const { card, before, sequenceNumber, events } of updates) {
    const { apiSet, externalId, acceptedAt } = card;
    const [list] = events.flatMap((event) => viewOf(listOf, event, undefined) ?? []);
    if (list === undefined) continue;
    const day = dayOf(acceptedAt, timeZone);
    if (before !== undefined && dayOf(before.acceptedAt, timeZone) === day) continue;
    const key = `${list} ${day} ${apiSet}`;
    const known = lists.get(key) ?? { apiSet, list, day, sequenceNumber, externalIds: [] };
    known.externalIds.push(externalId);
    lists.set(key, known);
  }
  return [...lists.values()];
}
