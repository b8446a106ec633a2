import pMap from "p-map";
import { deliverVendor } from "./deliver-vendor.ts";
import type { DeliveryDependencies, DeliveryMemory } from "./dependencies.ts";
import { type ReceivedMessage, readMessages, type WakeUpCard } from "./queue.ts";

/**
 * Makes the function that delivers the cards which a batch of messages names.
 *
 * It reads each card and does what its item says, so a message may come twice, late or out of order. What is to be tried later
 * goes back to the queue as a new message before the old one is done with. Each vendor's cards go by themselves, several
 * vendors at a time, so that one vendor's failing posts do not delay another's.
 *
 * @returns a function from messages, and the milliseconds left, to the IDs of those that are not done with: they come back
 *   after the queue's visibility timeout
 */
export function createDelivery(dependencies: DeliveryDependencies) {
  const { settings, send, report } = dependencies;
  const memory: DeliveryMemory = { sizes: new Map(), wentThroughAt: 0 };

  return async function deliver(
    messages: readonly ReceivedMessage[],
    remaining: () => number,
  ): Promise<string[]> {
    const { vendors, unreadable } = readMessages(messages);
    if (unreadable.length > 0) report({ kind: "unreadable", messages: unreadable.length });
    const notDone = new Set(unreadable);
    let oldestAt = Number.POSITIVE_INFINITY;
    const waitsSince = (cards: readonly WakeUpCard[]) => {
      for (const { madeAt } of cards) oldestAt = Math.min(oldestAt, madeAt);
    };
    await pMap(
      vendors,
      async ([apiSet, wakeUps]) => {
        try {
          const later = await deliverVendor(apiSet, wakeUps, dependencies, memory, remaining);
          if (later.length > 0) await send(later);
          waitsSince(later.filter(({ mark }) => mark !== "repost"));
        } catch (error) {
          report({ kind: "failed", apiSet, error });
          for (const id of wakeUps.flatMap(({ messageIds }) => messageIds)) notDone.add(id);
          waitsSince(wakeUps);
        }
      },
      { concurrency: settings.parallelPosts },
    );
    if (oldestAt < Number.POSITIVE_INFINITY) report({ kind: "waiting", oldestAt });
    return [...notDone];
  };
}
