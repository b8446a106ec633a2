import type { DeliveryRecord } from "../store/scorecard-table.ts";
import type { EarlierOutcome } from "../tracking/state.ts";
import type { Outcome } from "./post-vendor.ts";
import type { DueCard } from "./sort-messages.ts";

/**
 * A card that alone keeps breaking the exchange is rejected after so many posts: so many that an exchange which fails
 * three times in ten by chance rejects one good card in 15,000 at worst, and so few that a bad one is known in minutes.
 */
const aloneFailuresLimit = 8;
const earlierOutcomesKept = 10;

/** What a record depends on besides the outcome. */
export interface RecordContext {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly nextAttemptAt: number;
  readonly giveUpMilliseconds: number;
  /** Whether other cards of the vendor were delivered since this one's last attempt. */
  readonly othersWentThrough: boolean;
}

/** The outcomes of a card's earlier revisions, the latest last. */
function earlierOutcomes({ queued, previous }: DueCard): readonly EarlierOutcome[] | undefined {
  if (previous === undefined || previous.revision === queued.revision) return previous?.earlier;
  const { revision, state, since } = previous;
  return [...(previous.earlier ?? []), { revision, state, at: since }].slice(-earlierOutcomesKept);
}

/**
 * The delivery item that an outcome leads to.
 *
 * A card whose time is up is `undelivered`; one that alone keeps getting 500 while others go through is `rejected`.
 */
export function recordOf(
  card: DueCard,
  outcome: Extract<Outcome, { kind: "delivered" | "rejected" | "retry" }>,
  { at, nextAttemptAt, giveUpMilliseconds, othersWentThrough }: RecordContext,
): DeliveryRecord {
  const { apiSet, externalId, revision, acceptedAt } = card.queued;
  const before = card.previous?.revision === revision ? card.previous : undefined;
  const posted = outcome.kind !== "retry" || outcome.posted;
  const record: Omit<DeliveryRecord, "state"> = {
    apiSet,
    externalId,
    revision,
    attempts: (before?.attempts ?? 0) + (posted ? 1 : 0),
    aloneFailures: before?.aloneFailures ?? 0,
    since: at,
    earlier: earlierOutcomes(card),
  };
  if (outcome.kind === "delivered") return { ...record, state: "delivered" };
  const failed = { ...record, failure: outcome.failure };
  if (outcome.kind === "rejected") return { ...failed, state: "rejected" };
  const aloneFailures = record.aloneFailures + (outcome.alone && othersWentThrough ? 1 : 0);
  if (aloneFailures >= aloneFailuresLimit) return { ...failed, aloneFailures, state: "rejected" };
  if (at - acceptedAt >= giveUpMilliseconds) return { ...failed, aloneFailures, state: "undelivered" };
  return { ...failed, aloneFailures, state: "retrying", nextAttemptAt };
}
