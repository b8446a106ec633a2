import type { ApiSet } from "../../accounts/account.ts";
import type { UnionAccount } from "../../union/account-secrets.ts";
import type { OutboundCard, PostCards, PostResult } from "../../union/exchange.ts";
import type { DeliveryFailure, StoredCard } from "../life/card.ts";
import type { CardState } from "../life/states.ts";
import type { VendorBreaker } from "./breaker.ts";
import type { WakeUp, WakeUpCard } from "./queue.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import type { PostTiming } from "./timing.ts";
import type { SeenPost, Verdict } from "./verdict.ts";

/** A stage's settings of the delivery. */
export interface DeliverySettings {
  /** Most cards in one post. */
  readonly postSize: number;
  /** Vendors whose cards are posted concurrently. */
  readonly parallelPosts: number;
  /** A card that fails this long after it was accepted is given up. */
  readonly giveUpMilliseconds: number;
  readonly timing: PostTiming;
  /** IANA name of the union's time zone, in which days of play begin. */
  readonly timeZone: string;
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
  /** The number of cards for which this state was recorded, and how many of them took longer than the service objective allows. */
  | { readonly kind: "recorded"; readonly state: CardState; readonly cards: number; readonly delayed: number }
  /** The vendor's circuit breaker opened or closed; or the exchange refuses its credentials, or they cannot be read. */
  | {
      readonly kind: "paused" | "resumed" | "credentialsRefused" | "noCredentials";
      readonly apiSet: ApiSet;
    }
  /** A success does not say what became of some cards. `shape`: names and types of its fields. */
  | { readonly kind: "unknownAnswer"; readonly apiSet: ApiSet; readonly shape: string }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly error: unknown }
  | { readonly kind: "unreadable"; readonly messages: number }
  /** When the oldest card that is to be tried later was accepted. */
  | { readonly kind: "waiting"; readonly oldestAt: number };

/** The table, the queue, the exchange and the clock that a delivery uses. */
export interface DeliveryDependencies {
  readonly settings: DeliverySettings;
  readonly table: Pick<ScorecardTable, "tryRead" | "tryWrite" | "writeBreaker">;
  /** @throws CredentialsUnavailableError */
  readonly account: (apiSet: ApiSet) => Promise<UnionAccount>;
  readonly forgetAccount: (apiSet: ApiSet) => void;
  readonly post: PostCards;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
  readonly random: () => number;
  readonly report: (event: DeliveryEvent) => void;
}

/** State that an execution environment keeps between runs. It may be lost at any time. */
export interface DeliveryMemory {
  /** The array size of each vendor's posts. */
  readonly sizes: Map<ApiSet, number>;
  /**
   * Vendors whose breaker was open when it was last read, and known to delay cards of the day: it is read again before their cards.
   */
  readonly paused: Set<ApiSet>;
  /** What the posts of each vendor have shown, the latest last. */
  readonly seen: Map<ApiSet, SeenPost[]>;
}

/*
 * The phases of a card in a run: it is read and due, posted, judged by the answer, and recorded. Each step takes the cards of the
 * phase before, so a card is never recorded before it was judged, nor posted and forgotten. A card that failed in an array is due
 * again.
 */

/** A card that waits for its post, as it was read. */
export interface Due {
  readonly phase: "due";
  readonly wakeUp: WakeUpCard;
  readonly card: StoredCard;
  readonly readAt: number;
  /** It has its outcome already, and is posted once more. */
  readonly isRepost: boolean;
  /** Set if the exchange may have it by a post, of this run or of one that died, which is not recorded yet. */
  readonly unrecorded?: { readonly failure?: DeliveryFailure } | undefined;
}

/** A card that was posted. `failure`: why the answer does not show it; absent if it does. */
export interface Posted {
  readonly phase: "posted";
  readonly due: Due;
  readonly failure?: DeliveryFailure | undefined;
}

/** What a run has learned about one card. */
export type CardResult =
  /** `conflict`: a 409 said so. The exchange has the card, but perhaps not in this content. */
  | { readonly kind: "delivered"; readonly conflict?: DeliveryFailure | undefined }
  /** The card failed alone, beside others that went through. */
  | {
      readonly kind: "failed";
      readonly failure: DeliveryFailure;
      readonly verdict: Exclude<Verdict, { readonly kind: "unwitnessed" }>;
      /** Milliseconds until the next attempt at the latest, if the card is suspected. */
      readonly wait: number;
    }
  /** The card failed, and that may be the exchange's fault. `wait`: as above, if it was posted alone. */
  | { readonly kind: "outage"; readonly failure: DeliveryFailure; readonly wait?: number | undefined }
  /** A second post failed. The card stays delivered, and is posted once more later. */
  | { readonly kind: "postponed"; readonly failure: DeliveryFailure }
  /** Nothing but what `unrecorded` says. */
  | { readonly kind: "noted" };

/** A card with what the run has learned about it. */
export interface Judged {
  readonly phase: "judged";
  readonly due: Due;
  readonly result: CardResult;
}

/** One run's work for one vendor: what it knows, and its cards that are not posted yet. */
export interface VendorRun {
  readonly apiSet: ApiSet;
  /** `unavailable`: why the account cannot be read. */
  readonly account: UnionAccount | { readonly unavailable: string };
  readonly dependencies: DeliveryDependencies;
  readonly memory: DeliveryMemory;
  readonly now: () => number;
  /** Milliseconds that the run has left. */
  readonly remaining: () => number;
  readonly beganAt: number;
  /** The union's day on which the run began. */
  readonly today: string;
  readonly breaker: VendorBreaker;
  /** Wake-ups of the cards to be tried later. */
  readonly later: WakeUp[];
  readonly unread: WakeUpCard[];
  /** Cards whose version is not stored yet; the run reads them again in the end, after `rereads`. */
  readonly unstored: WakeUpCard[];
  readonly rereads: number[];
  readonly ready: Due[];
  readonly suspects: Due[];
  /** When cards were accepted that wait for another attempt. */
  readonly waitingSince: number[];
}
