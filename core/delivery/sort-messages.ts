import type { CardHistory, DeliveryRecord } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import { type QueuedCard, readMessage } from "./message.ts";

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

/** A card, with the message that it came in. */
export interface ReceivedCard extends ReceivedMessage {
  readonly queued: QueuedCard;
  /** Cards in the message, this one included. */
  readonly together: number;
}

/** A card to be delivered now, with what earlier runs recorded of it. */
export interface DueCard extends ReceivedCard {
  readonly previous?: DeliveryRecord | undefined;
  /** The parcel that its first record opens: the one in which this revision came. */
  readonly opens?: string | undefined;
}

/** Each message once: SQS may hand one over twice, and only its latest receipt handle counts. */
function eachOnce(messages: readonly ReceivedMessage[]): Iterable<ReceivedMessage> {
  const latest = new Map<string, ReceivedMessage>();
  for (const message of messages) {
    if ((latest.get(message.messageId)?.receives ?? 0) <= message.receives)
      latest.set(message.messageId, message);
  }
  return latest.values();
}

/** Takes the cards out of the messages that can be read. */
export function readMessages(messages: readonly ReceivedMessage[]): {
  readonly cards: ReceivedCard[];
  readonly unreadable: ReceivedMessage[];
} {
  const cards: ReceivedCard[] = [];
  const unreadable: ReceivedMessage[] = [];
  for (const received of eachOnce(messages)) {
    const inMessage = readMessage(received.body);
    if (inMessage === undefined) unreadable.push(received);
    else for (const queued of inMessage) cards.push({ ...received, queued, together: inMessage.length });
  }
  return { cards, unreadable };
}

/**
 * What is to be done with a card, by the stored items alone:
 * `deliver` it; `drop` it, since it was superseded, withdrawn or has its outcome; or `wait` and look again.
 *
 * A submission sends its messages before it stores its cards, so an item that exists always has its message. A
 * card without its item belongs to a submission that is under way, or has failed, or was superseded; which of
 * them it is shows when the time is over in which a submission stores its cards. Until then it is not dropped, even
 * where another revision is stored: two submissions of one card at the same time may store theirs in either order.
 */
export type Fate =
  | { readonly kind: "deliver" }
  | { readonly kind: "drop" }
  | { readonly kind: "wait"; readonly seconds: number };

/** While a submission is probably still being stored, its cards are looked for again so often. */
const submissionWaitSeconds = 2;
/** How much earlier than planned an attempt may be made: clocks and SQS's own delays differ by less. */
export const earlyMilliseconds = 500;

/** Whether a submission that was sent again has stored the card once more: it has a message of its own for it. */
export const isRepeated = ({ queued }: ReceivedCard, { card }: CardHistory): boolean =>
  card !== undefined &&
  (card.acceptedAt > queued.acceptedAt || (queued.parcel !== undefined && queued.parcel !== card.parcel?.id));

/**
 * Decides what is to be done with a card.
 *
 * @param submissionMilliseconds longer than a submission takes from its first message to its last item
 */
export function fateOf(
  received: ReceivedCard,
  history: CardHistory,
  now: number,
  submissionMilliseconds: number,
): Fate {
  const { queued, sentAt } = received;
  const { card, delivery } = history;
  if (card?.revision !== queued.revision || isRepeated(received, history)) {
    const left = sentAt + submissionMilliseconds - now;
    if (left <= 0) return { kind: "drop" };
    const probablyStoring = card === undefined || card.revision === queued.corrects;
    const seconds = Math.ceil(left / 1000);
    return { kind: "wait", seconds: probablyStoring ? Math.min(submissionWaitSeconds, seconds) : seconds };
  }
  if (delivery?.revision !== queued.revision) return { kind: "deliver" };
  if (isFinal(delivery.state)) return { kind: "drop" };
  // What was postponed may still come early, as a second message of the same card or where SQS refused to postpone it.
  const early = delivery.state === "retrying" ? (delivery.nextAttemptAt ?? 0) - now : 0;
  if (early > earlyMilliseconds) return { kind: "wait", seconds: Math.ceil(early / 1000) };
  return { kind: "deliver" };
}
