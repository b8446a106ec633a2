import type { ApiSet } from "../accounts/api-set.ts";
import { isFinal, type StoredCard } from "../delivery/card.ts";
import { overdue, type PostTiming } from "../delivery/timing.ts";
import type { ScorecardTable } from "../dynamodb/scorecards.ts";
import { conflict, orUnavailable, RefusalError, unavailable } from "../refusal.ts";
import { type EnqueueDependencies, enqueue } from "./enqueue.ts";
import { nextVersion, withoutWaiting } from "./plan.ts";

/** What sending cards on again needs from outside. */
export interface ResendDependencies extends EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "read" | "write">;
  readonly timing: PostTiming;
}

/** Sends given-up cards on again, as a new version of the same content. @returns how many; others were changed meanwhile */
export async function resend(
  cards: readonly StoredCard[],
  dependencies: ResendDependencies,
): Promise<number> {
  const { now, timing } = dependencies;
  const changes = cards.map((card) => {
    const { requestId } = card;
    return nextVersion(card, { now: now().getTime(), requestId, timing });
  });
  const results = await enqueue(changes, dependencies);
  return results.filter((result) => result === "written").length;
}

const notTried = "The card could not be sent on.";

/**
 * Has a card tried at once that waits or was given up.
 *
 * @throws RefusalError `noSuchCard`, `conflict` if there is nothing to deliver, `unavailable` if it could not be sent on
 */
export async function deliverNow(
  apiSet: ApiSet,
  externalId: string,
  dependencies: ResendDependencies,
): Promise<void> {
  const { table, send, now } = dependencies;
  const [card] = await orUnavailable(notTried, table.read([{ apiSet, externalId }]));
  if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
  const { state, version } = card;
  if (state === "undelivered") {
    const sent = await orUnavailable(notTried, resend([card], dependencies));
    if (sent === 0) throw unavailable("The card was changed meanwhile.");
    return;
  }
  // Its first wake-up is on the way.
  if (state === "queued" && now().getTime() - card.since <= overdue) return;
  if (isFinal(state)) throw conflict("Nothing to deliver", nothingToDeliver[state] ?? "");
  // Its own wake-up comes later all the same, so that nothing is lost if this one is not sent.
  await orUnavailable(notTried, table.write([withoutWaiting(card, now().getTime())]));
  const wakeUp = { apiSet, externalId, version, madeAt: now().getTime(), delaySeconds: 0 };
  await orUnavailable(notTried, send([wakeUp]));
}

const nothingToDeliver: Partial<Record<StoredCard["state"], string>> = {
  delivered: "The card has been delivered. Send a correction if it is wrong.",
  rejected:
    "The exchange refused the card, and would refuse it again. Send a correction; `lastError` says what is wrong.",
  withdrawn: "The card was withdrawn. Submit it again to have it delivered.",
};
