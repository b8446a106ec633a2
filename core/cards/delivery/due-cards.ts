import { setTimeout as sleep } from "node:timers/promises";
import { asRead, type CardChange, type StoredCard } from "../life/card.ts";
import { isOfEarlierDay } from "../life/card-content.ts";
import { isFinal, isOpen, State } from "../life/states.ts";
import { dayFirstUntil } from "./breaker.ts";
import { decide, hasMissedPost, isSuspect, mustClaim, nameOf, wakeUpOf } from "./decide.ts";
import { concludeWithdrawal } from "./plan.ts";
import { attemptAfter, firstPostAt, postsOf, retryWait, toFacts, withPost } from "./posts.ts";
import type { WakeUp, WakeUpCard } from "./queue.ts";
import { recordNotes, wakeRefused } from "./record.ts";
import type { DeliveryDependencies, Due, VendorRun } from "./run.ts";
import type { ReadCards } from "./scorecard-table.ts";
import { clockDifference, delayOnGrid, delaySeconds, probe, recording, recordingReserve } from "./timing.ts";

/** Cards read in one request to the table, beside their vendor's breaker. */
export const readTogether = 99;

/** Whether there is time for one more post and its record. */
export const hasTime = ({ remaining, dependencies: { settings } }: VendorRun): boolean =>
  remaining() > settings.timing.post + recordingReserve;

/** Wake-ups after a wait in milliseconds. */
export function wakeAfter(
  { apiSet, now, dependencies }: Pick<VendorRun, "apiSet" | "now" | "dependencies">,
  milliseconds: number,
  cards: readonly WakeUpCard[],
): WakeUp[] {
  const delaySeconds = delayOnGrid(milliseconds, now(), dependencies.random());
  return cards.map((card) => ({ ...card, apiSet, delaySeconds }));
}

/** Wake-ups of the cards that the run has not posted. */
export const waitingCards = ({ ready, suspects, unread, unstored }: VendorRun): WakeUpCard[] => [
  ...[...ready, ...suspects].map(wakeUpOf),
  ...unread,
  ...unstored,
];

/** Whether a card of the day is among those that have no outcome yet. */
export const isOneOfToday = (cards: readonly StoredCard[], today: string): boolean =>
  cards.some(({ state, content }) => isOpen(state) && !isOfEarlierDay(content, today));

/** Whether a card of the day waits in the run, or is among those that it has posted in vain. */
export const delaysToday = ({ ready, suspects, today }: VendorRun, posted: readonly Due[] = []): boolean =>
  isOneOfToday(
    [...ready, ...suspects, ...posted].map(({ card }) => card),
    today,
  );

/** How many cards the next array has: one while the breaker is open. */
export const arraySize = ({ apiSet, breaker, memory, dependencies }: VendorRun): number =>
  breaker.current().open === undefined ? (memory.sizes.get(apiSet) ?? dependencies.settings.postSize) : 1;

/** Reads cards until an array is full; cards that are not stored yet are read again, when only suspects are waiting. */
export async function readNext(run: VendorRun): Promise<void> {
  const { unread, unstored, ready, rereads } = run;
  const take = async (wanted: WakeUpCard[]) => takeCards(run, wanted, await readCards(run, wanted));
  while (unread.length > 0 && ready.length < arraySize(run)) await take(unread.splice(0, readTogether));
  while (ready.length === 0 && unstored.length > 0) {
    await sleep(rereads.shift());
    await take(unstored.splice(0));
  }
}

/** What was read of cards, and when the read began: milliseconds since 1970, UTC. */
type TimedCards = Pick<ReadCards, "cards" | "unread"> & { readonly readAt: number };

/** Reads cards, and the breaker beside them: whatever is read after it opened is not posted. */
async function readCards(
  { apiSet, breaker, dependencies, now }: VendorRun,
  wanted: readonly WakeUpCard[],
): Promise<TimedCards> {
  const readAt = now();
  const names = wanted.map(({ externalId }) => externalId);
  const read = await dependencies.table.tryRead(apiSet, names);
  breaker.notice(read.breaker);
  return { ...read, readAt };
}

/** Does with cards what their items say: those that are due wait for their post, suspects last; others are dropped or woken up later. */
export async function takeCards(
  run: VendorRun,
  wanted: readonly WakeUpCard[],
  read: TimedCards,
): Promise<void> {
  const { ready, suspects, breaker, today } = run;
  const named = wanted.map((wakeUp) => ({ wakeUp }));
  const due = await settle(run, named, read);
  for (const one of due) (isSuspect(one) ? suspects : ready).push(one);
  const { open } = breaker.current();
  if (open === undefined) return;
  // A run may have died between its record of a card and the end of the outage. A card that is due again ends it by its post.
  const done = read.cards.filter((card) => !due.some((one) => one.card === card));
  if (done.some(({ state, since }) => state === State.delivered && since > open.since)) return endOutage(run);
  // A probe is a card of the day if there is one.
  const byDay = Map.groupBy(ready.splice(0), ({ card }) => isOfEarlierDay(card.content, today));
  ready.push(...(byDay.get(false) ?? []), ...(byDay.get(true) ?? []));
}

/** Closes the breaker. Cards that were read while it was open are read again: `withdraw` relies on that. */
export async function endOutage(run: VendorRun): Promise<void> {
  run.dependencies.report({ kind: "resumed", apiSet: run.apiSet });
  await run.breaker.close();
  run.unread.unshift(...[...run.ready.splice(0), ...run.suspects.splice(0)].map(wakeUpOf));
}

/** What is known of a card before it is read: its wake-up, and a post of it that is not recorded yet. */
type Named = Pick<Due, "wakeUp" | "unrecorded">;

/**
 * Sorts cards by what their items say, decides withdrawals whose requests have ended, and notes that the exchange may have cards.
 * Cards that were read before and wait for their post are sorted again if they are among those found.
 *
 * @returns the cards that are due
 */
async function settle(
  run: VendorRun,
  named: readonly Named[],
  { cards: found, unread, readAt }: TimedCards,
): Promise<readonly Due[]> {
  const { apiSet, breaker, now, rereads, today, later, unstored, waitingSince, dependencies } = run;
  const { timing } = dependencies.settings;
  // Cards of earlier days wait until those of the day that an outage has delayed have gone.
  const wait = dayFirstUntil(breaker.current()) - now();
  const stored = new Map(found.map((card) => [card.externalId, card]));
  const due: Due[] = [];
  const heldBack: WakeUpCard[] = [];
  const undecided: Due[] = [];
  /** Cards that are not posted now, though the exchange may have them: a withdrawal does not wait for the end of the run. */
  const missed: Due[] = [];
  const { out = [], known = [] } = Object.groupBy(named, ({ wakeUp }) =>
    unread.has(wakeUp.externalId) ? "out" : "known",
  );
  wakeRefused(
    run,
    out.map(({ wakeUp, unrecorded }) => ({ wakeUp, isPosted: unrecorded !== undefined })),
  );
  for (const { wakeUp, unrecorded } of [...takeOut(run, stored), ...known]) {
    const card = stored.get(wakeUp.externalId);
    const decision = decide(card, wakeUp, now(), timing);
    if (decision.action === "reread" && rereads.length > 0) unstored.push(wakeUp);
    else if ("inMilliseconds" in decision) {
      const { mark } = decision.action === "wakeAgain" ? decision : wakeUp;
      later.push({ ...wakeUp, mark, apiSet, delaySeconds: delaySeconds(decision.inMilliseconds) });
    }
    if (card === undefined) continue;
    if (decision.action === "wakeAgain" && isOpen(card.state)) waitingSince.push(card.acceptedAt);
    const isRepost = decision.action === "repost";
    const one: Due = { phase: "due", wakeUp, card, readAt, isRepost, unrecorded };
    const isHeldBack = decision.action === "post" && wait > 0 && isOfEarlierDay(card.content, today);
    if (isHeldBack) heldBack.push(wakeUp);
    if (decision.action === "concludeWithdrawal") undecided.push(one);
    if (decision.action === "noteMissedPost") missed.push({ ...one, unrecorded: unrecorded ?? {} });
    else if (!isHeldBack && (decision.action === "post" || isRepost)) due.push(one);
    else missed.push(one);
  }
  if (heldBack.length > 0) later.push(...wakeAfter(run, wait, heldBack));
  for (const one of undecided) await conclude(run, one);
  // Dead runs may have posted several versions of a card: the note of one is stored before that of the next is made from it.
  for (const once of Map.groupBy(missed, ({ wakeUp }) => wakeUp.version).values())
    await recordNotes(run, once);
  return due;
}

/** Takes out the cards that wait for their post and have been read again. */
const takeOut = ({ ready, suspects }: VendorRun, stored: ReadonlyMap<string, StoredCard>): Due[] =>
  [ready, suspects].flatMap((waiting) => {
    const all = waiting.splice(0);
    waiting.push(...all.filter((due) => !stored.has(nameOf(due))));
    return all.filter((due) => stored.has(nameOf(due)));
  });

/** Decides a withdrawal whose request has ended without deciding. */
async function conclude(
  { apiSet, later, now, dependencies }: VendorRun,
  { card, wakeUp }: Due,
): Promise<void> {
  const { table, send, settings } = dependencies;
  const { change, wakeUps } = concludeWithdrawal(card, { ...settings, now: now() });
  if (wakeUps.length > 0) await send(wakeUps);
  const [result] = await table.tryWrite([change]);
  if (result !== "written") later.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(probe.shortest) });
}

/** Limit of a message's size: by so many claims that may be made late a wake-up counts. */
const maxRefusedClaims = 3;

/**
 * Plans a card's next attempt before this one, so that a duplicate of its wake-up, or another run, posts nothing: the next wake-up makes
 * all others void. Only the run whose change is written posts the card. Nothing more has to be stored if the post fails, or if the run
 * dies.
 *
 * The next wake-up also counts if the card stays as it was read. So a claim that is refused needs no other wake-up. If a run died
 * with this one, the change says that the exchange may have the card.
 */
function claimCard(
  { card, wakeUp }: Due,
  now: number,
  { settings, random }: DeliveryDependencies,
): { readonly change: CardChange; readonly wakeUp: WakeUp } {
  const { apiSet, externalId, version, state, since, posts, suspicion, nextAttemptAt } = card;
  const isDelivered = isFinal(state);
  const isAlone = isDelivered || suspicion !== undefined;
  const age = now - (isDelivered ? since : (firstPostAt(card) ?? now));
  const postEnd = settings.timing.readToPostEnd + recording + clockDifference;
  const next = Math.max(now + postEnd, isAlone ? attemptAfter(retryWait(age), now, random()) : 0);
  // The note also makes the claim of another run lose if there is no next attempt that both expect.
  const isMaybe = wakeUp.maybePosted === true && nextAttemptAt === undefined;
  const isNoted = !isDelivered && (isMaybe || hasMissedPost(card, wakeUp));
  const wokenBefore = card.wokenAt ?? card.acceptedAt;
  // Wake-ups from before are void even if they were made by a clock that is ahead.
  const madeAt = Math.max(now, wokenBefore + 1);
  const refusedClaims = [wakeUp.madeAt, ...(wakeUp.alsoMadeAt ?? [])].filter((time) => time > wokenBefore);
  return {
    change: {
      apiSet,
      externalId,
      expects: { ...asRead(card), ...(posts && { posts }), ...(nextAttemptAt && { nextAttemptAt }) },
      set: {
        wokenAt: madeAt,
        nextAttemptAt: next,
        ...(isNoted && toFacts(card, withPost(postsOf(card), { version, answer: "unknown" }, now))),
      },
    },
    wakeUp: {
      ...{ ...wakeUp, apiSet, madeAt, mark: wakeUp.mark ?? "inserted" },
      alsoMadeAt: [wokenBefore, ...refusedClaims.slice(0, maxRefusedClaims)],
      delaySeconds: delaySeconds(next - now),
    },
  };
}

/**
 * Claims cards: their next wake-ups are sent first, and are all that is left of those whose claims are lost or refused.
 *
 * @returns those that the run has for itself, which must be read again
 */
async function claimCards(run: VendorRun, cards: readonly Due[]): Promise<readonly Due[]> {
  const { apiSet, waitingSince, dependencies } = run;
  const { send, table, report } = dependencies;
  const now = run.now();
  const claims = cards.map((due) => claimCard(due, now, dependencies));
  await send(claims.map(({ wakeUp }) => wakeUp));
  const written = await table.tryWrite(claims.map(({ change }) => change)).catch((error: unknown) => {
    report({ kind: "failed", apiSet, error });
    return [];
  });
  waitingSince.push(...cards.flatMap(({ card, isRepost }) => (isRepost ? [] : card.acceptedAt)));
  return cards.flatMap((due, n): Due[] => {
    const next = claims[n];
    if (next === undefined || written[n] !== "written") return [];
    const { apiSet: _, delaySeconds: delay, ...wakeUp } = next.wakeUp;
    const claim = { at: now, backAt: now + delay * 1000 };
    return [{ ...due, wakeUp: { ...wakeUp, claim }, readAt: Number.NEGATIVE_INFINITY }];
  });
}

/** Claims cards that must be, and reads those again that were read too long ago for a post. @returns those that are still to be posted */
export async function refresh(run: VendorRun, cards: readonly Due[]): Promise<readonly Due[]> {
  const { timing } = run.dependencies.settings;
  const { post, readToPostEnd } = timing;
  const isFresh = ({ readAt }: Due) => run.now() + post <= readAt + readToPostEnd;
  let due = cards;
  // The claim, the read, or a record may take too long itself.
  while (hasTime(run)) {
    const isPaused = run.breaker.current().open !== undefined;
    const unclaimed = due.filter((one) => mustClaim(one, isPaused, run.now(), timing));
    if (unclaimed.length > 0)
      due = [...due.filter((one) => !unclaimed.includes(one)), ...(await claimCards(run, unclaimed))];
    if (due.every(isFresh)) break;
    due = await settle(run, due, await readCards(run, due.map(wakeUpOf)));
  }
  return due;
}
