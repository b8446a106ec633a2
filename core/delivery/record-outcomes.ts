import type { ApiSet } from "../account/api-set.ts";
import { retryDelaySeconds } from "./backoff.ts";
import type { DeliveryParts } from "./deliver.ts";
import { recordOf } from "./delivery-record.ts";
import type { KeptMessages } from "./kept-messages.ts";
import type { Settled } from "./post-vendor.ts";
import type { DueCard } from "./sort-messages.ts";

/** Records what became of one vendor's cards and keeps the messages of those that are tried again. */
export type RecordOutcomes = (
  apiSet: ApiSet,
  settled: readonly Settled<DueCard>[],
  kept: KeptMessages,
) => Promise<void>;

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

  return async (apiSet, settled, kept) => {
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

    const givenUp = entries.filter(({ record }) => record.state === "undelivered");
    const others = entries.filter(({ record }) => record.state !== "undelivered");
    const setAside = givenUp.length === 0 || (await putAside(givenUp.map(({ card }) => card)));
    const recorded = setAside ? entries : others;
    try {
      await table.putDeliveries(recorded.map(({ record }) => record));
    } catch {
      // An outcome that is not recorded did not happen: the card is posted again, with the same ID.
      for (const { card } of recorded) kept.keep(card);
      log({ message: "outcomes could not be recorded", apiSet, cards: recorded.length });
    }
    for (const { card, record, seconds } of recorded) {
      if (record.state === "retrying") kept.keep(card, seconds);
    }

    async function putAside(cards: readonly DueCard[]): Promise<boolean> {
      try {
        await sendToDeadLetters(cards.map(({ body }) => body));
        log({ message: "cards were given up", apiSet, cards: cards.length });
        return true;
      } catch {
        for (const card of cards) kept.keep(card);
        return false;
      }
    }
  };
}
