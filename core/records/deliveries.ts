import { hash } from "node:crypto";
import type { ApiSet } from "../accounts/account.ts";
import type { CardKey } from "../cards/life/card.ts";
import type { CardHappening } from "../cards/life/happened.ts";
import { State } from "../cards/life/states.ts";
import { findSandboxOutcome } from "../formats/external-ids.ts";

/** Cards of a vendor that were delivered in one batch of the stream. */
export interface DeliveredCards {
  readonly apiSet: ApiSet;
  /** When the last of them was delivered, in milliseconds since 1970, UTC. */
  readonly since: number;
  readonly sequenceNumber: string;
  readonly externalIds: readonly string[];
}

/** Whether a card is among the share of cards that are checked; always the same for one card. @param share from 0 to 1 */
function isInShare({ apiSet, externalId }: CardKey, share: number): boolean {
  const place = Number.parseInt(hash("sha256", JSON.stringify([apiSet, externalId])).slice(0, 8), 16);
  return place < share * 2 ** 32;
}

/** The deliveries among a batch of changes, by vendor, without sandbox cards: no record has their rounds. @param share of the cards to take, from 0 to 1 */
export function deliveredCards(updates: readonly CardHappening[], share: number): DeliveredCards[] {
  const delivered = updates.filter(
    ({ card, events }) =>
      events.some(({ kind }) => kind === State.delivered) &&
      isInShare(card, share) &&
      findSandboxOutcome(card.externalId) === undefined,
  );
  return [...Map.groupBy(delivered, ({ card }) => card.apiSet)].map(([apiSet, own]) => ({
    apiSet,
    since: Math.max(...own.map(({ card }) => card.since)),
    sequenceNumber: own[0]?.sequenceNumber ?? "",
    externalIds: own.map(({ card }) => card.externalId),
  }));
}
