import { mergeWakeUps, type ReceivedMessage, type WakeUp } from "../../../core/cards/queue.ts";
import { second } from "./delivery-world.ts";

const visibilityMilliseconds = 60 * second;

interface Message {
  readonly messageId: string;
  readonly body: string;
  receives: number;
}

/** A queue in memory, with delays on a clock that is set by hand. */
export function queueInMemory(clock: { readonly now: number }) {
  /** By the time from which they can be received. */
  const waiting = new Map<number, Message[]>();
  const counts = {
    sent: 0,
    received: 0,
    /** Messages that were not done with, and stayed out of sight until they came back. */
    parked: 0,
    /** How often one message was received at most. */
    mostReceives: 0,
  };

  function add(message: Message, at: number) {
    const others = waiting.get(at);
    if (others === undefined) waiting.set(at, [message]);
    else others.push(message);
  }
  const nextAt = () => Math.min(...waiting.keys());

  function put(body: string, delaySeconds = 0) {
    add({ messageId: `message ${++counts.sent}`, body, receives: 0 }, clock.now + delaySeconds * second);
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
    bodies: () => [...waiting.values()].flatMap((messages) => messages.map(({ body }) => body)),
    /** Hands over what can be received by now. What is not said to be done with comes back after the visibility timeout. */
    async receive(
      most: number,
      work: (messages: readonly ReceivedMessage[]) => Promise<readonly string[]>,
    ): Promise<void> {
      const batch: Message[] = [];
      while (batch.length < most && nextAt() <= clock.now) {
        const at = nextAt();
        const some = waiting.get(at) ?? [];
        batch.push(...some.splice(0, most - batch.length));
        if (some.length === 0) waiting.delete(at);
      }
      for (const message of batch) counts.mostReceives = Math.max(counts.mostReceives, ++message.receives);
      counts.received += batch.length;
      const receivedAt = clock.now;
      const notDone = new Set(await work(batch.map((message) => ({ ...message }))));
      const parked = batch.filter(({ messageId }) => notDone.has(messageId));
      counts.parked += parked.length;
      for (const message of parked) add(message, Math.max(clock.now, receivedAt + visibilityMilliseconds));
    },
  };
}
