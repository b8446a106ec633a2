import type { ApiSet } from "../../accounts/account.ts";
import type { StoredCard } from "../card.ts";
import { decide } from "./decide.ts";
import type { ReceivedWakeUp, WakeUp } from "./queue.ts";
import { delaySeconds, type PostTiming } from "./timing.ts";

/** A card to be posted, as it was read. */
export interface DueCard {
  readonly wakeUp: ReceivedWakeUp;
  readonly card: StoredCard;
  /** When it was read, in milliseconds since 1970, UTC. */
  readonly readAt: number;
  /** It has its outcome already, and is posted once more. */
  readonly isRepost: boolean;
}

export const nameOf = ({ card }: DueCard): string => card.externalId;
export const wakeUpOf = ({ wakeUp }: DueCard): ReceivedWakeUp => wakeUp;
export const isSuspect = ({ card }: DueCard): boolean => card.suspicion !== undefined;

/** What to do with cards by what their items say. */
interface SortedCards {
  readonly due: DueCard[];
  /** Cards of earlier days that wait until those of the day have gone. */
  readonly heldBack: ReceivedWakeUp[];
  readonly later: WakeUp[];
  /** Cards whose version is not stored yet. */
  readonly unstored: ReceivedWakeUp[];
  /** Cards that are being withdrawn by a request that has ended without deciding. */
  readonly undecided: StoredCard[];
  /** Cards of which a run that died may have posted a version. */
  readonly missed: DueCard[];
  /** Those of them that may be due: they are read again once that is noted. */
  readonly again: ReceivedWakeUp[];
}

/** What the sorting of cards depends on. Times in milliseconds since 1970, UTC. */
interface SortContext {
  readonly apiSet: ApiSet;
  readonly now: number;
  readonly readAt: number;
  readonly timing: PostTiming;
  /** Whether the run reads cards once more that are not stored yet. */
  readonly rereads: boolean;
  readonly isHeldBack: (card: StoredCard) => boolean;
}

/** Sorts the cards that wake-ups name by what is to be done with them. @param found those that are stored */
export function sortCards(
  wanted: readonly ReceivedWakeUp[],
  found: readonly StoredCard[],
  { apiSet, now, readAt, timing, rereads, isHeldBack }: SortContext,
): SortedCards {
  const stored = new Map(found.map((card) => [card.externalId, card]));
  const lists = { due: [], heldBack: [], later: [], unstored: [], undecided: [], missed: [], again: [] };
  const sorted: SortedCards = lists;
  for (const wakeUp of wanted) {
    const card = stored.get(wakeUp.externalId);
    const decision = decide(card, wakeUp, now, timing);
    if (decision.action === "reread" && rereads) sorted.unstored.push(wakeUp);
    else if (decision.action === "reread" || decision.action === "wakeAgain") {
      const mark = decision.action === "wakeAgain" ? decision.mark : wakeUp.mark;
      sorted.later.push({ ...wakeUp, mark, apiSet, delaySeconds: delaySeconds(decision.inMilliseconds) });
    }
    if (card === undefined) continue;
    const due = { wakeUp, card, readAt, isRepost: decision.action === "repost" };
    if (decision.action === "concludeWithdrawal") sorted.undecided.push(card);
    if (decision.action === "noteMissedPost") {
      sorted.missed.push(due);
      if (decision.isDue) sorted.again.push(wakeUp);
    }
    if (decision.action === "repost") sorted.due.push(due);
    if (decision.action === "post" && isHeldBack(card)) sorted.heldBack.push(wakeUp);
    else if (decision.action === "post") sorted.due.push(due);
  }
  return sorted;
}
