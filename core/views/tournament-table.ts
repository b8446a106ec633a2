import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import { batchWrite, type Item, number } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { queryAll, queryPages } from "../aws/read-items.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { mapSettled } from "../formats/chunks.ts";
import type { Days } from "../formats/days.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import { added, type Counts } from "./activity-counts.ts";
import { countsIn, stepCounter } from "./counted-steps-table.ts";
import { readPackedPage } from "./packed-lists.ts";
import type { TournamentDay, TournamentList, TournamentSteps } from "./tournament.ts";

/*
 * A vendor's tournaments are in the table of activity, under a partition key of their own, `{apiSet}#tournaments`, with the sort keys
 *   tournament#2026-07-04#{id}#{shard}#{club}   counts of a tournament's day at a club, those of each shard of the stream in an item
 *                                        of its own, so that no item grows with the number of shards. Older items have no club
 *   played#2026-07-04#{id}#…             cards that came to it, a batch of the stream an item; some may have left since
 * An ID begins with `~`, the last of the characters that keys have here, and ends before `#`.
 */
const partitionOf = (apiSet: ApiSet) => `${apiSet}#tournaments`;
const countsKey = (day: string, rest = "") => `tournament#${day}#${rest}`;
const listKey = ({ day, id }: TournamentDay, rest = "") => `played#${day}#${id}#${rest}`;
/** The character after `#`: greater than all that follows a `#`. */
const afterHash = "$";

const daySeconds = 86_400;
/** A card of a round long ago is counted for so long after its last change. */
const minRetentionDays = 31;
const parallelWrites = 10;
const parallelDays = 10;
/** Items in one request for a list: one has up to 200 cards, or one only. */
const listItems = 300;

/** Writes the counts and lists of tournaments that follow from the table's stream. */
export interface TournamentWriter {
  /** Counts each step once, however often it is given. @param shardId the shard of the stream that the steps are from */
  count(steps: readonly TournamentSteps[], shardId: string): Promise<void>;
  /**
   * Lists cards. If the first card of a list comes again, the list that begins with it is replaced.
   *
   * @throws TableBatchError
   */
  list(lists: readonly TournamentList[], shardId: string): Promise<void>;
}

/**
 * Writes tournaments to a DynamoDB table.
 *
 * @param retentionDays how long they are kept after their day
 */
export function tournamentWriter(
  table: string,
  client: DynamoDBClient,
  retentionDays: number,
): TournamentWriter {
  const countSteps = stepCounter(table, client);
  const expiry = (day: string, changedAt: number) =>
    number(
      Math.max(
        Math.ceil(Date.parse(day) / 1000) + retentionDays * daySeconds,
        Math.ceil(changedAt / 1000) + minRetentionDays * daySeconds,
      ),
    );
  return {
    async count(tournaments, shardId) {
      const count = ({ apiSet, id, day, club, name, changedAt, steps }: TournamentSteps) => {
        const at = `${countsKey(day, id)}#${shardId}${club === undefined ? "" : `#${club}`}`;
        const key = { apiSet: { S: partitionOf(apiSet) }, at: { S: at } };
        const set = { ...(name !== undefined && { name: { S: name } }), expiresAt: expiry(day, changedAt) };
        return countSteps({ key, steps, set }, shardId);
      };
      await mapSettled(tournaments, parallelWrites, count);
    },
    async list(lists, shardId) {
      const items = lists.map(({ apiSet, id, day, sequenceNumber, listedAt, externalIds }) => ({
        apiSet: { S: partitionOf(apiSet) },
        at: { S: listKey({ id, day }, `${toSortable(sequenceNumber)}#${shardId}`) },
        externalIds: { S: JSON.stringify(externalIds) },
        expiresAt: expiry(day, listedAt),
      }));
      await batchWrite(client, table, items);
    },
  };
}

/** What was counted of a tournament on one day. */
export interface CountedTournament extends TournamentDay {
  /** Absent if a person was erased from it. */
  readonly name?: string;
  readonly counts: Counts;
}

/** A place in the cards of a tournament: an item of the list of a day, and how many of its cards come before. */
export interface TournamentPlace {
  /** E.g. `2026-07-04`. */
  readonly day: string;
  /** E.g. `0000000000000000000000000000000000000017#shardId-00000001414576573621-f55eea83`. */
  readonly item: string;
  readonly cards: number;
}

/** A card that came to a tournament on a day. */
export interface TournamentEntry {
  readonly day: string;
  readonly externalId: string;
}

/** Reads a vendor's tournaments. Days are those of play, e.g. `2026-07-04`. */
export interface TournamentReader {
  /**
   * The tournaments of some days, the latest day first.
   *
   * @param after where the page before ended
   * @returns at most `limit`, and where the next page begins, if there is one
   */
  page(
    apiSet: ApiSet,
    days: Days,
    limit: number,
    after?: TournamentDay,
  ): Promise<{ readonly tournaments: readonly CountedTournament[]; readonly next?: TournamentDay }>;
  /** One tournament on each of some days, in their order. */
  tournament(apiSet: ApiSet, id: string, days: readonly string[]): Promise<CountedTournament[]>;
  /**
   * Cards that came to a tournament on some days, in the order in which they did. One may have left it since, or have come twice.
   *
   * @param after where the page before ended
   */
  cards(
    apiSet: ApiSet,
    id: string,
    days: readonly string[],
    limit: number,
    after?: TournamentPlace,
  ): Promise<{ readonly entries: readonly TournamentEntry[]; readonly next?: TournamentPlace }>;
}

/** Whether one tournament's day comes before another in a page. */
export const comesBefore = (one: TournamentDay, other: TournamentDay): boolean =>
  one.day === other.day ? one.id > other.id : one.day > other.day;

/** The counts in an item. */
function countedIn(item: Item): CountedTournament {
  const [, day = "", id = ""] = item.at?.S?.split("#") ?? [];
  const name = item.name?.S ?? "";
  return {
    id,
    day,
    ...(name !== "" && { name }),
    counts: countsIn(item),
  };
}

/** The counts of all shards together. */
function joined(one: CountedTournament, other: CountedTournament): CountedTournament {
  const name = one.name ?? other.name;
  return { ...one, ...(name !== undefined && { name }), counts: added(one.counts, other.counts) };
}

/** Reads tournaments from a DynamoDB table. @param club counts only its cards; all if left out */
export function tournamentReader(table: string, client: DynamoDBClient, club?: GuidKey): TournamentReader {
  const isCounted = ({ at }: Item) => club === undefined || at?.S?.endsWith(`#${club}`) === true;
  const between = (apiSet: ApiSet, from: string, to: string) =>
    itemsBetween(table, partitionOf(apiSet), from, to);

  return {
    async page(apiSet, { from, to }, limit, after) {
      // What is greater than the key without a shard has been read.
      const upTo = after === undefined ? `tournament#${to}${afterHash}` : `${countsKey(after.day, after.id)}`;
      const tournaments: CountedTournament[] = [];
      const query = { ...between(apiSet, countsKey(from), upTo), ScanIndexForward: false };
      for await (const items of queryPages(client, query)) {
        for (const item of items.filter(isCounted)) {
          const counted = countedIn(item);
          const last = tournaments.at(-1);
          if (last !== undefined && last.id === counted.id && last.day === counted.day) {
            tournaments[tournaments.length - 1] = joined(last, counted);
            continue;
          }
          if (last !== undefined && tournaments.length === limit) {
            return { tournaments, next: { day: last.day, id: last.id } };
          }
          tournaments.push(counted);
        }
      }
      return { tournaments };
    },
    async tournament(apiSet, id, days) {
      const ofDay = async (day: string) => {
        const key = countsKey(day, id);
        let sum: CountedTournament | undefined;
        const query = between(apiSet, `${key}#`, `${key}${afterHash}`);
        for (const item of (await queryAll(client, query)).filter(isCounted)) {
          const counted = countedIn(item);
          sum = sum === undefined ? counted : joined(sum, counted);
        }
        return sum === undefined ? [] : [sum];
      };
      return (await pMap(days, ofDay, { concurrency: parallelDays })).flat();
    },
    async cards(apiSet, id, days, limit, after) {
      const entries: TournamentEntry[] = [];
      for (const day of days) {
        if (after !== undefined && day < after.day) continue;
        const key = listKey({ day, id });
        const range = { table, partition: partitionOf(apiSet), from: key, to: listKey({ day, id }, "~") };
        const size = { limit: limit - entries.length, itemsAtOnce: listItems };
        const place = day === after?.day ? { at: `${key}${after.item}`, cards: after.cards } : undefined;
        const { listed, next } = await readPackedPage(client, range, size, place);
        entries.push(...listed.map(({ externalId }) => ({ day, externalId })));
        if (next !== undefined) {
          return { entries, next: { day, item: next.at.slice(key.length), cards: next.cards } };
        }
      }
      return { entries };
    },
  };
}
