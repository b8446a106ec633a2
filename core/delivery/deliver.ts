import pMap from "p-map";
import type { ApiSet } from "../account/api-set.ts";
import type { ScorecardTable } from "../store/scorecards.ts";
import type { UnionAccount } from "../union/account.ts";
import type { OutboundCard, PostResult } from "../union/exchange.ts";
import type { CardState } from "./card.ts";
import { deliverVendor } from "./deliver-vendor.ts";
import { type ReceivedMessage, readMessages, type WakeUp, type WakeUpCard } from "./message.ts";
import type { PostTiming } from "./timing.ts";

/** How cards are delivered; the stage's settings. */
export interface DeliverySettings {
  /** Most cards in one post. */
  readonly postSize: number;
  /** Vendors posted for at the same time. */
  readonly parallelPosts: number;
  /** A card that fails once more is given up so long after it was accepted. */
  readonly giveUpMilliseconds: number;
  readonly timing: PostTiming;
}

/** What a run tells for logs and metrics, without personal data. */
export type DeliveryEvent =
  | {
      readonly kind: "posted";
      readonly apiSet: ApiSet;
      readonly result: PostResult;
      readonly milliseconds: number;
      readonly cards: readonly OutboundCard[];
    }
  /** Cards for which this state was recorded. */
  | { readonly kind: "recorded"; readonly state: CardState; readonly cards: number }
  /** The vendor's circuit breaker opened or closed; or its credentials at the union cannot be read. */
  | { readonly kind: "paused" | "resumed" | "noCredentials"; readonly apiSet: ApiSet }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly error: unknown }
  | { readonly kind: "unreadable"; readonly messages: number }
  /** When the oldest of the cards was accepted that are to be tried later, in milliseconds since 1970, UTC. */
  | { readonly kind: "waiting"; readonly oldestAt: number };

/** What delivering needs from outside. */
export interface DeliveryDependencies {
  readonly settings: DeliverySettings;
  readonly table: Pick<ScorecardTable, "read" | "write" | "readBreaker" | "writeBreaker">;
  /** @throws CredentialsUnavailableError */
  readonly account: (apiSet: ApiSet) => Promise<UnionAccount>;
  readonly forgetAccount: (apiSet: ApiSet) => void;
  /** Posts cards to the exchange, as this account there. */
  readonly post: (account: UnionAccount, cards: readonly OutboundCard[]) => Promise<PostResult>;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (event: DeliveryEvent) => void;
}

/** What an execution environment remembers from run to run. Nothing goes wrong if it is lost. */
export interface DeliveryMemory {
  /** How many cards in one post each vendor's posts have coped with of late. */
  readonly sizes: Map<ApiSet, number>;
  /** When a card was last delivered, of any vendor, in milliseconds since 1970, UTC. */
  wentThroughAt: number;
}

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
