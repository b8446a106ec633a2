import type { ApiSet } from "../../core/account/api-set.ts";
import type { DeliveryParts } from "../../core/delivery/deliver.ts";
import type { ReceivedMessage } from "../../core/delivery/sort-messages.ts";
import type { DeliveryRecord, ScorecardTable } from "../../core/store/scorecard-table.ts";
import { CredentialsUnavailable, type UnionAccount } from "../../core/union/account.ts";
import type { PostCards, PostResult } from "../../core/union/exchange.ts";
import { log } from "../log.ts";
import type { Figures, MetricName } from "../metrics.ts";

const counted: Record<DeliveryRecord["state"], MetricName> = {
  delivered: "CardsDelivered",
  rejected: "CardsRejected",
  retrying: "CardsRetrying",
  undelivered: "CardsUndelivered",
};

/** Whether the exchange itself is at fault: it did not answer, or not as one that works. */
function failed(result: PostResult): boolean {
  return result.stage !== "after" || result.status >= 500 || result.status === 408 || result.status === 429;
}

/**
 * Posts and measures: how long the exchange took, whether it failed, whether it refused the credentials; and leaves
 * in the log which requests of the vendor's were in the post.
 */
export function measuredPosts(post: PostCards, figures: Figures, now: () => Date): DeliveryParts["post"] {
  return async (apiSet, account, cards) => {
    const beganAt = now().getTime();
    const result = await post(account, cards);
    const milliseconds = now().getTime() - beganAt;
    const status = result.stage === "after" ? result.status : 0;
    const by = { apiSet };
    figures.add({ ExchangeLatency: milliseconds, ExchangeFailures: failed(result) ? 1 : 0 }, by);
    if (status === 401 || status === 403) figures.add({ CredentialsRefused: 1 }, by);
    log({
      message: "posted to the exchange",
      ...by,
      stage: result.stage,
      status,
      milliseconds,
      cards: cards.length,
      requestIds: [...new Set(cards.flatMap(({ requestId }) => requestId ?? []))],
    });
    return result;
  };
}

/** Reads a vendor's credentials, and counts those that cannot be had. */
export function measuredAccounts(
  account: (apiSet: ApiSet) => Promise<UnionAccount>,
  figures: Figures,
): (apiSet: ApiSet) => Promise<UnionAccount> {
  return async (apiSet) => {
    try {
      return await account(apiSet);
    } catch (error) {
      if (error instanceof CredentialsUnavailable) figures.add({ CredentialsRefused: 1 }, { apiSet });
      throw error;
    }
  };
}

/** Records outcomes, and counts them once they are recorded. */
export function measuredOutcomes(
  { putDeliveries, putParcels }: Pick<ScorecardTable, "putDeliveries" | "putParcels">,
  figures: Figures,
): Pick<ScorecardTable, "putDeliveries" | "putParcels"> {
  return {
    async putDeliveries(deliveries, signal) {
      await putDeliveries(deliveries, signal);
      const states = Map.groupBy(deliveries, ({ state }) => counted[state]);
      for (const [name, of] of states) figures.add({ [name]: of.length });
    },
    async putParcels(parcels, signal) {
      await putParcels(parcels, signal);
      const cards = parcels.reduce((sum, { cards }) => sum + cards.length, 0);
      if (cards > 0) figures.add({ CardsDelivered: cards });
    },
  };
}

/**
 * Measures how long the oldest card waits that a run leaves in the queue.
 *
 * SQS's own age of the oldest message passes over messages received three times and more, which is all of those
 * that an outage holds up.
 */
export function measureOldest(
  messages: readonly ReceivedMessage[],
  kept: readonly string[],
  figures: Figures,
  now: () => Date,
): void {
  const left = new Set(kept);
  const sent = messages.filter(({ messageId }) => left.has(messageId)).map(({ sentAt }) => sentAt);
  if (sent.length > 0) figures.add({ OldestCardAge: (now().getTime() - Math.min(...sent)) / 1000 });
}
