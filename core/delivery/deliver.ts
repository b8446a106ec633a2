import pMap from "p-map";
import type { ApiSet } from "../account/api-set.ts";
import type { ScorecardTable } from "../store/scorecard-table.ts";
import { CredentialsUnavailable, type UnionAccount } from "../union/account.ts";
import type { OutboundCard, PostResult } from "../union/exchange.ts";
import { type ArraySize, arraySize } from "./array-size.ts";
import { messageBackoff } from "./backoff.ts";
import type { CorrectionTimes } from "./correction-times.ts";
import { type KeptMessages, keptMessages } from "./kept-messages.ts";
import { type Outcome, postVendor, type Settled } from "./post-vendor.ts";
import type { Postponement } from "./queue.ts";
import { outcomeRecorder } from "./record-outcomes.ts";
import {
  type DueCard,
  fateOf,
  type ReceivedCard,
  type ReceivedMessage,
  readMessages,
} from "./sort-messages.ts";

/** How cards are delivered; the stage's settings. */
export interface DeliverySettings {
  /** Most cards in one post. */
  readonly postSize: number;
  /** Vendors posted for at the same time. */
  readonly parallelPosts: number;
  readonly postTimeoutMilliseconds: number;
  /** A card is given up so long after it was accepted. */
  readonly giveUpMilliseconds: number;
  /** The longest wait between two attempts. */
  readonly backoffCapSeconds: number;
  readonly correction: CorrectionTimes;
}

/** What delivering needs from outside. */
export interface DeliveryParts {
  readonly settings: DeliverySettings;
  readonly cards: Pick<ScorecardTable, "readRecords" | "putDeliveries" | "putParcels" | "openParcels">;
  /** @throws CredentialsUnavailable */
  readonly account: (apiSet: ApiSet) => Promise<UnionAccount>;
  readonly forgetAccount: (apiSet: ApiSet) => void;
  /** Posts cards of a vendor to the exchange, as its account there. */
  readonly post: (
    apiSet: ApiSet,
    account: UnionAccount,
    cards: readonly OutboundCard[],
  ) => Promise<PostResult>;
  readonly postpone: (postponements: readonly Postponement[]) => Promise<void>;
  readonly sendToDeadLetters: (bodies: readonly string[]) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** What happened in a run, without personal data. */
  readonly log: (event: { readonly message: string } & Record<string, string | number>) => void;
}

/** What recording an outcome usually takes at most; what takes longer is not recorded, and posted again. */
const recordingMilliseconds = 1000;
/** Time that a run keeps for recording what its last post came to. */
const reserveMilliseconds = 3000;

/** A second message of a card in one run is looked at again so much later. */
const twinSeconds = 2;

/** What a run knows of a card since it looked at what is stored of it. */
interface Look {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** The message that the card is delivered for: another one of the same card is nobody's. */
  readonly messageId: string;
}

/**
 * Makes the function that delivers a batch of messages.
 *
 * Each vendor's cards go by themselves, several vendors at a time, so that one's failing posts do not delay
 * another's. Right before each post the stored revisions are known to be fresh enough that a correction, which
 * comes into sight later, cannot be overtaken.
 *
 * @returns a function from messages, and the time left, to the IDs of those that stay in the queue
 */
export function createDelivery(parts: DeliveryParts) {
  const { settings, cards: table, now } = parts;
  const record = outcomeRecorder(parts);
  /** Vendors whom the exchange asked to wait, until when; known to this execution environment only. */
  const pausedUntil = new Map<ApiSet, number>();
  const sizes = new Map<ApiSet, ArraySize>();
  const { storingMilliseconds, deliveringMilliseconds } = settings.correction;
  /** Time to post and to record after the last look at what is stored. */
  const freshMilliseconds = deliveringMilliseconds - settings.postTimeoutMilliseconds - recordingMilliseconds;
  /** Storing is cut off after its time; the double allows for what is on its way by then. */
  const submissionMilliseconds = 2 * storingMilliseconds;

  /** One vendor's cards in one run. */
  async function deliverFor(
    apiSet: ApiSet,
    cards: readonly ReceivedCard[],
    kept: KeptMessages,
    remainingMilliseconds: () => number,
  ): Promise<void> {
    const pause = ((pausedUntil.get(apiSet) ?? 0) - now().getTime()) / 1000;
    if (pause > 0) {
      for (const card of cards) kept.keep(card, pause);
      return;
    }
    const looks = new Map<string, Look>();
    const lookedAt = ({ messageId, queued }: DueCard): number => {
      const look = looks.get(queued.externalId);
      return look?.messageId === messageId ? look.at : 0;
    };
    const oldestLook = (some: readonly DueCard[]) => Math.min(...some.map(lookedAt));

    /** Those that are to be posted; what is not due any more is dropped, what is not stored yet waits. */
    async function due(candidates: readonly DueCard[]): Promise<readonly DueCard[]> {
      const at = now().getTime();
      if (at - oldestLook(candidates) <= freshMilliseconds) return candidates;
      const histories = await table.readRecords(candidates.map(({ queued }) => queued));
      return candidates.flatMap((candidate, index) => {
        const { messageId, queued } = candidate;
        const history = histories[index] ?? {};
        const fate = fateOf(candidate, history, now().getTime(), submissionMilliseconds);
        if (fate.kind === "wait") kept.keep(candidate, fate.seconds);
        if (fate.kind !== "deliver") return [];
        // Of two messages of a card one waits for what becomes of the other, which may be that of a submission which was
        // sent again: once the later one is stored, the earlier one's message is nobody's.
        if ((looks.get(queued.externalId)?.messageId ?? messageId) !== messageId) {
          kept.keep(candidate, twinSeconds);
          return [];
        }
        looks.set(queued.externalId, { at, messageId });
        const { card, delivery: previous } = history;
        const opens =
          previous === undefined && card?.parcel?.revision === queued.revision ? card.parcel.id : undefined;
        return [{ ...candidate, previous, opens }];
      });
    }
    const settled = (some: readonly Settled<DueCard>[]) =>
      record(apiSet, some, oldestLook(some.map(({ card }) => card)) + deliveringMilliseconds, kept);

    const account = await parts.account(apiSet).catch((error: unknown) => {
      if (error instanceof CredentialsUnavailable) return error;
      throw error;
    });
    if (account instanceof CredentialsUnavailable) {
      const failure = { stage: "before", message: account.message } as const;
      const outcome: Outcome = { kind: "retry", failure, posted: false, alone: false };
      parts.log({ message: "no credentials for the exchange", apiSet });
      await settled((await due(cards)).map((card) => ({ card, outcome })));
      return;
    }

    const size = sizes.get(apiSet) ?? arraySize(settings.postSize);
    sizes.set(apiSet, size);
    const stop = await postVendor<DueCard>(cards, {
      externalId: ({ queued }) => queued.externalId,
      size,
      characters: ({ queued }) => queued.card.length,
      due,
      suspected: ({ previous }) => (previous?.aloneFailures ?? 0) > 0,
      attempts: ({ previous }) => previous?.attempts ?? 0,
      post: (array) =>
        parts.post(
          apiSet,
          account,
          array.map(({ queued }) => queued),
        ),
      mayPost: () => remainingMilliseconds() > settings.postTimeoutMilliseconds + reserveMilliseconds,
      settled,
    });
    if (stop === undefined) return;
    const { failure, credentialsRefused, retryAfterSeconds } = stop;
    if (credentialsRefused) parts.forgetAccount(apiSet);
    if (retryAfterSeconds !== undefined) pausedUntil.set(apiSet, now().getTime() + retryAfterSeconds * 1000);
    parts.log({ message: "posting stopped", apiSet, stage: failure.stage, status: failure.status ?? 0 });
  }

  return async function deliver(
    messages: readonly ReceivedMessage[],
    remainingMilliseconds: () => number,
  ): Promise<string[]> {
    const kept = keptMessages();
    const { cards: received, unreadable } = readMessages(messages);
    if (unreadable.length > 0) {
      parts.log({ message: "messages that cannot be read are put aside", messages: unreadable.length });
      await parts.sendToDeadLetters(unreadable.map(({ body }) => body)).catch(() => {
        for (const message of unreadable) kept.keep(message);
      });
    }

    /** What fails for a reason of ours comes back; what was recorded by then is not posted again. */
    const comeBack = (cards: readonly ReceivedCard[]) => (error: unknown) => {
      const backoff = messageBackoff(settings.backoffCapSeconds, parts.random);
      for (const card of cards) kept.keep(card, backoff(card));
      parts.log({ message: "delivery failed", error: error instanceof Error ? error.name : "unknown" });
    };
    await pMap(
      Map.groupBy(received, ({ queued }) => queued.apiSet),
      ([apiSet, cards]) => deliverFor(apiSet, cards, kept, remainingMilliseconds).catch(comeBack(cards)),
      { concurrency: settings.parallelPosts },
    );
    // A message that cannot be postponed comes back at the queue's own time.
    await parts.postpone(kept.postponements).catch(() => undefined);
    return [...kept.ids];
  };
}
