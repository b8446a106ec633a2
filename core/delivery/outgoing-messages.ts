import type { QueuedCard } from "./message.ts";

/** A card to send on its way, and how long it stays out of sight first. */
export interface OutgoingCard {
  readonly queued: QueuedCard;
  /** Whole seconds, up to 900. */
  readonly delaySeconds: number;
}

/** Cards that go in one message: of one vendor's submission, and in sight at the same time. */
export type OutgoingMessage = readonly [OutgoingCard, ...OutgoingCard[]];

/** In one message: of the cards in it those that are settled are looked up again for one that is not. */
export const mostCardsOfMessage = 10;
/** Characters of JSON: a batch of such messages is no more to deliver than one of the largest cards. */
export const mostCharactersTogether = 64 * 1024;

const mayShare = (one: OutgoingCard, other: OutgoingCard): boolean =>
  one.queued.apiSet === other.queued.apiSet &&
  one.queued.acceptedAt === other.queued.acceptedAt &&
  one.queued.requestId === other.queued.requestId &&
  one.queued.parcel === other.queued.parcel &&
  one.delaySeconds === other.delaySeconds;

/**
 * Puts cards into as few messages as they fit in, ten in each unless they are large, in their order.
 *
 * A message costs the queue, its event source and the vendor who waits as much with ten cards as with one.
 */
export function* outgoingMessages(cards: Iterable<OutgoingCard>): Generator<OutgoingMessage> {
  let message: [OutgoingCard, ...OutgoingCard[]] | undefined;
  let room = 0;
  for (const card of cards) {
    const { length } = card.queued.card;
    if (
      message !== undefined &&
      message.length < mostCardsOfMessage &&
      length <= room &&
      mayShare(message[0], card)
    ) {
      message.push(card);
      room -= length;
    } else {
      if (message !== undefined) yield message;
      message = [card];
      room = mostCharactersTogether - length;
    }
  }
  if (message !== undefined) yield message;
}
