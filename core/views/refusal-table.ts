import type { DynamoDBClient, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { LoggedFault, TournamentOfCard } from "../../api/activity.ts";
import type { ApiSet } from "../accounts/account.ts";
import { batchWrite, type Item, number } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { queryPage } from "../aws/read-items.ts";
import { mapSettled } from "../formats/chunks.ts";
import type { Finding } from "../golf/findings.ts";
import type { NamesErased } from "./erased-persons-table.ts";
import { cardTag, faultChunks, logParts, partsOf, type StoredFault } from "./logged-faults.ts";

/*
 * The log of refusals is in the table of activity, under partition keys of its own, so that a vendor who is refused much is not in the
 * way of its counts and lists:
 *   {apiSet}#refused#{part}   2026-07-04T11:00:00.000Z#{request}#007   faults of a submission, packed
 * Items are written once, by the submission, and never changed.
 */
const partKey = (apiSet: ApiSet, part: string) => `${apiSet}#refused#${part}`;
const toIso = (instant: number) => new Date(instant).toISOString();

/**
 * Stores the faults of a submission's refused cards.
 *
 * @param at when it was refused, in milliseconds since 1970, UTC
 * @param namesErased finds faults that are not kept
 * @param tournamentAt the tournament that a card names, by its place in the submission
 */
export type LogRefusals = (
  apiSet: ApiSet,
  at: number,
  faults: readonly Finding[],
  requestId: string,
  namesErased: NamesErased,
  tournamentAt?: (index: number) => TournamentOfCard | undefined,
) => Promise<void>;

/** How far back refusals can be asked for, in days. */
export const refusalDays = 31;

/** Stores refusals in a DynamoDB table. A request that is repeated changes nothing. @throws TableBatchError */
export function refusalLog(table: string, client: DynamoDBClient): LogRefusals {
  return async (apiSet, at, faults, requestId, namesErased, tournamentAt) => {
    const items = faultChunks(faults, requestId, namesErased, tournamentAt).map((chunk): Item => {
      const tags = new Set(
        chunk.faults.flatMap(({ externalId }) => (externalId === undefined ? [] : [cardTag(externalId)])),
      );
      return {
        apiSet: { S: partKey(apiSet, chunk.part) },
        at: { S: `${toIso(at)}#${requestId}#${String(chunk.number).padStart(3, "0")}` },
        ...(tags.size > 0 && { cards: { SS: [...tags] } }),
        codes: { SS: [...new Set(chunk.faults.map(({ code }) => code))] },
        ...(chunk.faults.some(({ tournament }) => tournament !== undefined) && {
          ofTournament: { BOOL: true },
        }),
        faults: { B: packJson(chunk.faults) },
        // A day is asked for as a whole.
        expiresAt: number(Math.ceil(at / 1000) + (refusalDays + 1) * 86_400),
      };
    });
    await batchWrite(client, table, items);
  };
}

/** Which refusals to read. Instants are in milliseconds since 1970, UTC. */
export interface RefusalQuery {
  readonly from: number;
  readonly before: number;
  readonly code?: string | undefined;
  readonly externalId?: string | undefined;
}

/** A place in the list of refusals: an item of the log, and how many of its faults come before. */
export interface LogPlace {
  /** E.g. `2026-07-04T11:00:00.000Z#5cf3…#007`. */
  readonly item: string;
  readonly faults: number;
}

/** Reads a vendor's refusals. */
export interface RefusalReader {
  /**
   * The faults of refused cards, the newest submission first, those of a submission in the order of its cards if it is a small one.
   *
   * @param after where the page before ended
   * @returns at most `limit` faults, and where the next page begins, if there may be one: a search can find none in what it has read
   */
  page(
    apiSet: ApiSet,
    query: RefusalQuery,
    limit: number,
    after?: LogPlace,
  ): Promise<{ readonly faults: readonly LoggedFault[]; readonly next?: LogPlace }>;
  /**
   * The faults of the submission in which each card was refused last, by ExternalID; cards that were not refused are left out.
   *
   * @param since the earliest instant to look at
   */
  newest(
    apiSet: ApiSet,
    externalIds: readonly string[],
    since: number,
  ): Promise<Map<string, readonly LoggedFault[]>>;
  /**
   * The faults of cards that name a tournament, of all submissions from one instant on.
   *
   * @returns all of them, unless there are more than some ten thousand: then the newest of each part of the log
   */
  ofTournaments(
    apiSet: ApiSet,
    from: number,
  ): Promise<{ readonly faults: readonly LoggedFault[]; readonly isComplete: boolean }>;
}

const parallelQueries = 20;
/** Items in one request for a list. */
const listedItems = 10;
/** Items in one request for a code: most do not have it. */
const searchedItems = 500;
/** Requests that one page may take after the first to each part. */
const maxQueries = 100;
/** Greater than the number of faults in an item. */
const wholeItem = 99_999;

interface LoggedItem {
  readonly at: string;
  readonly faults: readonly LoggedFault[];
}

function loggedItem({ at: key, faults: packed }: Item): LoggedItem {
  const at = key?.S ?? "";
  const [time = "", requestId = ""] = at.split("#");
  const faults = unpackJson(packed?.B ?? new Uint8Array()) as StoredFault[];
  return { at, faults: faults.map((fault) => ({ at: time, requestId, ...fault })) };
}

/** What is unread of one part of the log: items that were found, and the position from which to read on. */
interface UnreadPart {
  readonly part: string;
  items: LoggedItem[];
  /** Upper bound of what was not read; undefined at the end. */
  upTo: string | undefined;
  startKey?: Item | undefined;
}

/** Which items of a part are read, and how many at once. */
type LogSearch = Pick<QueryCommandInput, "FilterExpression" | "Limit"> & { readonly values?: Item };

/** Reads on in a part of a vendor's log, from newer to older items, down to an instant. */
type ReadOn = (unread: UnreadPart, from: number, search: LogSearch) => Promise<void>;

const readOnIn =
  (table: string, client: DynamoDBClient, apiSet: ApiSet): ReadOn =>
  async (unread, from, { values = {}, ...query }) => {
    const between = itemsBetween(table, partKey(apiSet, unread.part), toIso(from), unread.upTo ?? "");
    const { items, next } = await queryPage(
      client,
      {
        ...between,
        ExpressionAttributeValues: { ...between.ExpressionAttributeValues, ...values },
        ScanIndexForward: false,
        ...query,
      },
      unread.startKey,
    );
    unread.items.push(...items.map(loggedItem));
    unread.startKey = next;
    if (next === undefined) unread.upTo = undefined;
  };

function toSearch({ code, externalId }: RefusalQuery): LogSearch {
  const filters = [
    ...(externalId === undefined ? [] : ["contains(cards, :card)"]),
    ...(code === undefined ? [] : ["contains(codes, :code)"]),
  ];
  return {
    ...(filters.length > 0 && { FilterExpression: filters.join(" AND ") }),
    // A search by ExternalID reads a small part of the log, as much as fits a response.
    ...(externalId === undefined && { Limit: code === undefined ? listedItems : searchedItems }),
    values: {
      ...(externalId !== undefined && { ":card": { S: cardTag(externalId) } }),
      ...(code !== undefined && { ":code": { S: code } }),
    },
  };
}

/** The newest item of a part, or the place up to which it has been searched; empty at the end. */
const newestIn = ({ items, startKey }: UnreadPart) => items[0]?.at ?? startKey?.at?.S ?? "";

type LogPage = Awaited<ReturnType<RefusalReader["page"]>>;

/** Merges the parts of the log, the newest item first, up to a page of faults. */
async function readPage(
  readOn: ReadOn,
  query: RefusalQuery,
  limit: number,
  after: LogPlace | undefined,
): Promise<LogPage> {
  const { from, before, code, externalId } = query;
  const search = toSearch(query);
  // A place of another query may be outside the time that is asked for.
  const end = toIso(before);
  const upTo = after === undefined || after.item > end ? end : after.item;
  if (upTo < toIso(from)) return { faults: [] };
  const parts = (externalId === undefined ? logParts : partsOf(externalId)).map(
    (part): UnreadPart => ({ part, items: [], upTo }),
  );
  await mapSettled(parts, parallelQueries, (part) => readOn(part, from, search));
  const isWanted = (fault: LoggedFault) =>
    (code === undefined || fault.code === code) &&
    (externalId === undefined || fault.externalId === externalId);
  const faults: LoggedFault[] = [];
  for (let queries = 0; ; ) {
    const [part] = parts.toSorted((one, other) => (newestIn(one) > newestIn(other) ? -1 : 1));
    if (part === undefined || newestIn(part) === "") return { faults };
    const [item] = part.items;
    if (item === undefined) {
      if (queries++ === maxQueries) return { faults, next: { item: newestIn(part), faults: wholeItem } };
      await readOn(part, from, search);
      continue;
    }
    const skip = item.at === after?.item ? after.faults : 0;
    const wanted = item.faults.filter(isWanted);
    const some = wanted.slice(skip, skip + limit - faults.length);
    faults.push(...some);
    if (skip + some.length < wanted.length) {
      return { faults, next: { item: item.at, faults: skip + some.length } };
    }
    part.items.shift();
  }
}

async function readOfTournaments(readOn: ReadOn, from: number) {
  // `~` is greater than any time.
  const parts = logParts.map((part): UnreadPart => ({ part, items: [], upTo: "~" }));
  // One request to each part, which answers up to a megabyte.
  await mapSettled(parts, parallelQueries, (part) =>
    readOn(part, from, { FilterExpression: "attribute_exists(ofTournament)" }),
  );
  return {
    faults: parts.flatMap(({ items }) => items.flatMap(({ faults }) => faults)),
    isComplete: parts.every(({ startKey }) => startKey === undefined),
  };
}

/** Reads a part of the log until each card was found in it, or all of it is read. */
async function* searchPart(readOn: ReadOn, part: string, externalIds: readonly string[], since: number) {
  const missing = new Set(externalIds);
  const unread: UnreadPart = { part, items: [], upTo: toIso(Date.now() + 86_400_000) };
  while (unread.upTo !== undefined && missing.size > 0) {
    const tags = [...missing].map((externalId, place) => [`:c${place}`, { S: cardTag(externalId) }]);
    await readOn(unread, since, {
      FilterExpression: tags.map(([name]) => `contains(cards, ${name})`).join(" OR "),
      values: Object.fromEntries(tags),
    });
    for (const { faults } of unread.items.splice(0)) {
      for (const [externalId = "", ofCard] of Map.groupBy(faults, (fault) => fault.externalId)) {
        if (missing.delete(externalId)) yield [externalId, ofCard] as const;
      }
    }
  }
}

async function readNewest(readOn: ReadOn, externalIds: readonly string[], since: number) {
  const found = new Map<string, readonly LoggedFault[]>();
  const inParts = externalIds.flatMap((externalId) =>
    partsOf(externalId).map((part) => ({ part, externalId })),
  );
  const search = async ([part, cards]: readonly [string, readonly { readonly externalId: string }[]]) => {
    const names = cards.map(({ externalId }) => externalId);
    for await (const [externalId, faults] of searchPart(readOn, part, names, since)) {
      const known = found.get(externalId)?.[0]?.at ?? "";
      if (faults[0] !== undefined && faults[0].at > known) found.set(externalId, faults);
    }
  };
  const byPart = Map.groupBy(inParts, ({ part }) => part);
  await pMap(byPart, search, { concurrency: parallelQueries });
  return found;
}

/** Reads refusals from a DynamoDB table. */
export function refusalReader(table: string, client: DynamoDBClient): RefusalReader {
  const readOn = (apiSet: ApiSet) => readOnIn(table, client, apiSet);
  return {
    page: (apiSet, query, limit, after) => readPage(readOn(apiSet), query, limit, after),
    ofTournaments: (apiSet, from) => readOfTournaments(readOn(apiSet), from),
    newest: (apiSet, externalIds, since) => readNewest(readOn(apiSet), externalIds, since),
  };
}
