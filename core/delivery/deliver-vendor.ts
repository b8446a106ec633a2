import { setTimeout as sleep } from "node:timers/promises";
import type { ApiSet } from "../accounts/api-set.ts";
import { CredentialsUnavailableError } from "../union/account.ts";
import { type Breaker, openedBy, permissionOf, probeWait } from "./breaker.ts";
import type { StoredCard } from "./card.ts";
import { classifyResponse, type Outage, type Response } from "./classify-response.ts";
import { decide } from "./decide.ts";
import type { DeliveryDependencies, DeliveryMemory } from "./dependencies.ts";
import { postArray } from "./post-array.ts";
import type { ReceivedWakeUp, WakeUp } from "./queue.ts";
import { type DueCard, settle } from "./settle.ts";
import { delayOnGrid, delaySeconds, notStored, probe, recordingReserve } from "./timing.ts";

/** Cards read in one request to the table. */
const readTogether = 100;
/** Characters of JSON in a post of more than one card: web servers refuse a body of a few megabytes. */
const mostCharacters = 512 * 1024;

/**
 * Delivers those of one vendor's cards that are due, array by array.
 *
 * @param remaining milliseconds that the run has left
 * @returns the wake-ups of all cards that are to be tried later
 * @throws whatever keeps it from reading or recording; no message of the vendor is done with then
 */
export async function deliverVendor(
  apiSet: ApiSet,
  wakeUps: readonly ReceivedWakeUp[],
  dependencies: DeliveryDependencies,
  memory: DeliveryMemory,
  remaining: () => number,
): Promise<readonly WakeUp[]> {
  const { settings, table, random, report } = dependencies;
  const { timing } = settings;
  const now = () => dependencies.now().getTime();
  const later: WakeUp[] = [];
  function wakeLater(cards: readonly ReceivedWakeUp[], milliseconds: number): readonly WakeUp[] {
    const delay = delayOnGrid(milliseconds, now(), random());
    for (const card of cards) later.push({ ...card, apiSet, delaySeconds: delay });
    return later;
  }

  let breaker = await table.readBreaker(apiSet);
  const permission = permissionOf(breaker, now(), timing);
  if (permission.kind === "wait") return wakeLater(wakeUps, permission.milliseconds);
  if (permission.kind === "probe") {
    const claimed = await table.writeBreaker(apiSet, breaker, permission.claimed);
    if (claimed === undefined) return wakeLater(wakeUps, probe.shortest);
    breaker = claimed;
  }
  async function setBreaker(open: Breaker["open"]): Promise<void> {
    if (open === undefined && breaker.open === undefined) return;
    if (open === undefined || breaker.open === undefined)
      report({ kind: open ? "paused" : "resumed", apiSet });
    breaker = (await table.writeBreaker(apiSet, breaker, open)) ?? (await table.readBreaker(apiSet));
  }

  const account = await dependencies.account(apiSet).catch((error: unknown) => {
    if (!(error instanceof CredentialsUnavailableError)) throw error;
    report({ kind: "noCredentials", apiSet });
    return error;
  });
  async function post(cards: readonly DueCard[]): Promise<Response> {
    if (account instanceof CredentialsUnavailableError) {
      return { kind: "outage", failure: { phase: "before", message: account.message } };
    }
    const outbound = cards.map(({ card: { externalId, content, requestId } }) => {
      return { externalId, card: content.text(), requestId };
    });
    const beganAt = now();
    const result = await dependencies.post(account, outbound);
    report({ kind: "posted", apiSet, result, milliseconds: now() - beganAt, cards: outbound });
    const response = classifyResponse(result);
    if (response.kind === "echoed" && response.ids.size > 0) memory.wentThroughAt = now();
    if (response.kind === "echoed" || response.kind === "refused") await setBreaker(undefined);
    return response;
  }

  const unread = [...wakeUps];
  const unstored: ReceivedWakeUp[] = [];
  let isReread = false;
  /** Reads cards; those that are not to be posted now are dropped or woken up later. */
  async function readDue(candidates: readonly ReceivedWakeUp[]): Promise<DueCard[]> {
    const readAt = now();
    const found = await table.read(candidates.map(({ externalId }) => ({ apiSet, externalId })));
    const stored = new Map(found.map((card) => [card.externalId, card]));
    return candidates.flatMap((wakeUp): DueCard[] => {
      const card = stored.get(wakeUp.externalId);
      const decision = decide(card, wakeUp, now(), timing);
      if (decision.action === "lookAgain" && !isReread) unstored.push(wakeUp);
      else if (decision.action === "lookAgain" || decision.action === "wakeAgain") {
        const mark = decision.action === "wakeAgain" ? decision.mark : wakeUp.mark;
        later.push({ ...wakeUp, mark, apiSet, delaySeconds: delaySeconds(decision.inMilliseconds) });
      }
      if (card === undefined || (decision.action !== "post" && decision.action !== "repost")) return [];
      return [{ wakeUp, card, readAt, isRepost: decision.action === "repost" }];
    });
  }

  const ready: DueCard[] = [];
  /** Cards that were answered with 500 alone go last and by themselves. */
  const isolated: DueCard[] = [];
  function sort(cards: readonly DueCard[]): void {
    for (const due of cards) (isKnownBad(due.card) ? isolated : ready).push(due);
  }
  const hasTime = () => remaining() > timing.post + recordingReserve;
  const isFresh = ({ readAt }: DueCard) => now() + timing.post <= readAt + timing.readToPostEnd;

  let size = memory.sizes.get(apiSet) ?? settings.postSize;
  /** An exchange that is too slow for large arrays, or many bad cards in one, gets smaller ones for a while. */
  function resize(factor: number): void {
    size = Math.max(1, Math.min(settings.postSize, Math.floor(size * factor)));
    memory.sizes.set(apiSet, size);
  }
  function nextArray(): DueCard[] {
    if (ready.length === 0) return isolated.splice(0, 1);
    let characters = 0;
    const tooMuch = ready.findIndex(({ card }) => {
      characters += card.content.text().length;
      return characters > mostCharacters;
    });
    return ready.splice(0, tooMuch === -1 ? size : Math.min(size, Math.max(1, tooMuch)));
  }

  for (;;) {
    while (unread.length > 0 && ready.length < size) sort(await readDue(unread.splice(0, readTogether)));
    if (ready.length + isolated.length === 0 && unstored.length > 0) {
      await sleep(notStored.firstReread);
      isReread = true;
      sort(await readDue(unstored.splice(0)));
    }
    const array = nextArray();
    if (array.length === 0) break;
    const { left, outage, posts } = await postArray(array, {
      hasTime,
      refreshed: async (cards) => {
        let fresh = cards;
        // The read may have taken too long itself.
        while (hasTime() && !fresh.every(isFresh)) fresh = await readDue(fresh.map(({ wakeUp }) => wakeUp));
        return fresh;
      },
      post,
      othersWentThrough: ({ card }) => memory.wentThroughAt > card.since,
      settle: async (posted) => {
        later.push(...(await settle(apiSet, posted, breaker.open !== undefined, dependencies)));
      },
    });
    const [first] = array;
    const isBadCard = first !== undefined && isKnownBad(first.card) && outage?.failure.status === 500;
    if (isBadCard && breaker.open === undefined) {
      // Only cards that are known to fail wait. The one that was posted comes last then, so that each has its turn.
      const bad = [...isolated.splice(0), first].map(({ wakeUp }) => wakeUp);
      wakeLater(bad, probeWait(now() - first.card.since));
      continue;
    }
    if (outage === undefined && left.length === 0) {
      resize(2);
      continue;
    }
    const wasTooMuch = outage === undefined ? posts > 0 : isTooMuch(outage);
    if (wasTooMuch) resize(1 / 2);
    if (outage?.credentialsRefused) dependencies.forgetAccount(apiSet);
    if (outage !== undefined) await setBreaker(openedBy(outage, breaker, now()));
    const wait = Math.max(0, (breaker.open?.nextProbeAt ?? 0) - now());
    // Who was just posted comes last, so that each card has its turn: nothing else tells of a failed probe.
    return wakeLater(
      [
        ...[...ready, ...isolated].map(({ wakeUp }) => wakeUp),
        ...unread,
        ...unstored,
        ...left.map(({ wakeUp }) => wakeUp),
      ],
      wait,
    );
  }
  // Nothing was due: another run may probe.
  if (breaker.open?.probing) await setBreaker({ ...breaker.open, probing: false, nextProbeAt: now() });
  return later;
}

/** Cards that were answered with 500 alone are posted by themselves. */
const isKnownBad = ({ serverErrors }: StoredCard) => serverErrors > 0;

const isTooMuch = ({ failure }: Outage) => failure.phase === "during" || failure.status === 500;
