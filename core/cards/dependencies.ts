import type { ApiSet } from "../accounts/account.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import type { OutboundCard, PostCards, PostResult } from "../union/exchange.ts";
import type { CardState } from "./card.ts";
import type { WakeUp } from "./queue.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import type { PostTiming } from "./timing.ts";

/** A stage's settings of the delivery. */
export interface DeliverySettings {
  /** Most cards in one post. */
  readonly postSize: number;
  /** Vendors whose cards are posted concurrently. */
  readonly parallelPosts: number;
  /** A card that fails this long after it was accepted is given up. */
  readonly giveUpMilliseconds: number;
  readonly timing: PostTiming;
}

/** An event for logs and metrics, without personal data. */
export type DeliveryEvent =
  | {
      readonly kind: "posted";
      readonly apiSet: ApiSet;
      readonly result: PostResult;
      readonly milliseconds: number;
      readonly cards: readonly OutboundCard[];
    }
  /** The number of cards for which this state was recorded. */
  | { readonly kind: "recorded"; readonly state: CardState; readonly cards: number }
  /** The vendor's circuit breaker opened or closed; or its credentials at the union cannot be read. */
  | { readonly kind: "paused" | "resumed" | "noCredentials"; readonly apiSet: ApiSet }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly error: unknown }
  | { readonly kind: "unreadable"; readonly messages: number }
  /** When the oldest card that is to be tried later was accepted, in milliseconds since 1970, UTC. */
  | { readonly kind: "waiting"; readonly oldestAt: number };

/** What delivering needs from outside. */
export interface DeliveryDependencies {
  readonly settings: DeliverySettings;
  readonly table: Pick<ScorecardTable, "read" | "write" | "readWithBreaker" | "writeBreaker">;
  /** @throws CredentialsUnavailableError */
  readonly account: (apiSet: ApiSet) => Promise<UnionAccount>;
  readonly forgetAccount: (apiSet: ApiSet) => void;
  readonly post: PostCards;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (event: DeliveryEvent) => void;
}

/** State that an execution environment keeps between runs. It may be lost at any time. */
export interface DeliveryMemory {
  /** The array size of each vendor's posts. */
  readonly sizes: Map<ApiSet, number>;
  /** Vendors whose breaker was open when it was last read: it is read again before their cards. */
  readonly paused: Set<ApiSet>;
  /** When a card of any vendor was last delivered, in milliseconds since 1970, UTC. */
  wentThroughAt: number;
}
