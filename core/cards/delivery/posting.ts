import { CredentialsUnavailableError } from "../../union/account-secrets.ts";
import { type ArrayResponse, classifyResponse, type EchoedArray } from "./classify-response.ts";
import { type DueCard, isSuspect, nameOf, wakeUpOf } from "./decide.ts";
import { hasTime, refresh, wakeAfter } from "./due-cards.ts";
import { type FailedAlone, type FailedPost, type Stop, searchFault, type Tried } from "./fault-search.ts";
import { answerOf, isMaybeThere } from "./posts.ts";
import { record } from "./recording.ts";
import type { VendorRun } from "./run.ts";
import { resultOfSuspect, waitWithoutWitness } from "./suspects.ts";
import { delaySeconds, repostsUntil, repostWait } from "./timing.ts";
import { evidenceSince } from "./verdict.ts";

/** Posts of a vendor that are remembered: more than any card is tried before it has its verdict. */
const maxPostsSeen = 2000;
/** Shapes of answers that an environment reports: an exchange may give each answer another one. */
const maxShapes = 20;

/**
 * Posts cards together, and records those that are delivered. The breaker closes if there are any.
 *
 * A 409 to a single card means that it is delivered, if the exchange may have taken an earlier post of it.
 */
export async function attempt(run: VendorRun, cards: readonly DueCard[]): Promise<Tried<DueCard>> {
  const { breaker, now, unclear } = run;
  const due = await refresh(run, cards);
  if (due.length === 0) return { kind: "done" };
  if (!hasTime(run) || breaker.isPaused()) return { kind: "stopped", left: due };
  const [only] = due;
  const isAlone = due.length === 1 && only !== undefined;
  const postedAt = now();
  const response = await post(run, due);
  const milliseconds = now() - postedAt;
  let echo = response;
  if (echo.kind !== "echoed") {
    const { kind, failure } = echo;
    const mayHave = isAlone && (only.isRepost || unclear.has(nameOf(only)) || isMaybeThere(only.card));
    if (failure.status !== 409 || !mayHave) {
      if (isAlone && kind === "failed") see(run, false);
      if (answerOf(failure) === "unknown")
        for (const one of due) unclear.set(nameOf(one), { due: one, failure });
      return { ...echo, left: due, milliseconds };
    }
    echo = { kind: "echoed", ids: new Set([nameOf(only)]), failureOf: () => failure };
  }
  see(run, true);
  await recordEcho(run, due, echo, milliseconds);
  await close(run);
  return { kind: "done", milliseconds };
}

/** Records the cards of a post of which some went through: the others failed by themselves. */
async function recordEcho(
  run: VendorRun,
  due: readonly DueCard[],
  { ids, failureOf }: EchoedArray,
  milliseconds: number,
): Promise<void> {
  const left = due.filter((one) => !ids.has(nameOf(one)));
  for (const one of left) if (one.isRepost) await postponeRepost(run, one);
  const { seen } = run.memory;
  const suspected = (one: DueCard) =>
    resultOfSuspect({ card: one.card, failure: failureOf(nameOf(one)), milliseconds }, seen, run.now());
  await record(run, [
    ...due
      .filter((one) => ids.has(nameOf(one)))
      .map((one) => ({ due: one, result: { kind: "delivered" } as const })),
    ...left.map((one) => ({ due: one, result: suspected(one) })),
  ]);
}

/** Remembers whether a post went through, as evidence about other cards. */
function see({ apiSet, memory, now }: VendorRun, wentThrough: boolean): void {
  const seen = memory.seen.get(apiSet) ?? [];
  memory.seen.set(apiSet, seen);
  seen.push({ at: now(), wentThrough });
  if (seen.length > maxPostsSeen) seen.shift();
}

/** Posts cards to the exchange; the connection of a suspected one is closed afterwards. */
async function post(run: VendorRun, cards: readonly DueCard[]): Promise<ArrayResponse> {
  const { account, apiSet, dependencies, now } = run;
  if (account instanceof CredentialsUnavailableError) {
    return { kind: "outage", failure: { phase: "before", message: account.message } };
  }
  const outbound = cards.map(({ card: { externalId, content, requestId } }) => {
    return { externalId, card: content.text(), requestId };
  });
  const postedAt = now();
  const result = await dependencies.post(account, outbound, { closesConnection: cards.some(isSuspect) });
  dependencies.report({ kind: "posted", apiSet, result, milliseconds: now() - postedAt, cards: outbound });
  if (result.phase === "after" && result.shape !== undefined) reportUnknown(run, result.shape);
  return classifyResponse(result);
}

function reportUnknown({ apiSet, dependencies, memory: { shapes } }: VendorRun, shape: string): void {
  const key = `${apiSet} ${shape}`;
  const isNew = !shapes.has(key) && shapes.size < maxShapes;
  if (isNew) shapes.add(key);
  dependencies.report({ kind: "unknownAnswer", apiSet, ...(isNew && { shape }) });
}

/** Closes the breaker. Cards that were read while it was open are read again: `withdraw` relies on that. */
async function close({ apiSet, breaker, dependencies, ready, suspects, unread }: VendorRun): Promise<void> {
  if (breaker.current().open === undefined) return;
  dependencies.report({ kind: "resumed", apiSet });
  await breaker.close();
  unread.unshift(...[...ready.splice(0), ...suspects.splice(0)].map(wakeUpOf));
}

/**
 * Finds out whether the exchange or cards are at fault if a post failed, and which cards: each is recorded as suspected, or as
 * rejected.
 *
 * @returns why the run must stop; undefined if it can go on
 */
export async function findFault(
  run: VendorRun,
  failed: FailedPost<DueCard>,
): Promise<Stop<DueCard> | undefined> {
  const { left } = failed;
  const { breaker, ready } = run;
  const [only] = left.length === 1 ? left : [];
  if (failed.kind === "outage" || breaker.current().open !== undefined) return { outage: failed, left };
  if (only?.isRepost) return postponeRepost(run, only);
  if (only !== undefined && (isSuspect(only) || (ready.length === 0 && isWitnessed(run, only)))) {
    return suspect(run, { ...failed, card: only });
  }
  return searchFault(failed, [...ready], {
    post(cards) {
      const posted = new Set(cards);
      ready.splice(0, ready.length, ...ready.filter((due) => !posted.has(due)));
      return attempt(run, cards);
    },
    suspect: (alone) => suspect(run, alone),
    resize: (size) => resize(run, size),
  });
}

/**
 * If the exchange is too slow for large arrays, or many cards are bad, arrays become smaller by a factor, and larger by one card
 * with each that goes through.
 */
export function resize({ apiSet, memory, dependencies: { settings } }: VendorRun, size: number): void {
  memory.sizes.set(apiSet, Math.min(settings.postSize, Math.floor(size)));
}

/** Whether a card that is not suspected failed beside others that went through. */
function isWitnessed({ apiSet, beganAt, breaker, memory }: VendorRun, { card }: DueCard): boolean {
  const since = Math.min(card.since, beganAt);
  const { closedAt = 0 } = breaker.current();
  return closedAt > card.since || evidenceSince(memory.seen, apiSet, since).through > 0;
}

/** Judges a card that failed alone. Without a witness nothing is recorded, and all suspects wait, for they would fail like it. */
async function suspect(run: VendorRun, alone: FailedAlone<DueCard>): Promise<undefined> {
  const due = alone.card;
  if (due.isRepost) return postponeRepost(run, due);
  await run.breaker.noteSuspect();
  const failed = { ...alone, card: due.card };
  const result = resultOfSuspect(failed, run.memory.seen, run.now());
  await record(run, [{ due, result }]);
  if (result.kind !== "outage") return;
  const wait = waitWithoutWitness(failed, run.now());
  // The one that was posted comes last then, so that each has its turn.
  run.later.push(...wakeAfter(run, wait, [...run.suspects.splice(0), due].map(wakeUpOf)));
}

/** The second post of a delivered card failed. The card stays delivered, and no attempt is recorded, but when it is given up. */
async function postponeRepost(run: VendorRun, due: DueCard): Promise<undefined> {
  const { apiSet, later, now } = run;
  if (now() - due.card.since < repostsUntil) {
    later.push({ ...due.wakeUp, apiSet, delaySeconds: delaySeconds(repostWait) });
  } else await record(run, [{ due, result: { kind: "givenUp" } }]);
}
