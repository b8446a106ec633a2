import type { SandboxOutcome } from "../../formats/external-ids.ts";
import type { StoredCard } from "../life/card.ts";
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

/** Whether a post of a card fails, by its outcome; posts of any other outcome succeed. */
const failsPost: { readonly [Outcome in SandboxOutcome]?: (card: StoredCard) => boolean } = {
  // A correction is taken.
  rejected: (card) => sameContentSince(card) === 1,
  // So is a card that was sent on, as after an outage.
  undelivered: ({ version }) => version === 1,
  slow: ({ attempts }) => attempts < failuresOfSlow,
};

function toResult(card: StoredCard, outcome: SandboxOutcome): CardResult {
  if (!failsPost[outcome]?.(card)) return { kind: "delivered" };
  const isRejected = outcome === State.rejected;
  const message = "The exchange refused the card.";
  const failure = { phase: "after", status: isRejected ? 422 : 503, message, isNamed: true } as const;
  const isLast = isRejected && card.attempts >= failuresBeforeRejection;
  const verdict = isLast ? ({ kind: "rejected" } as const) : ({ kind: "suspected", suspicion: 0 } as const);
  return { kind: "failed", failure, verdict, wait: retrying.shortest };
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
