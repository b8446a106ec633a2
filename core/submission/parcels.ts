import { hash } from "node:crypto";
import {
  mostCardsOfMessage,
  mostCharactersTogether,
  type OutgoingCard,
} from "../delivery/outgoing-messages.ts";
import { chunks } from "../store/chunks.ts";
import type { StoredCard } from "../store/scorecard-table.ts";

/** Cards that stand together in a submission, named by what they say. */
export interface Parcel {
  readonly id: string;
  readonly size: number;
}

/** A card on its way, and what is stored of it. */
export interface AcceptedCard {
  readonly outgoing: OutgoingCard;
  readonly record: StoredCard;
  /** Where nothing was stored of it before. */
  readonly parcel?: Parcel | undefined;
}

/**
 * Divides the cards of a submission into parcels, as many in each as a message has, by their places alone. So a
 * submission that is sent twice has the same parcels, however much of it was stored when the second one looked: a card
 * that both of them store stays in the parcel by which it may have been delivered between.
 *
 * @param contents of all cards that are good, in their order; a hash of each
 * @returns the parcel of each; none for one by itself, which gains nothing by it
 */
export function parcelsOf(contents: readonly string[]): (Parcel | undefined)[] {
  return chunks(contents, mostCardsOfMessage).flatMap((together) => {
    if (together.length === 1) return [undefined];
    const id = hash("sha256", together.join(" "), "base64url").slice(0, 22);
    return together.map(() => ({ id, size: together.length }));
  });
}

/** Names the parcel in the messages of those that are all there, and that fit in one. */
export function inWholeParcels(cards: readonly AcceptedCard[]): AcceptedCard[] {
  return [...Map.groupBy(cards, ({ parcel }) => parcel?.id)].flatMap(([id, together]) => {
    const characters = together.reduce((sum, { outgoing }) => sum + outgoing.queued.card.length, 0);
    const isWhole = together.length === together[0]?.parcel?.size && characters <= mostCharactersTogether;
    if (id === undefined || !isWhole) return together;
    return together.map(({ outgoing: { queued, delaySeconds }, ...stored }) => ({
      outgoing: { queued: { ...queued, parcel: id }, delaySeconds },
      ...stored,
    }));
  });
}
