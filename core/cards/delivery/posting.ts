import type { PostResult } from "../../union/exchange.ts";
import type { DeliveryFailure } from "../life/card.ts";
import type { Outage } from "./breaker.ts";
import { isSuspect, nameOf, wakeUpOf } from "./decide.ts";
import { endOutage, hasTime, refresh, wakeAfter } from "./due-cards.ts";
import {
  type FailedAlone,
  type FailedPost,
  resultOfSuspect,
  type Stop,
  searchFault,
  type Tried,
} from "./fault-search.ts";
import { answerOf, isMaybeThere } from "./posts.ts";
import { record } from "./record.ts";
import type { CardResult, Due, Judged, Posted, VendorRun } from "./run.ts";
import { evidenceSince } from "./verdict.ts";

/** Posts of a vendor that are remembered: more than any card is tried before it has its verdict. */
const maxPostsSeen = 2000;

/** What a response of the exchange means for the posted array. */
export type ArrayResponse =
  /** The cards in the echo are delivered; there is at least one. */
  | {
      readonly kind: "echoed";
      /** Why a card of the post is not delivered; undefined if it is. */
      readonly failureOf: (externalId: string) => DeliveryFailure | undefined;
      /** The 409 to a single card that is as good as an echo. */
      readonly conflict?: DeliveryFailure | undefined;
    }
  /** Either a card or the exchange is at fault; `outage`: the exchange is. */
  | ({ readonly kind: "failed" | "outage" } & Outage);

/** The failure of a card that a 2xx response does not echo. The body may have data of persons, so it is not repeated. */
const notEchoed: DeliveryFailure = {
  phase: "after",
  message: "The exchange's echo did not hold the card.",
};

/**
 * Classifies the result of a post.
 *
 * Only if nothing was sent it is an outage at once. Any other answer may be about a card, or come from something on the way: whose
 * fault it is, is found by comparing posts.
 */
export function classifyResponse(result: PostResult): ArrayResponse {
  if (result.phase === "before") return { kind: "outage", failure: result };
  if (result.phase === "during") return { kind: "failed", failure: result };
  const { status, bodyExcerpt, echoed, refused, retryAfterSeconds } = result;
  const failureOf = (externalId: string): DeliveryFailure | undefined => {
    if (echoed.has(externalId)) return undefined;
    const own = refused?.get(externalId);
    if (own === undefined) return { ...notEchoed, status };
    return { phase: "after", status: own, message: "The exchange refused the card.", isNamed: true };
  };
  if (echoed.size > 0) return { kind: "echoed", failureOf };
  const [refusedFirst] = refused?.keys() ?? [];
  const refusal = refusedFirst === undefined ? undefined : failureOf(refusedFirst);
  if (refusal !== undefined) return { kind: "failed", failure: refusal };
  const isSuccess = status >= 200 && status < 300;
  const failure: DeliveryFailure = isSuccess
    ? { ...notEchoed, status }
    : { phase: "after", status, message: bodyExcerpt };
  const message = status === 401 ? "The exchange refused the vendor's credentials." : failure.message;
  return { kind: "failed", failure: { ...failure, message }, retryAfterSeconds };
}

/**
 * Posts cards together, and records those that are delivered. The breaker closes if there are any.
 *
 * A 409 to a single card means that it is delivered, if the exchange may have taken an earlier post of it.
 */
export async function attempt(run: VendorRun, cards: readonly Due[]): Promise<Tried<Due>> {
  const due = await refresh(run, cards);
  if (due.length === 0) return { kind: "done" };
  if (!hasTime(run) || run.breaker.isPaused()) return { kind: "stopped", left: due };
  const { cards: posted, response, milliseconds } = await post(run, due);
  if (response.kind !== "echoed") {
    // In an outage the failure of a card shows nothing of the others.
    const isOpen = run.breaker.current().open !== undefined;
    if (due.length === 1 && response.kind === "failed" && !isOpen) see(run, false);
    return { ...response, left: posted.map(dueAgain), milliseconds };
  }
  see(run, true);
  const judged = posted.map(({ due: card, failure }): Judged => {
    if (failure === undefined)
      return { phase: "judged", due: card, result: { kind: "delivered", conflict: response.conflict } };
    return { phase: "judged", due: card, result: judgeFailed(run, { card, failure, milliseconds }) };
  });
  await record(run, judged);
  if (run.breaker.current().open !== undefined) await endOutage(run);
  return { kind: "done", milliseconds };
}

/** A card that failed in a post is due again, with what has to be recorded of that post. */
function dueAgain({ due, failure }: Posted): Due {
  const mayHave = failure !== undefined && answerOf(failure) === "unknown";
  // By a post before this one the exchange may have the card: then a 409 says that it has.
  const isToBeKept = due.unrecorded !== undefined && failure?.status === 409;
  return mayHave && !isToBeKept ? { ...due, unrecorded: { failure } } : due;
}

const judgeFailed = ({ memory, now }: VendorRun, alone: FailedAlone<Due>): CardResult =>
  alone.card.isRepost
    ? { kind: "postponed", failure: alone.failure }
    : resultOfSuspect({ ...alone, card: alone.card.card }, memory.seen, now());

/** Remembers whether a post went through, as evidence about other cards. */
function see({ apiSet, memory, now }: VendorRun, wentThrough: boolean): void {
  const seen = memory.seen.get(apiSet) ?? [];
  memory.seen.set(apiSet, seen);
  seen.push({ at: now(), wentThrough });
  if (seen.length > maxPostsSeen) seen.shift();
}

/** Posts cards to the exchange; the connection of a suspected one is closed afterwards. */
async function post(run: VendorRun, cards: readonly Due[]) {
  const postedAt = run.now();
  const response = readConflict(cards, classifyResponse(await send(run, cards)));
  const posted = cards.map((due): Posted => {
    const failure = response.kind === "echoed" ? response.failureOf(nameOf(due)) : response.failure;
    return { phase: "posted", due, failure };
  });
  return { cards: posted, response, milliseconds: run.now() - postedAt };
}

/** A 409 to a single card that the exchange may have by an earlier post is as good as an echo. */
function readConflict(cards: readonly Due[], response: ArrayResponse): ArrayResponse {
  const [only] = cards.length === 1 ? cards : [];
  if (only === undefined || response.kind === "echoed" || response.failure.status !== 409) return response;
  const { isRepost, unrecorded, card } = only;
  const mayHave = isRepost || (unrecorded && unrecorded.failure?.status !== 409) || isMaybeThere(card);
  return mayHave ? { kind: "echoed", failureOf: () => undefined, conflict: response.failure } : response;
}

async function send(run: VendorRun, cards: readonly Due[]): Promise<PostResult> {
  const { account, apiSet, dependencies, now } = run;
  if ("unavailable" in account) return { phase: "before", message: account.unavailable };
  const outbound = cards.map(({ card: { externalId, content, requestId } }) => {
    return { externalId, card: content.text(), requestId };
  });
  const postedAt = now();
  const result = await dependencies.post(account, outbound, { closesConnection: cards.some(isSuspect) });
  dependencies.report({ kind: "posted", apiSet, result, milliseconds: now() - postedAt, cards: outbound });
  // Also for a single card: this environment may have a password that has been replaced, and others the right one.
  if (result.phase === "after" && [401, 403].includes(result.status)) dependencies.forgetAccount(apiSet);
  if (result.phase === "after" && result.shape !== undefined)
    dependencies.report({ kind: "unknownAnswer", apiSet, shape: result.shape });
  return result;
}

/**
 * Finds out whether the exchange or cards are at fault if a post failed, and which cards: each is recorded as suspected, or as
 * rejected.
 *
 * @returns why the run must stop; undefined if it can go on
 */
export async function findFault(run: VendorRun, failed: FailedPost<Due>): Promise<Stop<Due> | undefined> {
  const { left } = failed;
  const { breaker, ready } = run;
  const [only] = left.length === 1 ? left : [];
  if (failed.kind === "outage" || breaker.current().open !== undefined) return { outage: failed, left };
  if (only?.isRepost) return suspect(run, { ...failed, card: only });
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
function isWitnessed({ apiSet, beganAt, breaker, memory }: VendorRun, { card }: Due): boolean {
  const since = Math.min(card.since, beganAt);
  const { closedAt = 0 } = breaker.current();
  return closedAt > card.since || evidenceSince(memory.seen, apiSet, since).through > 0;
}

/** Judges a card that failed alone. */
async function suspect(run: VendorRun, alone: FailedAlone<Due>): Promise<undefined> {
  const due = alone.card;
  const result = judgeFailed(run, alone);
  await record(run, [{ phase: "judged", due, result }]);
  if (result.kind === "outage" && due.wakeUp.claim === undefined)
    run.later.push(...wakeAfter(run, result.wait ?? 0, [wakeUpOf(due)]));
}
