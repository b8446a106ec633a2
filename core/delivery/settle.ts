import type { ApiSet } from "../accounts/api-set.ts";
import type { CardResult } from "./bisect.ts";
import type { CardChange, StoredCard } from "./card.ts";
import type { DeliveryDependencies } from "./dependencies.ts";
import type { ReceivedWakeUp, WakeUp } from "./queue.ts";
import { type Recorded, recordLate, recordOf, resultOf } from "./record.ts";
import { backoff, delaySeconds, repostsUntil } from "./timing.ts";

/** A card to be posted, as it was read. */
export interface DueCard {
  readonly wakeUp: ReceivedWakeUp;
  readonly card: StoredCard;
  /** When it was read, in milliseconds since 1970, UTC. */
  readonly readAt: number;
  /** It has its outcome already, and is posted once more. */
  readonly isRepost: boolean;
}

/** What a post came to for a card. */
export type PostedCard = readonly [due: DueCard, result: CardResult];

/** How often a record is tried if other runs change the card first. */
const rounds = 4;

const changeOf = ({ apiSet, externalId }: StoredCard, recorded: Recorded): CardChange => ({
  apiSet,
  externalId,
  ...recorded,
});

/**
 * Records what posts came to.
 *
 * @param wasOpen whether the vendor's breaker was open when the cards were posted
 * @returns the wake-ups of those that failed by themselves
 * @throws TableBatchError or QueueBatchError: some may not be recorded
 */
export async function settle(
  apiSet: ApiSet,
  posted: readonly PostedCard[],
  wasOpen: boolean,
  { table, send, now: clock, random, report, settings }: DeliveryDependencies,
): Promise<WakeUp[]> {
  const now = clock().getTime();
  const { giveUpMilliseconds, timing } = settings;
  const wakeUps: WakeUp[] = [];
  const changes = posted.flatMap(([{ card, wakeUp, isRepost }, answered]) => {
    // What a run that died has left unrecorded.
    const known = wakeUp.maybePosted ? { ...card, maybeAtExchange: card.version } : card;
    const result = resultOf(answered, known);
    const recorded = isRepost
      ? recordLate(card.version, result, card, now)
      : recordOf(known, result, { now, giveUpMilliseconds, wasOpen, random: random() });
    const { nextAttemptAt } = recorded?.set ?? {};
    if (nextAttemptAt !== undefined) {
      wakeUps.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(nextAttemptAt - now) });
    }
    const isUnanswered = result.kind === "notEchoed" || result.kind === "serverError";
    if (isRepost && isUnanswered && now - card.since < repostsUntil) {
      // Nothing is recorded of it, since the card has been delivered: so it has no attempts to wait by.
      wakeUps.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(backoff.longest) });
    }
    return recorded === undefined ? [] : [{ card, wakeUp, result, change: changeOf(card, recorded) }];
  });

  let open = changes;
  for (let round = 0; open.length > 0; round++) {
    if (round === rounds) throw new Error("Other runs keep changing a card.");
    const reposts = open.flatMap(({ card, wakeUp, change }): WakeUp[] => {
      const isDue = card.mustWait && change.set.state === "delivered";
      return isDue
        ? [{ ...wakeUp, apiSet, mark: "repost", delaySeconds: delaySeconds(timing.lateFinish) }]
        : [];
    });
    // Sent before the outcome is recorded, so that a recorded one always has its second post in the queue.
    if (reposts.length > 0) await send(reposts);
    const results = await table.write(open.map(({ change }) => change));
    const written = open.filter((_, index) => results[index] === "written");
    for (const [state, some] of Map.groupBy(written, ({ change }) => change.set.state)) {
      if (state !== undefined) report({ kind: "recorded", state, cards: some.length });
    }
    const lost = open.filter((_, index) => results[index] === "lost");
    if (lost.length === 0) break;
    const found = await table.read(lost.map(({ card }) => card));
    const current = new Map(found.map((card) => [card.externalId, card]));
    open = lost.flatMap(({ card, wakeUp, result: before }) => {
      const now = current.get(card.externalId);
      if (now === undefined) return [];
      const result = now.version === card.version ? resultOf(before, now) : before;
      const recorded = recordLate(card.version, result, now, clock().getTime());
      return recorded === undefined ? [] : [{ card, wakeUp, result, change: changeOf(now, recorded) }];
    });
  }
  return wakeUps;
}
