import { mergeWakeUps, type ReceivedMessage, type WakeUp } from "../../../core/cards/delivery/queue.ts";
import { second } from "../../durations.ts";

const visibilityMilliseconds = 60 * second;

interface Message {
  readonly messageId: string;
  readonly body: string;
  receives: number;
  /** When it can be received, in milliseconds since 1970. */
  visibleAt: number;
}

/** A queue in memory, with delays on a clock that is set by hand. */
export function queueInMemory(clock: { readonly now: number }) {
  /** By the time from which they can be received. */
  const waiting = new Map<number, Set<Message>>();
  const handles = new Map<string, Message>();
  const counts = {
    sent: 0,
    received: 0,
    /** Messages that were not done with, and stayed out of sight until they came back. */
    parked: 0,
    /** How often one message was received at most. */
    maxReceives: 0,
  };

  function add(message: Message) {
    const others = waiting.get(message.visibleAt);
    if (others === undefined) waiting.set(message.visibleAt, new Set([message]));
    else others.add(message);
  }
  function leave(message: Message) {
    const others = waiting.get(message.visibleAt);
    others?.delete(message);
    if (others?.size === 0) waiting.delete(message.visibleAt);
  }
  const nextAt = () => Math.min(...waiting.keys());

  function put(body: string, delaySeconds = 0) {
    add({
      messageId: `message ${++counts.sent}`,
      body,
      receives: 0,
      visibleAt: clock.now + delaySeconds * second,
    });
  }

  /** Receives what is visible; it is visible again after the visibility timeout, unless it is removed. */
  function take(most: number) {
    const batch: Message[] = [];
    while (batch.length < most && nextAt() <= clock.now) {
      const some = [...(waiting.get(nextAt()) ?? [])].slice(0, most - batch.length);
      for (const message of some) leave(message);
      batch.push(...some);
    }
    counts.received += batch.length;
    return batch.map((message) => {
      counts.maxReceives = Math.max(counts.maxReceives, ++message.receives);
      message.visibleAt = clock.now + visibilityMilliseconds;
      add(message);
      const receiptHandle = `${message.messageId}, receive ${message.receives}`;
      handles.set(receiptHandle, message);
      const { messageId, body, receives } = message;
      return { messageId, body, receives, receiptHandle };
    });
  }

  function remove(receiptHandle: string) {
    const message = handles.get(receiptHandle);
    if (message !== undefined) leave(message);
    handles.delete(receiptHandle);
  }

  return {
    counts,
    put,
    async send(wakeUps: readonly WakeUp[]) {
      for (const { body, delaySeconds } of mergeWakeUps(wakeUps)) put(body, delaySeconds);
    },
    /** When the next message can be received; infinite if there is none. */
    nextAt,
    /** The messages that wait to be received, now or later. */
    bodies: () => [...waiting.values()].flatMap((messages) => [...messages].map(({ body }) => body)),
    take,
    remove,
    /**
     * Hands over what can be received by now. What is not said to be done with comes back after the visibility timeout; all of it
     * if the work throws.
     */
    async receive(
      most: number,
      work: (messages: readonly ReceivedMessage[]) => Promise<readonly string[]>,
    ): Promise<void> {
      const batch = take(most);
      const notDone = new Set(await work(batch));
      counts.parked += notDone.size;
      for (const { messageId, receiptHandle } of batch) if (!notDone.has(messageId)) remove(receiptHandle);
    },
  };
}
