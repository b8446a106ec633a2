import type { ApiSet } from "../account/api-set.ts";
import type { CardHistory, DeliveryRecord } from "../store/scorecards.ts";
import { isFinal } from "../tracking/state.ts";
import { retryDelaySeconds } from "./backoff.ts";
import type { DeliveryParts } from "./deliver.ts";
import { recordOf } from "./delivery-record.ts";
import type { KeptMessages } from "./kept-messages.ts";
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

/** An outcome to be recorded, and when the card's message is to come back where it does. */
interface Entry {
  readonly card: DueCard;
  readonly record: DeliveryRecord;
  readonly seconds: number;
}

/** Whether another run has recorded what this run's outcome must not undo: a second message of the same card can do that. */
function hasBeenSettled({ message }: DueCard, { card, delivery }: CardHistory): boolean {
  if (delivery === undefined) return false;
  if (delivery.revision === message.revision) return isFinal(delivery.state);
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

  /** Those that no other run has settled meanwhile; a delivery needs no second look, since nothing outdoes it. */
  async function unsettled(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const doubtful = entries.filter(({ record }) => record.state !== "delivered");
    if (doubtful.length === 0) return entries;
    const histories = await table.readRecords(doubtful.map(({ card }) => card.message));
    const settled = new Set(
      doubtful.filter(({ card }, index) => hasBeenSettled(card, histories[index] ?? {})),
    );
    return entries.filter((entry) => !settled.has(entry));
  }

  /** Those without the given-up ones, unless these could be put where an operator finds them. */
  async function setAside(apiSet: ApiSet, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const givenUp = entries.filter(({ record }) => record.state === "undelivered");
    if (givenUp.length === 0) return entries;
    try {
      await sendToDeadLetters(givenUp.map(({ card }) => card.body));
      log({ message: "cards were given up", apiSet, cards: givenUp.length });
      return entries;
    } catch {
      return entries.filter((entry) => !givenUp.includes(entry));
    }
  }

  return async (apiSet, settled, until, kept) => {
    const at = now().getTime();
    if (settled.some(({ outcome }) => outcome.kind === "delivered")) lastDelivered.set(apiSet, at);

    const entries = settled.flatMap(({ card, outcome }) => {
      if (outcome.kind === "untouched") kept.keep(card, 0);
      if (outcome.kind === "untouched" || outcome.kind === "superseded") return [];
      const backoff = retryDelaySeconds(card.receives, settings.backoffCapSeconds, random());
      const seconds = Math.max(backoff, outcome.kind === "retry" ? (outcome.afterSeconds ?? 0) : 0);
      const record = recordOf(card, outcome, {
        at,
        nextAttemptAt: at + seconds * 1000,
        giveUpMilliseconds: settings.giveUpMilliseconds,
        othersWentThrough: (lastDelivered.get(apiSet) ?? 0) > (card.previous?.since ?? card.sentAt),
      });
      return [{ card, record, seconds }];
    });

    const standing = await unsettled(entries).catch(() => undefined);
    const sure = standing ?? entries.filter(({ record }) => record.state === "delivered");
    const recorded = await setAside(apiSet, sure);
    // What is not recorded comes back, and what is recorded as retrying.
    const back = new Set(standing === undefined ? entries : sure);
    try {
      const records = recorded.map(({ record }) => record);
      await table.putDeliveries(records, AbortSignal.timeout(Math.max(0, until - now().getTime())));
      for (const entry of recorded) if (entry.record.state !== "retrying") back.delete(entry);
    } catch {
      // An outcome that is not recorded did not happen: the card is posted again, with the same ID.
      log({ message: "outcomes could not be recorded", apiSet, cards: recorded.length });
    }
    for (const { card, record, seconds } of back) {
      kept.keep(card, record.state === "retrying" ? seconds : undefined);
    }
  };
}
