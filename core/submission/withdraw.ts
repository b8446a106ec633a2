import type { ApiSet } from "../account/api-set.ts";
import { correctionTimes } from "../delivery/correction-times.ts";
import { earlyMilliseconds } from "../delivery/sort-messages.ts";
import { notNow, ProblemError, problem } from "../problem/problem.ts";
import type { CardHistory, DeliveryRecord, ScorecardTable, StoredCard } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import { busyAsProblem } from "./busy-as-problem.ts";
import { nextRevision } from "./revision.ts";

/** What withdrawing needs from outside. */
export interface WithdrawalParts {
  readonly cards: Pick<ScorecardTable, "read" | "putCards">;
  readonly now: () => Date;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** How long a correction stays out of sight. */
  readonly correctionDelaySeconds: number;
}

const sentAgain =
  "The card came in with other content while it was being withdrawn, and that will be delivered. Ask again to withdraw it.";
const notRead = "What became of the card could not be read.";
const pollMilliseconds = 500;
/** API Gateway gives an answer 29 seconds. */
const longestWaitMilliseconds = 25_000;
/** A planned attempt comes early by less than this. */
const marginMilliseconds = 2 * earlyMilliseconds;

/**
 * Withdraws a card that has not been delivered.
 *
 * The withdrawal is stored first, so that no later run posts the card. A run that looked before that may still be
 * posting it; so this waits until the exchange has had its say, or no such run can be under way any more.
 *
 * @throws ProblemError 404 where there is no such card, 409 where the exchange has had its say or the card was sent again
 * meanwhile, 503 where that cannot be told in time
 */
export function createWithdrawal({ cards: table, now, wait, correctionDelaySeconds }: WithdrawalParts) {
  const { storingMilliseconds, deliveringMilliseconds } = correctionTimes(correctionDelaySeconds);

  async function historyOf(apiSet: ApiSet, externalId: string): Promise<CardHistory<StoredCard>> {
    return (await busyAsProblem(notRead, table.read(apiSet, [externalId]))).get(externalId) ?? {};
  }

  /** Stores the withdrawal; resolves to the time from which no run finds the card any more. */
  async function store(card: StoredCard, revision: string): Promise<number> {
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
    const isWithdrawn = card.withdraws !== undefined;
    const withdrawal = isWithdrawn ? card.revision : nextRevision(card.revision, "withdrawn");
    const storedAt = isWithdrawn ? card.acceptedAt + storingMilliseconds : await store(card, withdrawal);
    const safeAt = lastLook(delivery, revision, storedAt, deliveringMilliseconds) + deliveringMilliseconds;

    const refuseIfOvertaken = async () => {
      const latest = await historyOf(apiSet, externalId);
      refuseIfSettled(latest.delivery, revision);
      if (latest.card?.revision !== withdrawal) throw new ProblemError(problem(409, "Sent again", sentAgain));
    };
    while (now().getTime() < safeAt) {
      if (now().getTime() - startedAt >= longestWaitMilliseconds) {
        throw notNow("The card is withdrawn, but a delivery that began before may still be under way.");
      }
      await wait(Math.min(pollMilliseconds, Math.max(1, safeAt - now().getTime())));
      await refuseIfOvertaken();
    }
    await refuseIfOvertaken();
  };
}

/**
 * When a run can have found the card due for the last time: before the withdrawal was stored; or, where the next
 * attempt was planned for later, before the last one was recorded, which is some time after it was made.
 *
 * @param recordingMilliseconds from an attempt to its record, at the most
 */
function lastLook(
  delivery: DeliveryRecord | undefined,
  revision: string,
  storedAt: number,
  recordingMilliseconds: number,
): number {
  if (delivery?.revision !== revision || delivery.state !== "retrying") return storedAt;
  const isPlanned = (delivery.nextAttemptAt ?? 0) - marginMilliseconds > storedAt;
  return isPlanned ? Math.min(storedAt, delivery.since + recordingMilliseconds) : storedAt;
}

function refuseIfSettled(delivery: DeliveryRecord | undefined, revision: string): void {
  if (delivery === undefined || delivery.revision !== revision || !isFinal(delivery.state)) return;
  const detail =
    delivery.state === "delivered"
      ? "The card has been delivered to the exchange. Send a correction instead."
      : "The exchange has refused the card already; there is nothing to withdraw.";
  throw new ProblemError(problem(409, "Too late to withdraw", detail));
}
