import { setTimeout as sleep } from "node:timers/promises";
import type { ApiSet } from "../accounts/account.ts";
import { CredentialsUnavailableError } from "../union/account-secrets.ts";
import { openedBy, permissionOf, probeWait } from "./breaker.ts";
import type { Outage } from "./classify-response.ts";
import type { DeliveryDependencies, DeliveryMemory } from "./dependencies.ts";
import { type ArrayEnd, postArray } from "./post-array.ts";
import type { ReceivedWakeUp, WakeUp } from "./queue.ts";
import { notStored, probe } from "./timing.ts";
import {
  type DueCard,
  dueOf,
  readDue,
  remember,
  setBreaker,
  type VendorRun,
  wakeUpsAfter,
} from "./vendor-run.ts";

/** Cards read in one request to the table. */
const readTogether = 100;
/** Characters of JSON in a post of more than one card: web servers refuse a body of a few megabytes. */
const mostCharacters = 512 * 1024;

/** A vendor's cards that are waiting for their post in this run. */
interface Waiting {
  readonly unread: ReceivedWakeUp[];
  readonly ready: DueCard[];
  /** Cards that were answered with 500 by themselves: they are posted last, one at a time. */
  readonly isolated: DueCard[];
}

/**
 * Delivers those of one vendor's cards that are due, array by array.
 *
 * @param remaining milliseconds that the run has left
 * @returns the wake-ups of all cards that are to be tried later
 * @throws any error of reading or recording; then none of the vendor's messages is done
 */
export async function deliverVendor(
  apiSet: ApiSet,
  wakeUps: readonly ReceivedWakeUp[],
  dependencies: DeliveryDependencies,
  memory: DeliveryMemory,
  remaining: () => number,
): Promise<readonly WakeUp[]> {
  const { table, settings } = dependencies;
  const now = () => dependencies.now().getTime();
  const readAt = now();
  // While the breaker is open, cards are not read.
  const first = memory.paused.has(apiSet) ? [] : wakeUps.slice(0, readTogether);
  const ids = first.map(({ externalId }) => externalId);
  const { breaker: read, cards } = await table.readWithBreaker(apiSet, ids);
  remember(memory, apiSet, read);
  const permission = permissionOf(read, now(), settings.timing);
  const isProbe = permission.kind === "probe";
  const breaker = isProbe ? await table.writeBreaker(apiSet, read, permission.claimed) : read;
  if (permission.kind === "wait" || breaker === undefined) {
    const wait = permission.kind === "wait" ? permission.milliseconds : probe.shortest;
    return wakeUpsAfter(wait, apiSet, wakeUps, dependencies);
  }
  const account = await accountOf(apiSet, dependencies);
  const state = { breaker, later: [], unstored: [], rereads: [...notStored.rereads] };
  const run: VendorRun = { apiSet, dependencies, memory, now, remaining, account, ...state };
  const waiting: Waiting = { unread: wakeUps.slice(first.length), ready: [], isolated: [] };
  add(waiting, dueOf(run, first, cards, readAt));

  for (;;) {
    await readNext(run, waiting);
    const array = nextArray(run, waiting);
    const [first] = array;
    if (first === undefined) break;
    const end = await postArray(run, array);
    const { outage, untried } = end;
    if (run.breaker.open === undefined && isKnownBad(first) && outage?.failure.status === 500) {
      postpone(run, [...waiting.isolated.splice(0), first], first.card.since);
    } else if (outage === undefined && untried.length === 0) {
      resize(run, 2);
    } else {
      return stop(run, waiting, end);
    }
  }
  // Nothing was due, so another run may probe.
  const { open } = run.breaker;
  if (open?.probing) await setBreaker(run, { ...open, probing: false, nextProbeAt: now() });
  return run.later;
}

function accountOf(apiSet: ApiSet, { account, report }: DeliveryDependencies): Promise<VendorRun["account"]> {
  return account(apiSet).catch((error: unknown) => {
    if (!(error instanceof CredentialsUnavailableError)) throw error;
    report({ kind: "noCredentials", apiSet });
    return error;
  });
}

/** Reads cards until an array is full; cards that are not stored yet are read again, when nothing else is waiting. */
async function readNext(run: VendorRun, waiting: Waiting): Promise<void> {
  const { unread, ready, isolated } = waiting;
  while (unread.length > 0 && ready.length < arraySize(run)) {
    add(waiting, await readDue(run, unread.splice(0, readTogether)));
  }
  while (ready.length + isolated.length === 0 && run.unstored.length > 0) {
    await sleep(run.rereads.shift());
    add(waiting, await readDue(run, run.unstored.splice(0)));
  }
}

function add({ ready, isolated }: Waiting, cards: readonly DueCard[]): void {
  for (const due of cards) (isKnownBad(due) ? isolated : ready).push(due);
}

function nextArray(run: VendorRun, { ready, isolated }: Waiting): DueCard[] {
  if (ready.length === 0) return isolated.splice(0, 1);
  let characters = 0;
  const tooMuch = ready.findIndex(({ card }) => {
    characters += card.content.text().length;
    return characters > mostCharacters;
  });
  const size = arraySize(run);
  return ready.splice(0, tooMuch === -1 ? size : Math.min(size, Math.max(1, tooMuch)));
}

/** Only the bad cards wait. The one that was posted comes last then, so that each has its turn. */
function postpone(run: VendorRun, bad: readonly DueCard[], failingSince: number): void {
  const wakeUps = bad.map(({ wakeUp }) => wakeUp);
  run.later.push(...wakeUpsAfter(probeWait(run.now() - failingSince), run.apiSet, wakeUps, run.dependencies));
}

/** Ends the run for the vendor after an outage, or when its time is up. @returns all wake-ups */
async function stop(
  run: VendorRun,
  { unread, ready, isolated }: Waiting,
  { outage, untried, posts }: ArrayEnd,
): Promise<readonly WakeUp[]> {
  const { apiSet, now, dependencies } = run;
  if (outage === undefined ? posts > 0 : isTooMuch(outage)) resize(run, 1 / 2);
  if (outage?.credentialsRefused) dependencies.forgetAccount(apiSet);
  if (outage !== undefined) await setBreaker(run, openedBy(outage, run.breaker, now()));
  const wait = Math.max(0, (run.breaker.open?.nextProbeAt ?? 0) - now());
  // The cards that were just posted come last, so that each has its turn: a failed probe is not recorded on them.
  const wakeUps = [
    ...[...ready, ...isolated].map(({ wakeUp }) => wakeUp),
    ...unread,
    ...run.unstored,
    ...untried.map(({ wakeUp }) => wakeUp),
  ];
  return [...run.later, ...wakeUpsAfter(wait, apiSet, wakeUps, dependencies)];
}

const isKnownBad = ({ card }: DueCard) => card.serverErrors > 0;

const isTooMuch = ({ failure }: Outage) => failure.phase === "during" || failure.status === 500;

const arraySize = ({ apiSet, memory, dependencies }: VendorRun): number =>
  memory.sizes.get(apiSet) ?? dependencies.settings.postSize;

/** If the exchange is too slow for large arrays, or many cards of one are bad, arrays become smaller for a while. */
function resize(run: VendorRun, factor: number): void {
  const size = Math.floor(arraySize(run) * factor);
  run.memory.sizes.set(run.apiSet, Math.max(1, Math.min(run.dependencies.settings.postSize, size)));
}
