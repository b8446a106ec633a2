import { setTimeout as sleep } from "node:timers/promises";
import type { StoredCard } from "../life/card.ts";
import { isOfEarlierDay } from "../life/card-content.ts";
import { isOpen } from "../life/states.ts";
import { dayFirstUntil } from "./breaker.ts";
import { claimCards } from "./claim.ts";
import { decide, isSuspect, mustClaim, nameOf, wakeUpOf } from "./decide.ts";
import { concludeWithdrawal } from "./plan.ts";
import type { WakeUp, WakeUpCard } from "./queue.ts";
import { recordNotes, wakeRefused } from "./record.ts";
import type { Due, VendorRun } from "./run.ts";
import type { ReadCards } from "./scorecard-table.ts";
import { delayOnGrid, delaySeconds, probe, recordingReserve } from "./timing.ts";

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
  while (unread.length > 0 && ready.length < arraySize(run)) {
    await readDue(run, unread.splice(0, readTogether));
  }
  while (ready.length === 0 && unstored.length > 0) {
    await sleep(rereads.shift());
    await readDue(run, unstored.splice(0));
  }
}

async function readDue(run: VendorRun, wanted: readonly WakeUpCard[]): Promise<void> {
  const readAt = run.now();
  await takeCards(run, wanted, await readCards(run, wanted), readAt);
}

/** Reads cards, and the breaker beside them: whatever is read after it opened is not posted. */
async function readCards(
  { apiSet, breaker, dependencies }: VendorRun,
  wanted: readonly WakeUpCard[],
): Promise<ReadCards> {
  const names = wanted.map(({ externalId }) => externalId);
  const read = await dependencies.table.tryRead(apiSet, names);
  breaker.notice(read.breaker);
  return read;
}

/** Has cards posted: the suspects among them after the others. */
function addDue({ ready, suspects }: VendorRun, cards: readonly Due[]): void {
  for (const due of cards) (isSuspect(due) ? suspects : ready).push(due);
}

/** Does with cards what their items say: those that are due wait for their post, others are dropped or woken up later. */
export async function takeCards(
  run: VendorRun,
  wanted: readonly WakeUpCard[],
  read: Pick<ReadCards, "cards" | "unread">,
  readAt: number,
): Promise<void> {
  const { ready, breaker, today } = run;
  addDue(
    run,
    await settle(
      run,
      wanted.map((wakeUp) => ({ wakeUp })),
      read,
      readAt,
    ),
  );
  if (breaker.current().open === undefined) return;
  // A probe is a card of the day if there is one.
  const byDay = Map.groupBy(ready.splice(0), ({ card }) => isOfEarlierDay(card.content, today));
  ready.push(...(byDay.get(false) ?? []), ...(byDay.get(true) ?? []));
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
  { cards: found, unread }: Pick<ReadCards, "cards" | "unread">,
  readAt: number,
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
    const { again = [], others = [] } = Object.groupBy(waiting, (due) =>
      stored.has(nameOf(due)) ? "again" : "others",
    );
    waiting.splice(0, waiting.length, ...others);
    return again;
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
    const readAt = run.now();
    due = await settle(run, due, await readCards(run, due.map(wakeUpOf)), readAt);
  }
  return due;
}
