import type { ApiSet } from "../accounts/api-set.ts";
import type { ScorecardTable } from "../dynamodb/scorecards.ts";
import type { UnionAccount } from "../union/account.ts";
import type { OutboundCard, PostResult } from "../union/exchange.ts";
import type { CardState } from "./card.ts";
import type { WakeUp } from "./queue.ts";
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
