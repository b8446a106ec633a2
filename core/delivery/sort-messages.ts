import type { CardHistory, DeliveryRecord } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import { type CardMessage, readMessage } from "./message.ts";

/** A message as the queue handed it over. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** Milliseconds since 1970, UTC. */
  readonly sentAt: number;
  /** How often it has been received, this time included. */
  readonly receives: number;
}

/** A message with a card in it. */
export interface ReceivedCard extends ReceivedMessage {
  readonly message: CardMessage;
}

/** A card to be delivered now, with what earlier runs recorded of it. */
export interface DueCard extends ReceivedCard {
  readonly previous?: DeliveryRecord | undefined;
}

/** Separates what can be read from what cannot. */
export function readMessages(messages: readonly ReceivedMessage[]): {
  readonly cards: ReceivedCard[];
  readonly unreadable: ReceivedMessage[];
} {
  const cards: ReceivedCard[] = [];
  const unreadable: ReceivedMessage[] = [];
  for (const received of messages) {
    const message = readMessage(received.body);
    if (message === undefined) unreadable.push(received);
    else cards.push({ ...received, message });
  }
  return { cards, unreadable };
}

/**
 * What is to be done with a message, by the stored items alone:
 * `deliver` it; `drop` it, since its card was superseded, withdrawn or has its outcome; or `wait` and look again.
 *
 * A submission sends its messages before it stores its cards, so an item that exists always has its message. A
 * message without its item belongs to a submission that is under way, or has failed, or was superseded; which of
 * them it is shows when the time is over in which a submission stores its cards. Until then it is not dropped, even
 * where another revision is stored: two submissions of one card at the same time may store theirs in either order.
 */
export type Fate =
  | { readonly kind: "deliver" }
  | { readonly kind: "drop" }
  | { readonly kind: "wait"; readonly seconds: number };

/** While a submission is probably still being stored, its messages look again so often. */
const submissionWaitSeconds = 2;
/** How much earlier than planned an attempt may be made: clocks and SQS's own delays differ by less. */
const earlyMilliseconds = 500;

/**
 * Decides what is to be done with a message.
 *
 * @param submissionMilliseconds longer than a submission takes from its first message to its last item
 */
export function fateOf(
  { message, sentAt }: ReceivedCard,
  { card, delivery }: CardHistory,
  now: number,
  submissionMilliseconds: number,
): Fate {
  // A submission that was sent again has stored the card once more, and has a message of its own for it.
  const repeated = card !== undefined && card.acceptedAt > message.acceptedAt;
  if (card?.revision !== message.revision || repeated) {
    const left = sentAt + submissionMilliseconds - now;
    if (left <= 0) return { kind: "drop" };
    const probablyStoring = card === undefined || card.revision === message.corrects;
    const seconds = Math.ceil(left / 1000);
    return { kind: "wait", seconds: probablyStoring ? Math.min(submissionWaitSeconds, seconds) : seconds };
  }
  if (delivery?.revision !== message.revision) return { kind: "deliver" };
  if (isFinal(delivery.state)) return { kind: "drop" };
  // What was postponed may still come early, as a second message of the same card or where SQS refused to postpone it.
  const early = delivery.state === "retrying" ? (delivery.nextAttemptAt ?? 0) - now : 0;
  if (early > earlyMilliseconds) return { kind: "wait", seconds: Math.ceil(early / 1000) };
  return { kind: "deliver" };
}
