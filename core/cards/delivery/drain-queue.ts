import type { IncomingMessage } from "../../aws/receive-messages.ts";
import { chunks } from "../../formats/chunks.ts";
import { type ReceivedMessage, readMessages } from "./queue.ts";
import { maxReceiving } from "./timing.ts";

/** An event for the log, without personal data. */
export type DrainEvent =
  /** A receive failed, or took too long: the run posts less than it could. */
  | { readonly kind: "notDrained"; readonly error: unknown }
  /** Messages whose cards are done with come again. */
  | { readonly kind: "notRemoved"; readonly messages: number; readonly error?: unknown };

/** The queue that a run drains, and the clock. */
export interface DrainDependencies {
  readonly settings: {
    /** Messages that the event source gives a run at most: only a run with so many has a reason to look for more. */
    readonly batchSize: number;
    /** Cards in an array. */
    readonly postSize: number;
  };
  /** Receives messages that are visible now, at most ten. */
  readonly receive: (most: number, signal: AbortSignal) => Promise<readonly IncomingMessage[]>;
  /** Deletes messages. @returns the handles of those that SQS did not delete */
  readonly remove: (receiptHandles: readonly string[]) => Promise<readonly string[]>;
  /** A signal that is aborted after so many milliseconds. */
  readonly timeLimit: (milliseconds: number) => AbortSignal;
  readonly report: (event: DrainEvent) => void;
}

/** A delivery of `createDelivery`. */
type Deliver = (messages: readonly ReceivedMessage[], remaining: () => number) => Promise<string[]>;

/** SQS's own limit of one request. */
const messagesOfRequest = 10;
/**
 * A run that was given a message more often than this does not drain. The message may crash each run that it is in, and the messages
 * beside it would be received as often, up to the dead-letter queue.
 */
const maxReceives = 2;

/**
 * Makes a delivery receive more of the queue itself when it is given a full batch, until an array is full. So posts fill up under
 * load, and a card that comes alone is still posted at once: no run waits for messages.
 *
 * Messages that a run received itself are handled like those that Lambda handed over: deleted when their cards are done with, and
 * visible again after the queue's visibility timeout if the delivery fails or the run dies.
 *
 * @returns a function like `deliver`; it returns IDs of given messages only, since Lambda takes a batch with any other ID as failed
 */
export function createDraining(deliver: Deliver, dependencies: DrainDependencies): Deliver {
  const { settings, receive, remove, timeLimit, report } = dependencies;

  return async function deliverDrained(given, remaining) {
    const drained = await receiveMore(given);
    const failed = new Set(await deliver([...given, ...drained], remaining));
    await removeDone(drained.filter(({ messageId }) => !failed.has(messageId)));
    return given.map(({ messageId }) => messageId).filter((id) => failed.has(id));
  };

  /** Receives as many messages as fill an array if each names one card. */
  async function receiveMore(given: readonly ReceivedMessage[]): Promise<readonly IncomingMessage[]> {
    if (given.length < settings.batchSize || given.some(({ receives }) => receives > maxReceives)) return [];
    const named = [...readMessages(given).vendors.values()].flatMap(({ wakeUps }) => wakeUps);
    const missing = Array.from({ length: settings.postSize - named.length });
    const limit = timeLimit(maxReceiving);
    // Several requests at once, since one after the other would hold up the cards that the run was given.
    const results = await Promise.allSettled(
      chunks(missing, messagesOfRequest).map(({ length }) => receive(length, limit)),
    );
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) report({ kind: "notDrained", error: failure.reason });
    return results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  }

  async function removeDone(messages: readonly IncomingMessage[]): Promise<void> {
    if (messages.length === 0) return;
    try {
      const left = await remove(messages.map(({ receiptHandle }) => receiptHandle));
      if (left.length > 0) report({ kind: "notRemoved", messages: left.length });
    } catch (error) {
      // They come again, and their cards have their outcomes. If the run failed, all it was given would come again, too.
      report({ kind: "notRemoved", messages: messages.length, error });
    }
  }
}
