import type { ApiSet } from "../../accounts/account.ts";
import type { CardChange, DeliveryFailure, StoredCard } from "../card.ts";
import { type CardState, State } from "../life/states.ts";
import type { ScorecardTable } from "../scorecard-table.ts";
import { type Breaker, latestOutage } from "./breaker.ts";
import type { DueCard } from "./due-cards.ts";
import type { WakeUp } from "./queue.ts";
import { type CardResult, isDelayed, recordOutcome, withArrival } from "./record.ts";
import { delaySeconds, type PostTiming } from "./timing.ts";

/** A card with the result of an attempt to post it. */
export interface CardAttempt {
  readonly due: DueCard;
  readonly result: CardResult;
  /** Set if an earlier post of the card has no known answer, and that is not recorded yet: how it failed, if that is known. */
  readonly unclear?: { readonly failure?: DeliveryFailure } | undefined;
}

/** An attempt with the change that records it, and the card that it is a change of. */
interface Unrecorded {
  readonly attempt: CardAttempt;
  readonly card: StoredCard;
  readonly change: CardChange;
}

/** Cards for which a state was recorded, and how many of them took longer than the service objective allows. */
export interface RecordedCards {
  readonly state: CardState;
  readonly cards: number;
  readonly delayed: number;
}

/** What recording uses. */
export interface RecordingDependencies {
  readonly table: Pick<ScorecardTable, "read" | "write">;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly timing: PostTiming;
  readonly giveUpMilliseconds: number;
  readonly timeZone: string;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (recorded: RecordedCards) => void;
}

/** How often a change is tried if other runs change the card first. */
const maxTries = 4;

/**
 * Makes the function that records the results of posts.
 *
 * @returns a function to the wake-ups of suspected cards; it throws TableBatchError or QueueBatchError: some may not be recorded
 */
export function createRecording(apiSet: ApiSet, dependencies: RecordingDependencies) {
  const { table, send, timing, timeZone, giveUpMilliseconds, now, random } = dependencies;

  /** The change that records an attempt, if there is anything new. @param card as it is stored */
  function changeAfter(attempt: CardAttempt, card: StoredCard, { open }: Breaker): Unrecorded[] {
    const { due, result, unclear } = attempt;
    const outcome = { posted: due.wakeUp.version, result, unclear, isRepost: due.isRepost };
    const context = { now: now(), giveUpMilliseconds, wasOpen: open !== undefined, random: random() };
    const update = recordOutcome(card, outcome, context);
    if (update === undefined) return [];
    const { externalId, content } = card;
    return [{ attempt, card, change: { apiSet, externalId, ...withArrival(update, content, timeZone) } }];
  }

  /** The changes for cards that another run changed first, by what is stored now. */
  async function changesOfLost(lost: readonly Unrecorded[], breaker: Breaker): Promise<Unrecorded[]> {
    if (lost.length === 0) return [];
    const found = await table.read(lost.map(({ card }) => card));
    const stored = new Map(found.map((card) => [card.externalId, card]));
    return lost.flatMap(({ attempt, card: { externalId } }) => {
      const current = stored.get(externalId);
      return current === undefined ? [] : changeAfter(attempt, current, breaker);
    });
  }

  return async function record(attempts: readonly CardAttempt[], breaker: Breaker): Promise<WakeUp[]> {
    let unrecorded = attempts.flatMap((attempt) => changeAfter(attempt, attempt.due.card, breaker));
    const later = unrecorded.flatMap(({ attempt, change: { set } }): WakeUp[] => {
      if (set.nextAttemptAt === undefined) return [];
      return [{ ...attempt.due.wakeUp, apiSet, delaySeconds: delaySeconds(set.nextAttemptAt - now()) }];
    });
    for (let round = 0; unrecorded.length > 0; round++) {
      if (round === maxTries) throw new Error("Other runs keep changing a card.");
      const reposts = unrecorded.filter(
        ({ card, change }) => card.mustWait && change.set.state === State.delivered,
      );
      // Sent before the outcome is recorded, so a recorded outcome always has its second post in the queue.
      if (reposts.length > 0) await send(reposts.map((one) => repostOf(one, timing)));
      const results = await table.write(unrecorded.map(({ change }) => change));
      reportRecorded(
        unrecorded.filter((_, index) => results[index] === "written"),
        breaker,
        dependencies,
      );
      const lost = unrecorded.filter((_, index) => results[index] === "lost");
      unrecorded = await changesOfLost(lost, breaker);
    }
    return later;
  };
}

function repostOf({ attempt, card: { apiSet, version } }: Unrecorded, { lateFinish }: PostTiming): WakeUp {
  return { ...attempt.due.wakeUp, version, apiSet, mark: "repost", delaySeconds: delaySeconds(lateFinish) };
}

function reportRecorded(
  written: readonly Unrecorded[],
  breaker: Breaker,
  { now, report }: Pick<RecordingDependencies, "now" | "report">,
): void {
  const outage = latestOutage(breaker, now());
  for (const [state, changed] of Map.groupBy(written, ({ change }) => change.set.state)) {
    if (state === undefined) continue;
    const isLate = ({ card }: Unrecorded) => state === State.delivered && isDelayed(card, outage, now());
    report({ state, cards: changed.length, delayed: changed.filter(isLate).length });
  }
}
