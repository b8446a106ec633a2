import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { type CardChange, deliveredAsRead, type StoredCard } from "../cards/life/card.ts";
import { type CardRound, roundOf } from "../cards/life/card-content.ts";
import { State } from "../cards/life/states.ts";
import type { RecordedRound } from "../union/record-register.ts";
import type { AskForRecord, RecordAnswer } from "./ask-for-records.ts";
import { isLastLook, nextLookAt, type RecordCheckTiming, recordedLookAt } from "./check-timing.ts";
import { type ClaimedRow, claimedCard, roundIdentity, rowIdentity, rowOf } from "./claimed-rows.ts";
import { canBeChecked, type FoundShares } from "./found-shares.ts";
import type { DueCards, RecordCheckLists } from "./record-check-table.ts";
import type { RowClaims } from "./record-evidence-table.ts";

/** The lists of cards to check, the table for their results, and the limits of a check. */
export interface RecordCheckDependencies {
  readonly lists: RecordCheckLists;
  readonly table: Pick<ScorecardTable, "tryRead" | "tryWrite">;
  /** Which rows of the records are which card's. */
  readonly claims: RowClaims;
  /** How many of each vendor's cards were found in the last days. */
  readonly shares: FoundShares;
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
  /** Cards whose differential the union has calculated again. */
  readonly changed: number;
  /** Cards that are not in the record, of vendors of whom hardly any card is: nothing follows from it, and they are looked for again. */
  readonly uncheckable: number;
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

/** What the union answered about the player's record, and about that of the player before a correction, if there was one. */
type AnsweredCard = SoughtCard & { readonly answer: RecordAnswer; readonly former: RecordAnswer };

/** The result of looking for one card; `left`: the union was not asked. */
type SearchResult = SoughtCard & {
  readonly found: RecordedRound | "otherTotals" | undefined | Extract<RecordAnswer, string>;
  /** Whether the player before a correction has the round still; undefined if that is not known. */
  readonly isTwice?: boolean | undefined;
};

const isAnswered = ({ found }: SearchResult) => found !== "unanswered" && found !== "left";
const isFound = ({ found }: SearchResult) => typeof found === "object";

/**
 * A card's version is looked for until its result is known, and once more after it was found; a later version has a list of its
 * own.
 */
const isSought = (card: StoredCard, list: DueCards) =>
  card.state === State.delivered && card.record?.isRecorded !== false && card.since <= list.since;

/**
 * The change of a card that follows from the result; undefined if none does.
 *
 * @param now milliseconds since 1970, UTC
 * @param canBeMissing whether records can be checked for the card's vendor
 */
function toResult(
  { card, found, isTwice: twice }: SearchResult,
  now: number,
  timing: RecordCheckTiming,
  canBeMissing: boolean,
): CardChange | undefined {
  const { apiSet, externalId, since, record: before } = card;
  const change = (record: NonNullable<StoredCard["record"]>): CardChange => {
    return { apiSet, externalId, expects: deliveredAsRead(card), set: { record } };
  };
  if (found === "unanswered" || found === "left") return undefined;
  if (typeof found === "object") {
    const { differential = before?.differential } = found;
    const { isTwice: wasTwice = false, ...rest } = before ?? { at: now, isRecorded: true };
    const isTwice = twice ?? wasTwice;
    // The union has calculated it again, or has taken the round off a record.
    const isOther = differential !== before?.differential || isTwice !== wasTwice;
    return before === undefined || isOther
      ? change({ ...rest, ...(differential !== undefined && { differential }), ...(isTwice && { isTwice }) })
      : undefined;
  }
  if (before !== undefined || !canBeMissing || !isLastLook(since, now, timing)) return undefined;
  return change({
    at: now,
    isRecorded: false,
    ...(found !== undefined && { absence: found }),
  });
}

/** When a card is looked for next; undefined if its result is known for good. */
function nextLook(
  look: SearchResult,
  now: number,
  timing: RecordCheckTiming,
  canBeMissing: boolean,
): number | undefined {
  const { card } = look;
  if (isAnswered(look) && (isFound(look) || card.record !== undefined)) {
    return recordedLookAt(card.since, now, timing);
  }
  const isDecided = isAnswered(look) && canBeMissing && isLastLook(card.since, now, timing);
  return isDecided ? undefined : nextLookAt(card.since, now, timing);
}

/**
 * The rest of a list: its cards that are looked for again; empty if there are none.
 *
 * @param looks those that are not looked for again have no `dueAt`
 * @param refused cards whose item or claim the table could not read, or whose result or claim it refused
 */
function computeRemaining(
  list: DueCards,
  looks: readonly { readonly look: SearchResult; readonly dueAt: number | undefined }[],
  refused: readonly string[],
  refusedDueAt: number,
): DueCards[] {
  const isOfFound = list.batch.endsWith(foundSuffix);
  const again = [
    ...refused.map((externalId) => ({ externalId, dueAt: refusedDueAt, isKnown: isOfFound })),
    ...looks.flatMap(({ look, dueAt }) => {
      const { externalId, record } = look.card;
      const isKnown = isFound(look) || record !== undefined;
      return dueAt === undefined || refused.includes(externalId) ? [] : [{ externalId, dueAt, isKnown }];
    }),
  ];
  // The cards of a batch were delivered at about the same time, but those that were found are looked for at the end only.
  return [false, true].flatMap((isKnown) => {
    const cards = again.filter((one) => one.isKnown === isKnown);
    if (cards.length === 0) return [];
    const batch = !isKnown || isOfFound ? list.batch : list.batch + foundSuffix;
    const externalIds = cards.map(({ externalId }) => externalId);
    return [{ ...list, batch, dueAt: Math.min(...cards.map(({ dueAt }) => dueAt)), externalIds }];
  });
}

const isNew = ({ card }: Pick<SoughtCard, "card">) => card.record === undefined;
/** Distinguishes the list of a batch's cards that were found from the list of the others. */
const foundSuffix = "#found";

/** Reads the cards of lists that are still to be looked for, with their rounds. `unread`: whether the table refused to read a card. */
async function readSought(
  table: RecordCheckDependencies["table"],
  due: readonly DueCards[],
  noteError: (error: unknown) => void,
) {
  const stored = new Map<ApiSet, Map<string, StoredCard>>();
  const refused = new Map<ApiSet, ReadonlySet<string>>();
  for (const [apiSet, lists] of Map.groupBy(due, (list) => list.apiSet)) {
    const externalIds = lists.flatMap((list) => list.externalIds);
    const { cards, unread } = await table.tryRead(apiSet, externalIds).catch((error: unknown) => {
      noteError(error);
      return { cards: [], unread: new Set(externalIds) };
    });
    stored.set(apiSet, new Map(cards.map((card) => [card.externalId, card])));
    refused.set(apiSet, unread);
  }
  const sought = due.flatMap((list) =>
    list.externalIds.flatMap((externalId): SoughtCard[] => {
      const card = stored.get(list.apiSet)?.get(externalId);
      const round = card !== undefined && isSought(card, list) ? roundOf(card.content) : undefined;
      return card === undefined || round === undefined ? [] : [{ list, card, round }];
    }),
  );
  const isUnread = ({ apiSet }: DueCards, externalId: string) =>
    refused.get(apiSet)?.has(externalId) ?? false;
  return { sought, isUnread };
}

/** Asks for the records in which a card's round may be. */
async function search(sought: SoughtCard, ask: AskForRecord, isTimeUp: () => boolean): Promise<AnsweredCard> {
  const { apiSet, since, formerRound } = sought.card;
  const answer = isTimeUp() ? "left" : await ask(apiSet, sought.round, since);
  const isLeft = formerRound === undefined || isTimeUp();
  return { ...sought, answer, former: isLeft ? "left" : await ask(apiSet, formerRound, since) };
}

/** Whether the player before a correction has the card's round still, in a row that is no other card's. */
function isStillThere({ card, former }: AnsweredCard, known: ReadonlyMap<string, readonly ClaimedRow[]>) {
  const { formerRound } = card;
  if (typeof former === "string" || formerRound === undefined) return undefined;
  const claims = known.get(roundIdentity(formerRound)) ?? [];
  return typeof rowOf(claimedCard(card), formerRound, former, claims) === "object";
}

/**
 * Assigns each row of the records to one card, the cards that have one already first.
 *
 * @returns without the cards of which the table refused to read or write the claims
 */
async function assignRows(
  claims: RowClaims,
  answered: readonly AnsweredCard[],
  at: number,
): Promise<SearchResult[]> {
  const identities = ({ round, card: { formerRound } }: AnsweredCard) =>
    [round, formerRound ?? []].flat().map(roundIdentity);
  const { known, unread } = await claims.read(answered.flatMap(identities));
  const readable = answered.filter((one) => !identities(one).some((identity) => unread.has(identity)));
  const changed = new Map<string, readonly ClaimedRow[]>();
  const results = new Map<SoughtCard, SearchResult>();
  for (const sought of readable.toSorted((one, other) => Number(isNew(one)) - Number(isNew(other)))) {
    const { card, list, round, answer } = sought;
    if (typeof answer === "string") {
      results.set(sought, { list, card, round, found: answer });
      continue;
    }
    const name = claimedCard(card);
    const identity = roundIdentity(round);
    const others = known.get(identity) ?? [];
    const found = rowOf(name, round, answer, others);
    if (typeof found === "object") {
      const own = [...others.filter((claim) => claim.card !== name), { card: name, row: rowIdentity(found) }];
      known.set(identity, own);
      changed.set(identity, own);
    }
    results.set(sought, { list, card, round, found, isTwice: isStillThere(sought, known) });
  }
  // Before the results: a card whose result is stored has its row.
  const unwritten = await claims.write(changed, at);
  return readable.flatMap((one) => (unwritten.has(roundIdentity(one.round)) ? [] : (results.get(one) ?? [])));
}

/** Makes the function that counts the cards of each vendor that had to be found. @returns the vendors whose cards may be missing */
function createVendorJudge(
  shares: FoundShares,
  timing: RecordCheckTiming,
  noteError: (error: unknown) => void,
) {
  const ofVendors = new Map<ApiSet, { found: number; absent: number; vanished: number }>();
  return async (looks: readonly SearchResult[], at: number): Promise<ReadonlySet<ApiSet>> => {
    const able = new Set<ApiSet>();
    for (const [apiSet, own] of Map.groupBy(looks.filter(isAnswered), ({ card }) => card.apiSet)) {
      const lost = own.filter((look) => !isFound(look)).map(({ card }) => card);
      const found = own.length - lost.length;
      const vanished = lost.filter(({ record }) => record !== undefined).length;
      const missing = lost.filter((card) => isNew({ card }) && isLastLook(card.since, at, timing)).length;
      const absent = missing + vanished;
      const run = ofVendors.get(apiSet) ?? { found: 0, absent: 0, vanished: 0 };
      run.found += found;
      run.absent += absent;
      run.vanished += vanished;
      ofVendors.set(apiSet, run);
      const days = missing > 0 ? await shares.read(apiSet, at).catch(noteError) : undefined;
      if (missing > 0 && canBeChecked(run, days ?? [], at)) able.add(apiSet);
      if (found + absent > 0)
        await shares.add(apiSet, { found, absent, lastFoundAt: found > 0 ? at : 0 }, at).catch(noteError);
    }
    return able;
  };
}

/**
 * Looks for delivered cards in the players' records at the union, until all that are due were looked for or the time is up.
 *
 * A run that is killed loses nothing: a card's result is written before its list is replaced, and a card with a result is not
 * looked for again. Each player's record is requested once in a run.
 *
 * @param isTimeUp whether the time for requests is over
 * @throws the first error of the table, after all that it does not affect has been done: the next run goes on from there
 */
export async function checkRecords(
  { lists, table, claims, shares, ask, parallelRequests, timing, now }: RecordCheckDependencies,
  isTimeUp: () => boolean,
): Promise<RecordCheckReport> {
  const counts = { recorded: 0, notRecorded: 0, changed: 0, uncheckable: 0, notYet: 0, unanswered: 0 };
  const errors: unknown[] = [];
  const noteError = (error: unknown) => void errors.push(error);
  const judgeVendors = createVendorJudge(shares, timing, noteError);

  async function work(due: readonly DueCards[]): Promise<void> {
    const { sought, isUnread } = await readSought(table, due, noteError);
    const answered = await pMap(sought, (one) => search(one, ask, isTimeUp), {
      concurrency: parallelRequests,
    });

    const at = now().getTime();
    const looks = await assignRows(claims, answered, at);
    const able = await judgeVendors(looks, at);
    const isAble = ({ card }: SearchResult) => able.has(card.apiSet);
    const results = looks.flatMap((one) => toResult(one, at, timing, isAble(one)) ?? []);
    // A result is only lost if its card has changed meanwhile. A new version has a later list; of an erased player nothing is kept.
    const written = await table.tryWrite(results);
    const assigned = new Set(looks.map(({ card }) => card));
    const unassigned = new Set(answered.flatMap(({ card }) => (assigned.has(card) ? [] : claimedCard(card))));
    const isRefused = (list: DueCards, externalId: string) =>
      isUnread(list, externalId) ||
      unassigned.has(claimedCard({ apiSet: list.apiSet, externalId })) ||
      results.some((one, place) => {
        return written[place] === "refused" && one.apiSet === list.apiSet && one.externalId === externalId;
      });
    const known = new Set(
      looks.flatMap(({ card }) => (card.record === undefined ? [] : [claimedCard(card)])),
    );
    for (const [place, change] of results.entries()) {
      if (written[place] !== "written") continue;
      if (known.has(claimedCard(change))) counts.changed++;
      else counts[change.set.record?.isRecorded ? "recorded" : "notRecorded"]++;
    }
    const byList = Map.groupBy(looks, ({ list }) => list);
    const isLeft = (list: DueCards) => byList.get(list)?.some(({ found }) => found === "left") ?? false;
    const done = due.filter((list) => !isLeft(list));
    const left = done.flatMap((list) => {
      const own = byList.get(list) ?? [];
      const ownLooks = own.map((look) => ({ look, dueAt: nextLook(look, at, timing, isAble(look)) }));
      const refused = list.externalIds.filter((externalId) => isRefused(list, externalId));
      return computeRemaining(list, ownLooks, refused, nextLookAt(list.since, at, timing));
    });
    await lists.replace(done, left).catch(noteError);
    const undecided = looks.filter((look) => !isFound(look) && look.card.record === undefined);
    counts.unanswered += undecided.filter(({ found }) => found === "unanswered").length;
    counts.uncheckable += undecided.filter(
      (look) => isAnswered(look) && isLastLook(look.card.since, at, timing) && !isAble(look),
    ).length;
    counts.notYet += undecided.filter(
      (look) => isAnswered(look) && !isLeft(look.list) && !isLastLook(look.card.since, at, timing),
    ).length;
  }

  let page = await lists.due(now().getTime());
  while (page.length > 0 && !isTimeUp()) {
    await work(page);
    page = await lists.due(now().getTime(), page.at(-1));
  }
  if (errors.length > 0) throw errors[0];
  const at = now().getTime();
  const [oldest] = await lists.due(at);
  return { ...counts, lateMilliseconds: oldest === undefined ? 0 : at - oldest.dueAt };
}
