import type { ApiSet } from "../account/api-set.ts";
import type { CardHistory, DeliveryRecord } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import { messageBackoff } from "./backoff.ts";
import type { DeliveryParts } from "./deliver.ts";
import { recordOf } from "./delivery-record.ts";
import type { KeptMessages } from "./kept-messages.ts";
import { writeMessage } from "./message.ts";
import type { Settled } from "./post-vendor.ts";
import type { DueCard } from "./sort-messages.ts";

/**
 * Records what became of one vendor's cards and keeps the messages of those that are tried again.
 *
 * @param until a correction of one of them may be delivered from then on: nothing is recorded any more, in
 * milliseconds since 1970
 */
export type RecordOutcomes = (
  apiSet: ApiSet,
  settled: readonly Settled<DueCard>[],
  until: number,
  kept: KeptMessages,
) => Promise<void>;

/** A look is held to be true for so long: a record that takes longer is not made without another look. */
const recordingMilliseconds = 500;
const attempts = 4;

/** An outcome to be recorded, and when the card's message is to come back where it does. */
interface Entry {
  readonly card: DueCard;
  readonly record: DeliveryRecord;
  readonly seconds: number;
}

/** Whether another run has recorded what this run's outcome must not undo: a second message of the same card can do that. */
function hasBeenSettled({ queued }: DueCard, { card, delivery }: CardHistory): boolean {
  if (delivery === undefined) return false;
  if (delivery.revision === queued.revision) return isFinal(delivery.state);
  return delivery.revision === card?.revision;
}

/** Makes the function that records outcomes; it remembers when each vendor's cards last went through. */
export function outcomeRecorder({
  settings,
  cards: table,
  sendToDeadLetters,
  now,
  random,
  log,
}: Pick<
  DeliveryParts,
  "settings" | "cards" | "sendToDeadLetters" | "now" | "random" | "log"
>): RecordOutcomes {
  /** So that a card failing alone can be told from an outage. */
  const lastDelivered = new Map<ApiSet, number>();

  /** Those that no other run has settled meanwhile. */
  async function unsettled(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const histories = await table.readRecords(entries.map(({ card }) => card.queued));
    return entries.filter(({ card }, index) => !hasBeenSettled(card, histories[index] ?? {}));
  }

  const put = (entries: readonly Entry[], milliseconds: number) =>
    table.putDeliveries(
      entries.map(({ record }) => record),
      AbortSignal.timeout(Math.max(0, milliseconds)),
    );

  /**
   * Records what is no delivery, and so must not undo another run's: a look and the record right after it, or both
   * again.
   *
   * @returns those that are to come back: tried again later, or not recorded
   */
  async function recordFailures(
    apiSet: ApiSet,
    entries: readonly Entry[],
    until: number,
  ): Promise<readonly Entry[]> {
    let standing = await setAside(apiSet, entries);
    const kept = entries.filter((entry) => !standing.includes(entry));
    for (let attempt = 0; attempt < attempts && now().getTime() < until; attempt++) {
      const lookedAt = now().getTime();
      try {
        standing = await unsettled(standing);
        const at = now().getTime();
        await put(standing, Math.min(until, lookedAt + recordingMilliseconds) - at);
        return [...kept, ...standing.filter(({ record }) => record.state === "retrying")];
      } catch {
        // Refused, or too late after the look.
      }
    }
    log({ message: "outcomes could not be recorded", apiSet, cards: standing.length });
    return [...kept, ...standing];
  }

  /** @returns those that are to come back: an outcome that is not recorded did not happen */
  async function recordDeliveries(
    apiSet: ApiSet,
    entries: readonly Entry[],
    until: number,
  ): Promise<readonly Entry[]> {
    try {
      await put(entries, until - now().getTime());
      return [];
    } catch {
      log({ message: "outcomes could not be recorded", apiSet, cards: entries.length });
      return entries;
    }
  }

  /** Those without the given-up ones, unless these could be put where an operator finds them. */
  async function setAside(apiSet: ApiSet, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const givenUp = entries.filter(({ record }) => record.state === "undelivered");
    if (givenUp.length === 0) return entries;
    try {
      await sendToDeadLetters(givenUp.map(({ card: { queued } }) => writeMessage(queued, [queued])));
      log({ message: "cards were given up", apiSet, cards: givenUp.length });
      return entries;
    } catch {
      return entries.filter((entry) => !givenUp.includes(entry));
    }
  }

  return async (apiSet, settled, until, kept) => {
    const at = now().getTime();
    if (settled.some(({ outcome }) => outcome.kind === "delivered")) lastDelivered.set(apiSet, at);

    const backoff = messageBackoff(settings.backoffCapSeconds, random);
    const entries = settled.flatMap(({ card, outcome }) => {
      if (outcome.kind === "untouched") {
        kept.keep(card, 0);
        return [];
      }
      const seconds = Math.max(backoff(card), outcome.kind === "retry" ? (outcome.afterSeconds ?? 0) : 0);
      const record = recordOf(card, outcome, {
        at,
        nextAttemptAt: at + seconds * 1000,
        giveUpMilliseconds: settings.giveUpMilliseconds,
        othersWentThrough: (lastDelivered.get(apiSet) ?? 0) > (card.previous?.since ?? card.sentAt),
      });
      return [{ card, record, seconds }];
    });

    const delivered = entries.filter(({ record }) => record.state === "delivered");
    const others = entries.filter((entry) => !delivered.includes(entry));
    const back = await Promise.all([
      delivered.length > 0 ? recordDeliveries(apiSet, delivered, until) : [],
      others.length > 0 ? recordFailures(apiSet, others, until) : [],
    ]);
    for (const { card, record, seconds } of back.flat()) {
      kept.keep(card, record.state === "retrying" ? seconds : undefined);
    }
  };
}
