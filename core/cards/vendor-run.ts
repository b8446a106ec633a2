import type { ApiSet } from "../accounts/account.ts";
import { CredentialsUnavailableError, type UnionAccount } from "../union/account-secrets.ts";
import type { Breaker } from "./breaker.ts";
import type { StoredCard } from "./card.ts";
import { type ArrayResponse, classifyResponse } from "./classify-response.ts";
import { decide } from "./decide.ts";
import type { DeliveryDependencies, DeliveryMemory } from "./dependencies.ts";
import type { ReceivedWakeUp, WakeUp } from "./queue.ts";
import { delayOnGrid, delaySeconds, recordingReserve } from "./timing.ts";

/** A card to be posted, as it was read. */
export interface DueCard {
  readonly wakeUp: ReceivedWakeUp;
  readonly card: StoredCard;
  /** When it was read, in milliseconds since 1970, UTC. */
  readonly readAt: number;
  /** It has its outcome already, and is posted once more. */
  readonly isRepost: boolean;
}

/** The state of a run for one vendor. */
export interface VendorRun {
  readonly apiSet: ApiSet;
  readonly dependencies: DeliveryDependencies;
  readonly memory: DeliveryMemory;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Milliseconds that the run has left. */
  readonly remaining: () => number;
  /** The vendor's account at the union, or why it cannot be read. */
  readonly account: UnionAccount | CredentialsUnavailableError;
  breaker: Breaker;
  /** Wake-ups of the cards to be tried later. */
  readonly later: WakeUp[];
  /** Cards whose version is not stored yet; the run reads them again in the end. */
  readonly unstored: ReceivedWakeUp[];
  /** Waits after which it will read them again, in milliseconds. */
  readonly rereads: number[];
}

/** Whether there is time for one more post and its record. */
export const hasTime = ({ remaining, dependencies }: VendorRun): boolean =>
  remaining() > dependencies.settings.timing.post + recordingReserve;

/** Wake-ups of cards after a wait, on the grid of seconds. */
export function wakeUpsAfter(
  milliseconds: number,
  apiSet: ApiSet,
  cards: readonly ReceivedWakeUp[],
  { now, random }: DeliveryDependencies,
): WakeUp[] {
  const delaySeconds = delayOnGrid(milliseconds, now().getTime(), random());
  return cards.map((card) => ({ ...card, apiSet, delaySeconds }));
}

/** Remembers whether the vendor's breaker is open. */
export function remember({ paused }: DeliveryMemory, apiSet: ApiSet, { open }: Breaker): void {
  if (open === undefined) paused.delete(apiSet);
  else paused.add(apiSet);
}

/** Opens or closes the vendor's breaker, unless another run has changed it since. */
export async function setBreaker(run: VendorRun, open: Breaker["open"]): Promise<void> {
  const { apiSet, breaker, dependencies } = run;
  const { table, report } = dependencies;
  if (open === undefined && breaker.open === undefined) return;
  if (open === undefined || breaker.open === undefined) report({ kind: open ? "paused" : "resumed", apiSet });
  const written = await table.writeBreaker(apiSet, breaker, open);
  run.breaker = written ?? (await table.readWithBreaker(apiSet, [])).breaker;
  remember(run.memory, apiSet, run.breaker);
}

/** Reads cards and returns those to post now; the others are dropped or woken up later. */
export async function readDue(run: VendorRun, wakeUps: readonly ReceivedWakeUp[]): Promise<DueCard[]> {
  const { apiSet, now, dependencies } = run;
  const readAt = now();
  const keys = wakeUps.map(({ externalId }) => ({ apiSet, externalId }));
  return dueOf(run, wakeUps, await dependencies.table.read(keys), readAt);
}

/** The cards to post now, of those that were read at a time; the others are dropped or woken up later. */
export function dueOf(
  { apiSet, now, dependencies, later, unstored, rereads }: VendorRun,
  wakeUps: readonly ReceivedWakeUp[],
  found: readonly StoredCard[],
  readAt: number,
): DueCard[] {
  const stored = new Map(found.map((card) => [card.externalId, card]));
  return wakeUps.flatMap((wakeUp): DueCard[] => {
    const card = stored.get(wakeUp.externalId);
    const decision = decide(card, wakeUp, now(), dependencies.settings.timing);
    if (decision.action === "reread" && rereads.length > 0) unstored.push(wakeUp);
    else if (decision.action === "reread" || decision.action === "wakeAgain") {
      const mark = decision.action === "wakeAgain" ? decision.mark : wakeUp.mark;
      later.push({ ...wakeUp, mark, apiSet, delaySeconds: delaySeconds(decision.inMilliseconds) });
    }
    if (card === undefined || (decision.action !== "post" && decision.action !== "repost")) return [];
    return [{ wakeUp, card, readAt, isRepost: decision.action === "repost" }];
  });
}

/** Reads cards again that were read too long ago for one more post. @returns those that are still to be posted */
export async function refresh(run: VendorRun, cards: readonly DueCard[]): Promise<readonly DueCard[]> {
  const { post, readToPostEnd } = run.dependencies.settings.timing;
  const isFresh = ({ readAt }: DueCard) => run.now() + post <= readAt + readToPostEnd;
  let fresh = cards;
  // The read itself may take too long.
  while (hasTime(run) && !fresh.every(isFresh)) {
    fresh = await readDue(
      run,
      fresh.map(({ wakeUp }) => wakeUp),
    );
  }
  return fresh;
}

/** Posts cards to the exchange; the breaker closes if it echoes or refuses them. */
export async function post(run: VendorRun, cards: readonly DueCard[]): Promise<ArrayResponse> {
  const { apiSet, account, now, memory, dependencies } = run;
  if (account instanceof CredentialsUnavailableError) {
    return { kind: "outage", failure: { phase: "before", message: account.message } };
  }
  const outbound = cards.map(({ card: { externalId, content, requestId } }) => {
    return { externalId, card: content.text(), requestId };
  });
  const beganAt = now();
  const result = await dependencies.post(account, outbound);
  dependencies.report({ kind: "posted", apiSet, result, milliseconds: now() - beganAt, cards: outbound });
  const response = classifyResponse(result);
  if (response.kind === "echoed" && response.ids.size > 0) memory.wentThroughAt = now();
  if (response.kind === "echoed" || response.kind === "refused") await setBreaker(run, undefined);
  return response;
}
