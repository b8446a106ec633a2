import type { CardHistory, DeliveryRecord } from "../store/scorecards.ts";
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
 * `deliver` it; `drop` it, since its card was superseded, withdrawn or has its outcome; or `wait`, since its
 * submission is still being stored.
 *
 * A submission sends its messages before it stores its cards, so an item that exists always has its message, and a
 * message without its item belongs to a submission that is under way or failed.
 */
export type Fate = "deliver" | "drop" | "wait";

/** Longer than a submission can take from its first message to its last item. */
const submissionMilliseconds = 60_000;

/** Decides what is to be done with a message. */
export function fateOf(
  { message, sentAt }: ReceivedCard,
  { card, delivery }: CardHistory,
  now: number,
): Fate {
  if (card === undefined || (card.revision !== message.revision && card.revision === message.corrects)) {
    return now - sentAt < submissionMilliseconds ? "wait" : "drop";
  }
  if (card.revision !== message.revision) return "drop";
  const settled = delivery !== undefined && delivery.revision === message.revision && isFinal(delivery.state);
  return settled ? "drop" : "deliver";
}
