import { setTimeout as delay } from "node:timers/promises";
import type { ApiSet } from "../account/api-set.ts";
import { ProblemError, problem, tryAgain } from "../problem/problem.ts";
import type { CardHistory, DeliveryRecord, ScorecardTable, StoredCard } from "../store/scorecards.ts";
import { isFinal } from "../tracking/state.ts";
import { nextRevision } from "./revision.ts";

/** What withdrawing needs from outside. */
export interface WithdrawalParts {
  readonly cards: Pick<ScorecardTable, "read" | "putCards">;
  readonly now: () => Date;
  /** Longer than a delivery can be under way after it last looked at what is stored. */
  readonly correctionDelaySeconds: number;
}

const pollMilliseconds = 500;
/** API Gateway gives an answer 29 seconds. */
const longestWaitMilliseconds = 25_000;

/**
 * Withdraws a card that has not been delivered.
 *
 * The withdrawal is stored first, so that no later run posts the card. A run that looked before that may still be
 * posting it; so this waits for that run's outcome, or for as long as such a run can last.
 *
 * @throws ProblemError 404 where there is no such card, 409 where the exchange has had its say, 503 where that
 * cannot be told in time
 */
export function createWithdrawal({ cards: table, now, correctionDelaySeconds }: WithdrawalParts) {
  async function historyOf(apiSet: ApiSet, externalId: string): Promise<CardHistory<StoredCard>> {
    return (await table.read(apiSet, [externalId])).get(externalId) ?? {};
  }

  return async function withdraw(apiSet: ApiSet, externalId: string): Promise<void> {
    const { card, delivery } = await historyOf(apiSet, externalId);
    if (card === undefined) {
      throw new ProblemError(problem(404, "No such card", "No card with this ExternalID has been accepted."));
    }
    refuseIfSettled(delivery, card.withdraws ?? card.revision);
    if (card.withdraws !== undefined) return;

    const withdrawnAt = now().getTime();
    const revision = nextRevision(card.revision, "withdrawn");
    await table.putCards([{ ...card, revision, acceptedAt: withdrawnAt, withdraws: card.revision }]);
    if ((delivery?.nextAttemptAt ?? 0) > now().getTime()) return;

    for (;;) {
      await delay(pollMilliseconds);
      const { delivery: outcome } = await historyOf(apiSet, externalId);
      refuseIfSettled(outcome, card.revision);
      const runEnded = outcome !== undefined && outcome.since > withdrawnAt;
      const waited = now().getTime() - withdrawnAt;
      if (runEnded || waited >= correctionDelaySeconds * 1000) return;
      if (waited >= longestWaitMilliseconds) {
        const detail = "The card is withdrawn, but a delivery that began before may still be under way.";
        throw new ProblemError(tryAgain(detail), { headers: { "Retry-After": "10" } });
      }
    }
  };
}

function refuseIfSettled(delivery: DeliveryRecord | undefined, revision: string): void {
  if (delivery === undefined || delivery.revision !== revision || !isFinal(delivery.state)) return;
  const detail =
    delivery.state === "delivered"
      ? "The card has been delivered to the exchange. Send a correction instead."
      : "The exchange has refused the card already; there is nothing to withdraw.";
  throw new ProblemError(problem(409, "Too late to withdraw", detail));
}
