import { setTimeout as delay } from "node:timers/promises";
import type { ApiSet } from "../account/api-set.ts";
import { correctionTimes } from "../delivery/correction-times.ts";
import { ProblemError, problem, tryAgain } from "../problem/problem.ts";
import type { CardHistory, DeliveryRecord, ScorecardTable, StoredCard } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import { busyAsProblem } from "./busy-as-problem.ts";
import { nextRevision } from "./revision.ts";

/** What withdrawing needs from outside. */
export interface WithdrawalParts {
  readonly cards: Pick<ScorecardTable, "read" | "putCards">;
  readonly now: () => Date;
  /** How long a correction stays out of sight. */
  readonly correctionDelaySeconds: number;
}

const notRead = "What became of the card could not be read.";
const pollMilliseconds = 500;
/** API Gateway gives an answer 29 seconds. */
const longestWaitMilliseconds = 25_000;
/** A planned attempt may come early by less than this. */
const earlyMilliseconds = 1000;

/**
 * Withdraws a card that has not been delivered.
 *
 * The withdrawal is stored first, so that no later run posts the card. A run that looked before that may still be
 * posting it; so this waits until the exchange has had its say, or no such run can be under way any more.
 *
 * @throws ProblemError 404 where there is no such card, 409 where the exchange has had its say, 503 where that
 * cannot be told in time
 */
export function createWithdrawal({ cards: table, now, correctionDelaySeconds }: WithdrawalParts) {
  const { storingMilliseconds, deliveringMilliseconds } = correctionTimes(correctionDelaySeconds);

  async function historyOf(apiSet: ApiSet, externalId: string): Promise<CardHistory<StoredCard>> {
    return (await busyAsProblem(notRead, table.read(apiSet, [externalId]))).get(externalId) ?? {};
  }

  /** Stores the withdrawal; resolves to the time from which no run finds the card any more. */
  async function store(card: StoredCard): Promise<number> {
    const revision = nextRevision(card.revision, "withdrawn");
    const withdrawal = { ...card, revision, acceptedAt: now().getTime(), withdraws: card.revision };
    const storing = table.putCards([withdrawal], AbortSignal.timeout(storingMilliseconds));
    await busyAsProblem("The withdrawal could not be stored.", storing);
    return now().getTime();
  }

  return async function withdraw(apiSet: ApiSet, externalId: string): Promise<void> {
    const startedAt = now().getTime();
    const { card, delivery } = await historyOf(apiSet, externalId);
    if (card === undefined) {
      throw new ProblemError(problem(404, "No such card", "No card with this ExternalID has been accepted."));
    }
    const revision = card.withdraws ?? card.revision;
    refuseIfSettled(delivery, revision);
    const storedAt = card.withdraws === undefined ? await store(card) : card.acceptedAt + storingMilliseconds;
    const safeAt = lastLook(delivery, revision, storedAt) + deliveringMilliseconds;

    while (now().getTime() < safeAt) {
      if (now().getTime() - startedAt >= longestWaitMilliseconds) {
        const detail = "The card is withdrawn, but a delivery that began before may still be under way.";
        throw new ProblemError(tryAgain(detail), { headers: { "Retry-After": "5" } });
      }
      await delay(Math.min(pollMilliseconds, Math.max(1, safeAt - now().getTime())));
      refuseIfSettled((await historyOf(apiSet, externalId)).delivery, revision);
    }
    refuseIfSettled((await historyOf(apiSet, externalId)).delivery, revision);
  };
}

/**
 * When a run can have found the card due for the last time: before the withdrawal was stored; or, where the next
 * attempt was planned for later, before the last one was recorded.
 */
function lastLook(delivery: DeliveryRecord | undefined, revision: string, storedAt: number): number {
  const planned = delivery?.revision === revision && delivery.state === "retrying";
  const next = planned ? (delivery.nextAttemptAt ?? 0) : 0;
  return next - earlyMilliseconds > storedAt ? (delivery?.since ?? storedAt) : storedAt;
}

function refuseIfSettled(delivery: DeliveryRecord | undefined, revision: string): void {
  if (delivery === undefined || delivery.revision !== revision || !isFinal(delivery.state)) return;
  const detail =
    delivery.state === "delivered"
      ? "The card has been delivered to the exchange. Send a correction instead."
      : "The exchange has refused the card already; there is nothing to withdraw.";
  throw new ProblemError(problem(409, "Too late to withdraw", detail));
}
