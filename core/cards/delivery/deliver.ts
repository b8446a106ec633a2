import pMap from "p-map";
import { findSandboxOutcome, type SandboxOutcome } from "../../formats/external-ids.ts";
import { dayOf } from "../../formats/union-time.ts";
import { CredentialsUnavailableError } from "../../union/account-secrets.ts";
import { createVendorBreaker, type Outage, waitFor } from "./breaker.ts";
import { nameOf, wakeUpOf } from "./decide.ts";
import {
  arraySize,
  delaysToday,
  isOneOfToday,
  readNext,
  readTogether,
  takeCards,
  waitingCards,
  wakeAfter,
} from "./due-cards.ts";
import { askedWait, type FailedPost, type Stop, waitOf } from "./fault-search.ts";
import { attempt, findFault, resize } from "./posting.ts";
import {
  mergeSameVersion,
  type ReceivedMessage,
  readMessages,
  type WakeUp,
  type WakeUpCard,
} from "./queue.ts";
import { record, recordNotes } from "./record.ts";
import type { DeliveryDependencies, DeliveryMemory, Due, Judged, VendorRun } from "./run.ts";
import { playOutcome, sandboxDependencies } from "./sandbox.ts";
import { notStored, probe } from "./timing.ts";

/**
 * Makes the function that delivers the cards which a batch of messages names.
 *
 * The stored card decides what is done, so a message may come twice, late or out of order. Cards to be tried later are sent to
 * the queue in new messages before the old ones are done. Vendors are handled concurrently and independently, so one vendor's
 * failing posts do not delay another's.
 *
 * @returns a function from messages, and the milliseconds left, to the IDs of the messages that failed: the queue hands them
 *   over again after its visibility timeout
 */
export function createDelivery(dependencies: DeliveryDependencies) {
  const { settings, send, report } = dependencies;
  const memory: DeliveryMemory = { sizes: new Map(), paused: new Set(), seen: new Map() };

  return async function deliver(
    messages: readonly ReceivedMessage[],
    remaining: () => number,
  ): Promise<string[]> {
    const { vendors, unreadable } = readMessages(messages);
    if (unreadable.length > 0) report({ kind: "unreadable", messages: unreadable.length });
    const failed = new Set(unreadable);
    const waitingSince: number[] = [];
    await pMap(
      vendors,
      async ([apiSet, { wakeUps, messageIds }]) => {
        try {
          // Cards of each outcome that the sandbox forces have a run of their own.
          const byOutcome = Map.groupBy(wakeUps, ({ externalId }) => findSandboxOutcome(externalId));
          for (const [outcome, own] of byOutcome) {
            const used = outcome === undefined ? dependencies : sandboxDependencies(outcome, dependencies);
            const run = await beginRun(own, { apiSet, dependencies: used, memory, remaining });
            const left =
              "waits" in run ? { later: run.waits, waitingSince: [] } : await deliverDue(run, outcome);
            const later = mergeSameVersion(left.later);
            if (later.length > 0) await send(later);
            if (outcome === undefined) waitingSince.push(...left.waitingSince, ...acceptedAt(later));
          }
        } catch (error) {
          report({ kind: "failed", apiSet, error });
          for (const id of messageIds) failed.add(id);
          waitingSince.push(...acceptedAt(wakeUps));
        }
      },
      { concurrency: settings.parallelPosts },
    );
    if (waitingSince.length > 0) report({ kind: "waiting", oldestAt: Math.min(...waitingSince) });
    return [...failed];
  };
}

/** When cards without an outcome were accepted, by their wake-ups. */
const acceptedAt = (wakeUps: readonly WakeUpCard[]): number[] =>
  wakeUps.flatMap(({ mark, madeAt }) => (mark === "repost" ? [] : madeAt));

/** Characters of JSON in a post of more than one card: web servers refuse a body of a few megabytes. */
const maxCharacters = 512 * 1024;

/**
 * Delivers a run's cards, or gives them their forced outcome.
 *
 * @returns the wake-ups of all cards that are to be tried later and have none in the queue, and since when cards wait
 * @throws any error of reading or recording; then none of the vendor's messages is done
 */
async function deliverDue(
  run: VendorRun,
  outcome: SandboxOutcome | undefined,
): Promise<Pick<VendorRun, "later" | "waitingSince">> {
  const { later, waitingSince } = run;
  later.push(...(await (outcome === undefined ? postAll(run) : playOutcome(run, outcome))));
  const isInQueue = ({ claim, delaySeconds }: WakeUp) =>
    claim !== undefined && run.now() + delaySeconds * 1000 >= claim.backAt;
  return { later: later.filter((wakeUp) => !isInQueue(wakeUp)), waitingSince };
}

/** Posts the cards of a run, array by array, suspected cards last and each alone. @returns the wake-ups of those that are left */
async function postAll(run: VendorRun): Promise<readonly WakeUp[]> {
  const { breaker } = run;
  let failedProbe: FailedPost<Due> | undefined;
  for (;;) {
    await readNext(run);
    const array = nextArray(run, failedProbe !== undefined);
    const [first] = array;
    if (first === undefined) break;
    const isProbe = breaker.current().open !== undefined && !breaker.isPaused();
    if (!(await breaker.claim(nameOf(first), isProbe && delaysToday(run)))) {
      await recordNotes(run, [...array, ...run.ready, ...run.suspects]);
      const left = [first, ...(failedProbe?.left ?? [])].map(wakeUpOf);
      return wakeAfter(run, probe.shortest, [...left, ...waitingCards(run)]);
    }
    // A card is read again once it is claimed: a withdrawal that saw no claim waits for no probe.
    const posted = isProbe ? [{ ...first, readAt: Number.NEGATIVE_INFINITY }] : array;
    const tried = await attempt(run, posted);
    if (tried.kind === "done") {
      resize(run, arraySize(run) + 1);
      // Another card went through: this one is read again, as a suspect.
      run.unread.push(...(failedProbe?.left ?? []).map(wakeUpOf));
      failedProbe = undefined;
      continue;
    }
    if (tried.kind === "failed" && breaker.current().open !== undefined) {
      rest(run, tried, tried.left);
      // A post that fails by chance must not prolong an outage that is over: another card is posted at once. A withdrawal waits only
      // for a post of the card that the breaker names, so this card's post is noted before another is named.
      if (failedProbe === undefined) {
        failedProbe = { ...tried, left: await recordNotes(run, tried.left) };
        continue;
      }
    }
    const stop = tried.kind === "stopped" ? tried : await findFault(run, tried);
    if (stop === undefined) continue;
    return stopRun(run, { ...stop, left: [...stop.left, ...(failedProbe?.left ?? [])] });
  }
  if (failedProbe !== undefined) return stopRun(run, { outage: failedProbe, left: failedProbe.left });
  // Nothing was posted, so another run may probe.
  await breaker.release();
  return wakeAfter(run, restOf(run, [...run.ready, ...run.suspects]), waitingCards(run));
}

/** Keeps cards that failed alone from being posted again before their wait is over. */
function rest(run: VendorRun, failed: Outage, cards: readonly Due[]): void {
  for (const { card } of cards) {
    const { externalId, version } = card;
    run.breaker.rest({ externalId, version, until: run.now() + waitOf({ ...failed, card }, run.now()) });
  }
}

/** How long cards must wait that are no probes yet, in milliseconds: no longer than for a probe of another card. */
const restOf = (run: VendorRun, cards: readonly Due[]): number =>
  Math.min(
    probe.longest,
    Math.max(0, Math.min(...cards.map(({ card }) => run.breaker.restsUntil(card))) - run.now()),
  );

/** Reads the breaker, and the first cards beside it. @returns `waits` if nothing may be posted now */
async function beginRun(
  wakeUps: readonly WakeUpCard[],
  given: Pick<VendorRun, "apiSet" | "dependencies" | "memory" | "remaining">,
): Promise<VendorRun | { readonly waits: WakeUp[] }> {
  const { apiSet, dependencies, memory } = given;
  const { table, report, settings } = dependencies;
  const now = () => dependencies.now().getTime();
  const beganAt = now();
  const unread = [...wakeUps];
  // While the breaker is open and known to delay cards of the day, cards are not read.
  const first = memory.paused.has(apiSet) ? [] : unread.splice(0, readTogether);
  const read = await table.tryRead(
    apiSet,
    first.map(({ externalId }) => externalId),
  );
  const breaker = createVendorBreaker(apiSet, read.breaker, {
    ...{ table, now, timing: settings.timing, paused: memory.paused },
  });
  const today = dayOf(beganAt, settings.timeZone);
  const wait = waitFor(read.breaker, now());
  if (wait > 0) {
    if (isOneOfToday(read.cards, today)) await breaker.noteDelayOfToday();
    // Those that were not read come first the next time.
    return { waits: wakeAfter({ apiSet, now, dependencies }, wait, [...unread, ...first]) };
  }
  const account = await dependencies.account(apiSet).catch((error: unknown) => {
    if (!(error instanceof CredentialsUnavailableError)) throw error;
    report({ kind: "noCredentials", apiSet });
    return { unavailable: error.message };
  });
  const run: VendorRun = {
    ...given,
    ...{ account, now, beganAt, breaker, unread, today },
    later: [],
    unstored: [],
    rereads: [...notStored.rereads],
    ready: [],
    suspects: [],
    waitingSince: [],
  };
  await takeCards(run, first, { ...read, readAt: beganAt });
  return run;
}

/** The next cards to post: an array, one card while the breaker is open, and in the end the suspects one by one. */
function nextArray(run: VendorRun, isSecondProbe: boolean): Due[] {
  const { ready, suspects, breaker, now } = run;
  if (breaker.current().open !== undefined) {
    // The second probe is a suspect if there is one: it may be innocent, and all others bad.
    for (const waiting of isSecondProbe ? [suspects, ready] : [ready, suspects]) {
      const place = waiting.findIndex(({ card }) => breaker.restsUntil(card) <= now());
      if (place !== -1) return waiting.splice(place, 1);
    }
    return [];
  }
  if (ready.length === 0) return suspects.splice(0, 1);
  let characters = 0;
  const tooMuch = ready.findIndex(({ card }) => {
    characters += card.content.text().length;
    return characters > maxCharacters;
  });
  const size = arraySize(run);
  return ready.splice(0, tooMuch === -1 ? size : Math.min(size, Math.max(1, tooMuch)));
}

/** Records why a run stops, and opens the breaker if that is an outage. @returns the wake-ups of all cards that are left */
async function stopRun(run: VendorRun, stop: Stop<Due>): Promise<readonly WakeUp[]> {
  const { outage, left, alone = [] } = stop;
  if (outage !== undefined) {
    const { failure } = outage;
    await record(
      run,
      left.map((due): Judged => {
        const wait = alone.includes(due) ? askedWait(outage) : undefined;
        return { phase: "judged", due, result: { kind: "outage", failure, wait } };
      }),
    );
    rest(run, outage, alone.length === 0 && left.length === 1 ? left : alone);
    const { apiSet, breaker, dependencies } = run;
    if (failure.status === 401 || failure.status === 403)
      dependencies.report({ kind: "credentialsRefused", apiSet });
    if (breaker.current().open === undefined) dependencies.report({ kind: "paused", apiSet });
    await breaker.open(outage, delaysToday(run, left));
  }
  await recordNotes(run, [...run.ready, ...run.suspects, ...(outage === undefined ? left : [])]);
  const wait = Math.max(0, (run.breaker.current().open?.nextProbeAt ?? 0) - run.now());
  // The cards that were just posted come last, so that each has its turn: a failed probe is not recorded on them.
  const isResting = ({ card }: Due) => run.breaker.restsUntil(card) > run.now() + wait;
  return [
    ...wakeAfter(run, wait, [...waitingCards(run), ...left.filter((due) => !isResting(due)).map(wakeUpOf)]),
    ...left
      .filter(isResting)
      // If another card ends the outage, they come back soon.
      .flatMap((due) => wakeAfter(run, restOf(run, [due]), [wakeUpOf(due)])),
  ];
}
