import type { DeliveryRecord } from "../store/scorecard-table.ts";
import type { DeliveryFailure, EarlierOutcome } from "../tracking/state.ts";
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

/** Whether the exchange may have taken a card all the same: it did not answer, or its echo did not hold the card. */
function mayHaveTaken({ stage, status }: DeliveryFailure): boolean {
  return stage === "during" || (stage === "after" && status === undefined);
}

/** The failure that a vendor is told. That the exchange may have the card stays true where it has seen nothing since. */
function failureToTell(latest: DeliveryFailure, earlier: DeliveryFailure | undefined): DeliveryFailure {
  return latest.stage === "before" && earlier !== undefined && mayHaveTaken(earlier) ? earlier : latest;
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
  const failed = { ...record, failure: failureToTell(outcome.failure, before?.failure) };
  if (outcome.kind === "rejected") return { ...failed, state: "rejected" };
  const aloneFailures = record.aloneFailures + (outcome.alone && othersWentThrough ? 1 : 0);
  if (aloneFailures >= aloneFailuresLimit) return { ...failed, aloneFailures, state: "rejected" };
  if (at - acceptedAt >= giveUpMilliseconds) return { ...failed, aloneFailures, state: "undelivered" };
  return { ...failed, aloneFailures, state: "retrying", nextAttemptAt };
}
