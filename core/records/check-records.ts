import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import type { CardChange, StoredCard } from "../cards/card.ts";
import type { ScorecardTable } from "../cards/scorecard-table.ts";
import type { AskForRecord, RecordAnswer } from "./ask-for-records.ts";
import { type CardRound, findRound, roundOf } from "./card-round.ts";
import { isLastLook, nextLookAt, type RecordCheckTiming } from "./check-timing.ts";
import type { DueCards, RecordCheckLists } from "./record-check-table.ts";

/** The lists of cards to check, the table for their results, and the limits of a check. */
export interface RecordCheckDependencies {
  readonly lists: RecordCheckLists;
  readonly table: Pick<ScorecardTable, "read" | "write">;
  /** Never throws. */
  readonly ask: AskForRecord;
  /** Concurrent requests to the union. */
  readonly parallelRequests: number;
  readonly timing: RecordCheckTiming;
  readonly now: () => Date;
}

/** The counts of a check. */
export interface RecordCheckReport {
  /** Cards that are in the player's record. */
  readonly recorded: number;
  /** Cards that were not in it at the last check. */
  readonly notRecorded: number;
  /** Cards that are looked for again later. */
  readonly notYet: number;
  /** Cards for which the union did not answer: they are looked for again later. */
  readonly unanswered: number;
  /** For how long the oldest list that is left has been due, in milliseconds; 0 if none is left. */
  readonly lateMilliseconds: number;
}

/** A card that is looked for, and the list that it is from. */
interface SoughtCard {
  readonly list: DueCards;
  readonly card: StoredCard;
  readonly round: CardRound;
}

/** The result of looking for one card; `left`: the union was not asked. */
type SearchResult = SoughtCard & {
  readonly found: ReturnType<typeof findRound> | Extract<RecordAnswer, string>;
};

/** A card's version is looked for until its result is known; a later version has a list of its own. */
const isSought = (card: StoredCard, list: DueCards) =>
  card.state === "delivered" && card.record === undefined && card.since <= list.since;

/**
 * The change of a card that follows from the result; undefined if it is looked for again. @param now milliseconds since 1970,
 * UTC
 */
function resultOf(
  { card, found }: SearchResult,
  now: number,
  timing: RecordCheckTiming,
): CardChange | undefined {
  const { apiSet, externalId, version, since } = card;
  const change = (record: NonNullable<StoredCard["record"]>): CardChange => {
    return { apiSet, externalId, expects: { version, states: ["delivered"] }, set: { record } };
  };
  if (found === "unanswered" || found === "left") return undefined;
  if (typeof found === "object") {
    const { differential } = found;
    return change({ at: now, isRecorded: true, ...(differential !== undefined && { differential }) });
  }
  if (!isLastLook(since, now, timing)) return undefined;
  return change({
    at: now,
    isRecorded: false,
    ...(found !== undefined && { absence: found }),
  });
}

/** The rest of a list: its cards without a result; undefined if all have one. */
function leftOf(
  list: DueCards,
  looks: readonly SearchResult[],
  now: number,
  timing: RecordCheckTiming,
): DueCards | undefined {
  const undecided = looks.filter((look) => resultOf(look, now, timing) === undefined);
  if (undecided.length === 0) return undefined;
  const externalIds = undecided.map(({ card }) => card.externalId);
  // The cards of a batch were delivered at about the same time: all are looked for when the first of them is due.
  const dueAt = Math.min(...undecided.map(({ card }) => nextLookAt(card.since, now, timing)));
  return { ...list, dueAt, externalIds };
}

/**
 * Looks for delivered cards in the players' records at the union, until all that are due were looked for or the time is up.
 *
 * A run that is killed loses nothing: a card's result is written before its list is replaced, and a card with a result is not
 * looked for again. Each player's record is requested once in a run.
 *
 * @param isTimeUp whether the time for requests is over
 * @throws TableBatchError, or DynamoDB's error if the lists cannot be read: the next run goes on from there
 */
export async function checkRecords(
  { lists, table, ask, parallelRequests, timing, now }: RecordCheckDependencies,
  isTimeUp: () => boolean,
): Promise<RecordCheckReport> {
  const counts = { recorded: 0, notRecorded: 0, notYet: 0, unanswered: 0 };

  async function look(sought: SoughtCard): Promise<SearchResult> {
    const answer = isTimeUp() ? "left" : await ask(sought.card.apiSet, sought.round, sought.card.since);
    return { ...sought, found: typeof answer === "string" ? answer : findRound(sought.round, answer) };
  }

  async function work(due: readonly DueCards[]): Promise<void> {
    const keys = due.flatMap(({ apiSet, externalIds }) =>
      externalIds.map((externalId) => ({ apiSet, externalId })),
    );
    const cards = await table.read(keys);
    const stored = new Map<ApiSet, Map<string, StoredCard>>();
    for (const [apiSet, own] of Map.groupBy(cards, (card) => card.apiSet)) {
      stored.set(apiSet, new Map(own.map((card) => [card.externalId, card])));
    }
    const sought = due.flatMap((list) =>
      list.externalIds.flatMap((externalId): SoughtCard[] => {
        const card = stored.get(list.apiSet)?.get(externalId);
        const round = card !== undefined && isSought(card, list) ? roundOf(card.content) : undefined;
        return card === undefined || round === undefined ? [] : [{ list, card, round }];
      }),
    );
    const looks = await pMap(sought, look, { concurrency: parallelRequests });

    const at = now().getTime();
    const results = looks.flatMap((one) => resultOf(one, at, timing) ?? []);
    // A result is only lost if its card has changed meanwhile. The changed card's delivery is in a later list.
    const written = await table.write(results);
    for (const [place, { set }] of results.entries()) {
      if (written[place] === "written") counts[set.record?.isRecorded ? "recorded" : "notRecorded"]++;
    }
    const byList = Map.groupBy(looks, ({ list }) => list);
    const isLeft = (list: DueCards) => byList.get(list)?.some(({ found }) => found === "left") ?? false;
    const done = due.filter((list) => !isLeft(list));
    const left = done.flatMap((list) => leftOf(list, byList.get(list) ?? [], at, timing) ?? []);
    await lists.replace(done, left);
    const unanswered = looks.filter(({ found }) => found === "unanswered").length;
    counts.unanswered += unanswered;
    counts.notYet += left.reduce((sum, { externalIds }) => sum + externalIds.length, 0) - unanswered;
  }

  let page = await lists.due(now().getTime());
  while (page.length > 0 && !isTimeUp()) {
    await work(page);
    page = await lists.due(now().getTime(), page.at(-1));
  }
  const at = now().getTime();
  const [oldest] = await lists.due(at);
  return { ...counts, lateMilliseconds: oldest === undefined ? 0 : at - oldest.dueAt };
}
