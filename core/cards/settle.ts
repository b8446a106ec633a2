import type { CardResult } from "./bisect.ts";
import type { CardChange, StoredCard } from "./card.ts";
import type { WakeUp } from "./queue.ts";
import { type CardUpdate, recordLate, recordOf, recordRepost, resultOf } from "./record.ts";
import { backoff, delaySeconds, repostsUntil } from "./timing.ts";
import type { DueCard, VendorRun } from "./vendor-run.ts";

/** A card with the result of an attempt to post it. */
export interface CardAttempt {
  readonly due: DueCard;
  readonly result: CardResult;
}

interface Unrecorded extends CardAttempt {
  readonly change: CardChange;
}

/** How often a change is tried if other runs change the card first. */
const mostRounds = 4;

const changeOf = ({ apiSet, externalId }: StoredCard, update: CardUpdate): CardChange => ({
  apiSet,
  externalId,
  ...update,
});

/**
 * Records the results of posts, and adds the wake-ups of cards that failed by themselves to the run's.
 *
 * @throws TableBatchError or QueueBatchError: some may not be recorded
 */
export async function settle(run: VendorRun, attempts: readonly CardAttempt[]): Promise<void> {
  const { table, send, report, settings } = run.dependencies;
  let unrecorded = attempts.flatMap((attempt) => firstChange(run, attempt));
  for (let round = 0; unrecorded.length > 0; round++) {
    if (round === mostRounds) throw new Error("Other runs keep changing a card.");
    const reposts = unrecorded.flatMap(({ due: { card, wakeUp }, change }): WakeUp[] => {
      if (!card.mustWait || change.set.state !== "delivered") return [];
      const delay = delaySeconds(settings.timing.lateFinish);
      return [{ ...wakeUp, apiSet: run.apiSet, mark: "repost", delaySeconds: delay }];
    });
    // Sent before the outcome is recorded, so a recorded outcome always has its second post in the queue.
    if (reposts.length > 0) await send(reposts);
    const results = await table.write(unrecorded.map(({ change }) => change));
    const written = unrecorded.filter((_, index) => results[index] === "written");
    for (const [state, changed] of Map.groupBy(written, ({ change }) => change.set.state)) {
      if (state !== undefined) report({ kind: "recorded", state, cards: changed.length });
    }
    const lost = unrecorded.filter((_, index) => results[index] === "lost");
    unrecorded = lost.length === 0 ? [] : await lateChanges(run, lost);
  }
}

/** The change by the card as it was read, if there is anything to record. */
function firstChange({ apiSet, breaker, dependencies, later, ...run }: VendorRun, attempt: CardAttempt) {
  const { card, wakeUp, isRepost } = attempt.due;
  const { random, settings } = dependencies;
  const now = run.now();
  // An earlier run that died may have posted the card without recording it.
  const known = wakeUp.maybePosted ? { ...card, maybeAtExchange: card.version } : card;
  const result = resultOf(attempt.result, known);
  const { giveUpMilliseconds } = settings;
  const wasOpen = breaker.open !== undefined;
  const update = isRepost
    ? recordRepost(result, card, now)
    : recordOf(known, result, { now, giveUpMilliseconds, wasOpen, random: random() });
  const { nextAttemptAt } = update?.set ?? {};
  if (nextAttemptAt !== undefined) {
    later.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(nextAttemptAt - now) });
  }
  const isUnanswered = result.kind === "notEchoed" || result.kind === "serverError";
  if (isRepost && isUnanswered && now - card.since < repostsUntil) {
    // The card stays delivered and no attempt is recorded, so there is no count to derive a backoff from.
    later.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(backoff.longest) });
  }
  return update === undefined ? [] : [{ due: attempt.due, result, change: changeOf(card, update) }];
}

/** The changes for cards that another run changed first, worked out from what is stored now. */
async function lateChanges(run: VendorRun, lost: readonly Unrecorded[]): Promise<Unrecorded[]> {
  const found = await run.dependencies.table.read(lost.map(({ due }) => due.card));
  const stored = new Map(found.map((card) => [card.externalId, card]));
  return lost.flatMap(({ due, result: before }) => {
    const current = stored.get(due.card.externalId);
    if (current === undefined) return [];
    const result = current.version === due.card.version ? resultOf(before, current) : before;
    const update = recordLate(due.card.version, result, current, run.now());
    return update === undefined ? [] : [{ due, result, change: changeOf(current, update) }];
  });
}
