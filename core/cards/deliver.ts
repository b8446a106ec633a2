import pMap from "p-map";
import { deliverVendor } from "./deliver-vendor.ts";
import type { DeliveryDependencies, DeliveryMemory } from "./dependencies.ts";
import { type ReceivedMessage, readMessages, type WakeUpCard } from "./queue.ts";

/**
 * Makes the function that delivers the cards which a batch of messages names.
 *
 * The stored card decides what is done, so a message may come twice, late or out of order. Cards to be tried later are sent to
 * the queue in new messages before the old ones are done. Vendors are handled concurrently and independently, so one vendor's
 * failing posts do not delay another's.
 *
 * @returns a function from messages, and the milliseconds left, to the IDs of the messages that failed: the queue hands them
 *   over again after its visibility timeout
 */
export function createDelivery(dependencies: DeliveryDependencies) {
  const { settings, send, report } = dependencies;
  const memory: DeliveryMemory = { sizes: new Map(), paused: new Set(), wentThroughAt: 0 };

  return async function deliver(
    messages: readonly ReceivedMessage[],
    remaining: () => number,
  ): Promise<string[]> {
    const { vendors, unreadable } = readMessages(messages);
    if (unreadable.length > 0) report({ kind: "unreadable", messages: unreadable.length });
    const failed = new Set(unreadable);
    let oldestAt = Number.POSITIVE_INFINITY;
    const noteOldest = (cards: readonly WakeUpCard[]) => {
      for (const { madeAt } of cards) oldestAt = Math.min(oldestAt, madeAt);
    };
    await pMap(
      vendors,
      async ([apiSet, wakeUps]) => {
        try {
          const later = await deliverVendor(apiSet, wakeUps, dependencies, memory, remaining);
          if (later.length > 0) await send(later);
          noteOldest(later.filter(({ mark }) => mark !== "repost"));
        } catch (error) {
          report({ kind: "failed", apiSet, error });
          for (const id of wakeUps.flatMap(({ messageIds }) => messageIds)) failed.add(id);
          noteOldest(wakeUps);
        }
      },
      { concurrency: settings.parallelPosts },
    );
    if (oldestAt < Number.POSITIVE_INFINITY) report({ kind: "waiting", oldestAt });
    return [...failed];
  };
}
