import type { SandboxOutcome } from "../../formats/external-ids.ts";
import type { DeliveryFailure, StoredCard } from "../life/card.ts";
import { State } from "../life/states.ts";
import { wakeUpOf } from "./decide.ts";
import { hasTime, readNext, refresh, waitingCards, wakeAfter } from "./due-cards.ts";
import { sameContentSince } from "./posts.ts";
import type { WakeUp } from "./queue.ts";
import { record } from "./record.ts";
import type { CardResult, DeliveryDependencies, VendorRun } from "./run.ts";
import { postTiming, retrying } from "./timing.ts";

/*
 * Cards whose ExternalID forces an outcome are read, claimed, recorded and woken up as any other, in runs of their own that see a closed
 * breaker. They are not posted: their results are made here.
 */

/** An undelivered card is given up after this time instead of two days. */
const giveUpMilliseconds = 10_000;
/** Failures of a slow card: with the shortest waits it is delivered after about 15 seconds. */
const failuresOfSlow = 4;
/** Failures before the one that rejects a card. */
const failuresBeforeRejection = 2;

/** The status that a card is refused with; undefined if it is taken. */
function refuse(card: StoredCard, outcome: SandboxOutcome): number | undefined {
  // A correction is taken.
  if (outcome === State.rejected) return sameContentSince(card) === 1 ? 422 : undefined;
  // So is a card that was sent on, as after an outage.
  if (outcome === State.undelivered) return card.version === 1 ? 503 : undefined;
  return outcome === "slow" && card.attempts < failuresOfSlow ? 503 : undefined;
}

function toResult(card: StoredCard, outcome: SandboxOutcome): CardResult {
  const status = refuse(card, outcome);
  if (status === undefined) return { kind: "delivered" };
  const message = "The exchange refused the card.";
  const failure: DeliveryFailure = { phase: "after", status, message, isNamed: true };
  const isRejected = outcome === State.rejected && card.attempts >= failuresBeforeRejection;
  return {
    kind: "failed",
    failure,
    verdict: isRejected ? { kind: "rejected" } : { kind: "suspected", suspicion: 0 },
    wait: retrying.shortest,
  };
}

/** Gives cards their forced outcome in place of posts. @returns the wake-ups of those that are left */
export async function playOutcome(run: VendorRun, outcome: SandboxOutcome): Promise<readonly WakeUp[]> {
  for (;;) {
    await readNext(run);
    const read = [...run.ready.splice(0), ...run.suspects.splice(0)];
    if (read.length === 0) return [];
    const cards = await refresh(run, read);
    if (!hasTime(run)) return wakeAfter(run, 0, [...cards.map(wakeUpOf), ...waitingCards(run)]);
    await record(
      run,
      cards.map((due) => ({ phase: "judged", due, result: toResult(due.card, outcome) })),
    );
  }
}

/** What a run of an outcome uses in place of the vendor's account, its breaker, and the metrics that alarms watch. */
export function sandboxDependencies(
  outcome: SandboxOutcome,
  dependencies: DeliveryDependencies,
): DeliveryDependencies {
  const { settings, table, report } = dependencies;
  const isGivenUp = outcome === State.undelivered;
  return {
    ...dependencies,
    settings: { ...settings, timing: postTiming(1), ...(isGivenUp && { giveUpMilliseconds }) },
    table: {
      ...table,
      tryRead: async (...asked) => ({ ...(await table.tryRead(...asked)), breaker: { version: 0 } }),
    },
    account: async () => ({ username: "", password: "", unionApiSet: "", token: "" }),
    report: (event) => (event.kind === "failed" ? report(event) : undefined),
  };
}
