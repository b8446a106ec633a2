import { createHash } from "node:crypto";
import { type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { RefusalExample } from "../../api/activity.ts";
import type { ApiSet } from "../accounts/account.ts";
import { batchWrite, type Item, number } from "../aws/batch.ts";
import { isWritten } from "../aws/is-written.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { queryAll, queryPages } from "../aws/read-items.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { mapSettled } from "../formats/chunks.ts";
import type { Days } from "../formats/days.ts";
import type { Counts, HourSteps, ListedCount, RefusedCards } from "./activity-counts.ts";
import { countsIn, stepCounter } from "./counted-steps-table.ts";
import type { ListedCards } from "./listed-cards.ts";
import { packedIds, readPackedPage } from "./packed-lists.ts";

/*
 * A vendor's items have its API set as partition key, and as sort key one of
 *   hour#2026-07-04T11:00Z      counts of an hour
 *   refused#2026-07-04T11:00Z   refused cards of an hour, by versions before 0.3.0
 *   cards#2026-07-04#…          cards accepted on a day, a batch of the stream an item
 *   versions#2026-07-04#…       cards of other days of which a new version was accepted on a day
 *   rejected#2026-07-04#…       cards that were counted as rejected on a day, whenever they were accepted; so of each `ListedCount`
 *   not rejected#2026-07-04#…   those of which that was taken back
 * Tournaments have partition keys of their own, see tournament-table.ts.
 * Refused cards are counted under partition keys of their own, `{apiSet}#refusals#{part}`, since submissions update these counts:
 *   refused#2026-07-04T11:00Z   refused cards of an hour, by fault, with one example each
 */
const toMinute = (instant: number) => `${new Date(instant).toISOString().slice(0, 16)}Z`;
const hourKey = (hour: number) => `hour#${toMinute(hour)}`;
const refusedKey = (hour: number) => `refused#${toMinute(hour)}`;
const listKey = (day: string, rest = "", list: ListedCards["list"] = "cards") => `${list}#${day}#${rest}`;
const keyOf = (partition: string, at: string): Item => ({ apiSet: { S: partition }, at: { S: at } });

/** Partition keys of a vendor's counts of refused cards. */
const refusalParts = 4;
const refusalPart = (apiSet: ApiSet, part: number) => `${apiSet}#refusals#${part}`;
const partOfRequest = (requestId: string) =>
  createHash("sha256").update(requestId).digest().readUInt32BE() % refusalParts;
/** An example with a longer name or pointer is not kept with the counts; the log of refusals has it. */
const maxExampleLength = 200;

/** DynamoDB deletes an item some time after its `expiresAt`, in whole seconds since 1970. */
const expiry = (from: number, retentionDays: number) =>
  number(Math.ceil(from / 1000) + retentionDays * 86_400);

const parallelWrites = 10;

/** Writes the counts and lists that follow from the table's stream. */
export interface ActivityWriter {
  /** Counts each step once, however often it is given. @param shardId the shard of the stream that the steps are from */
  count(hours: readonly HourSteps[], shardId: string): Promise<void>;
  /**
   * Lists cards. If the first card of a list comes again, the list that begins with it is replaced.
   *
   * @throws TableBatchError
   */
  list(lists: readonly ListedCards[], shardId: string): Promise<void>;
}

/**
 * Writes activity to a DynamoDB table.
 *
 * @param retentionDays how long counts and lists are kept
 */
export function activityWriter(table: string, client: DynamoDBClient, retentionDays: number): ActivityWriter {
  const countSteps = stepCounter(table, client);
  return {
    async count(hours, shardId) {
      const countHour = ({ apiSet, hour, steps }: HourSteps) =>
        countSteps(
          { key: keyOf(apiSet, hourKey(hour)), steps, set: { expiresAt: expiry(hour, retentionDays) } },
          shardId,
        );
      // An hour whose counts are refused holds up no other.
      await mapSettled(hours, parallelWrites, countHour);
    },
    async list(lists, shardId) {
      const items = lists.map(({ apiSet, list, day, sequenceNumber, externalIds }) => ({
        ...keyOf(apiSet, listKey(day, `${toSortable(sequenceNumber)}#${shardId}`, list)),
        externalIds: { S: JSON.stringify(externalIds) },
        expiresAt: expiry(Date.parse(day), retentionDays),
      }));
      await batchWrite(client, table, items);
    },
  };
}

/** Counts a submission's refused cards. */
export type CountRefusals = (
  apiSet: ApiSet,
  hour: number,
  refused: RefusedCards,
  requestId: string,
) => Promise<void>;

/**
 * Counts refusals in a DynamoDB table, in one request a submission. A request that the SDK repeats, because its response was lost,
 * counts once unless another submission was refused in between.
 */
export function refusalCounter(table: string, client: DynamoDBClient, retentionDays: number): CountRefusals {
  return async (apiSet, hour, { cards: all, byFault }, requestId) => {
    const names: Record<string, string> = {};
    const values: Item = {
      ":expiresAt": expiry(hour, retentionDays),
      ":request": { S: requestId },
      ":cards": number(all),
    };
    const sets = ["expiresAt = :expiresAt", "lastRequest = :request"];
    const adds = ["cards :cards"];
    for (const [place, { code, cards, examples }] of byFault.entries()) {
      names[`#c${place}`] = `cards ${code}`;
      values[`:c${place}`] = number(cards);
      adds.push(`#c${place} :c${place}`);
      const example = JSON.stringify(examples.slice(0, 1));
      if (examples.length === 0 || example.length > maxExampleLength) continue;
      names[`#e${place}`] = `examples ${code}`;
      values[`:e${place}`] = { S: example };
      sets.push(`#e${place} = :e${place}`);
    }
    const update = new UpdateItemCommand({
      TableName: table,
      Key: keyOf(refusalPart(apiSet, partOfRequest(requestId)), refusedKey(hour)),
      UpdateExpression: `SET ${sets.join(", ")} ADD ${adds.join(", ")}`,
      ConditionExpression: "attribute_not_exists(lastRequest) OR lastRequest <> :request",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    });
    await isWritten(client.send(update));
  };
}

/** The counts of an hour. */
export interface HourCounts {
  /** Milliseconds since 1970, UTC. */
  readonly hour: number;
  readonly counts: Counts;
}

/** A place in the list of a vendor's cards: an item of the list, and how many of its cards come before. */
export interface ListPlace {
  /** E.g. `2026-07-04#0000000000000000000000000000000000000017#shardId-00000001414576573621-f55eea83`. */
  readonly item: string;
  readonly cards: number;
}

/** Reads a vendor's activity. Instants are in milliseconds since 1970, UTC; days in the union's time zone, e.g. `2026-07-04`. */
export interface ActivityReader {
  /** The hours from one instant on and before another, in order. */
  hours(apiSet: ApiSet, from: number, before: number): Promise<HourCounts[]>;
  /** The refused cards of those hours, the oldest first; an hour can come several times. */
  refusals(
    apiSet: ApiSet,
    from: number,
    before: number,
  ): Promise<({ /** Milliseconds since 1970, UTC. */ readonly hour: number } & RefusedCards)[]>;
  /**
   * The cards accepted from one day to another, or those that were counted, once for each time.
   *
   * @param after where the page before ended
   * @returns at most `limit` ExternalIDs, and where the next page begins, if there is one
   */
  cards(
    apiSet: ApiSet,
    query: Days & { readonly counted?: ListedCount | undefined },
    limit: number,
    after?: ListPlace,
  ): Promise<{ readonly externalIds: readonly string[]; readonly next?: ListPlace }>;
  /** All cards of which a version was accepted on a day, some hundreds at a time. */
  versionsOf(apiSet: ApiSet, day: string): AsyncIterable<readonly string[]>;
}

/** Items of a list in one request: one has up to some hundreds of cards, or one only. */
const listItems = 25;

/** Reads activity from a DynamoDB table. */
export function activityReader(table: string, client: DynamoDBClient): ActivityReader {
  const between = (partition: string, from: string, to: string) => itemsBetween(table, partition, from, to);

  async function readHours(partition: string, key: (hour: number) => string, from: number, before: number) {
    const items = await queryAll(client, between(partition, key(from), key(before - 1)));
    return items.map((item) => ({ item, hour: Date.parse(item.at?.S?.split("#")[1] ?? "") }));
  }

  const cardOfDay = (at: string, externalId: string) => `${at.split("#")[1]} ${externalId}`;
  /** The last item of a day that takes back what a card was counted for, by day and card. */
  async function readTakenBack(apiSet: ApiSet, { from, to }: Days, counted: ListedCount) {
    const list = `not ${counted}` as const;
    const items = await queryAll(client, between(apiSet, listKey(from, "", list), listKey(to, "~", list)));
    return new Map(
      items.flatMap(({ at: { S: at = "" } = { S: "" }, ...item }) =>
        packedIds(item).map((externalId) => [cardOfDay(at, externalId), at] as const),
      ),
    );
  }

  return {
    async hours(apiSet, from, before) {
      const found = await readHours(apiSet, hourKey, from, before);
      return found.map(({ item, hour }) => ({ hour, counts: countsIn(item) }));
    },
    async refusals(apiSet, from, before) {
      const parts = Array.from({ length: refusalParts }, (_, part) => refusalPart(apiSet, part));
      const found = await pMap([apiSet, ...parts], (part) => readHours(part, refusedKey, from, before));
      const byTime = found.flat().toSorted((one, other) => one.hour - other.hour);
      return byTime.map(({ item, hour }) => ({
        hour,
        cards: Number(item.cards?.N ?? 0),
        byFault: Object.entries(item).flatMap(([name, { N }]) => {
          const [kind, code] = name.split(" ");
          if (kind !== "cards" || code === undefined) return [];
          const examples = JSON.parse(item[`examples ${code}`]?.S ?? "[]") as RefusalExample[];
          return [{ code, cards: Number(N), examples }];
        }),
      }));
    },
    async *versionsOf(apiSet, day) {
      for (const list of ["cards", "versions"] as const) {
        const query = between(apiSet, listKey(day, "", list), listKey(day, "~", list));
        for await (const items of queryPages(client, { ...query, Limit: listItems })) {
          yield items.flatMap(packedIds);
        }
      }
    },
    async cards(apiSet, { from, to, counted }, limit, after) {
      const list = counted ?? "cards";
      const range = { table, partition: apiSet, from: listKey(from, "", list), to: listKey(to, "~", list) };
      const place = after && { at: `${list}#${after.item}`, cards: after.cards };
      const takenBack = counted && (await readTakenBack(apiSet, { from, to }, counted));
      const page = await readPackedPage(client, range, { limit, itemsAtOnce: listItems }, place);
      const { listed, next } = page;
      const externalIds = listed
        .filter(({ at, externalId }) => (takenBack?.get(cardOfDay(at, externalId)) ?? "") < `not ${at}`)
        .map(({ externalId }) => externalId);
      if (next === undefined) return { externalIds };
      return { externalIds, next: { item: next.at.slice(`${list}#`.length), cards: next.cards } };
    },
  };
}
