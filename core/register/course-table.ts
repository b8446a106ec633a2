import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import {
  batchGet,
  batchWrite,
  conditionalWrites,
  type Item,
  type Projection,
  TableBatchError,
} from "../aws/batch.ts";
import { packJson, unpackJson, unpackText } from "../aws/packed-json.ts";
import { queryAll } from "../aws/read-items.ts";
import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { type CourseVersion, type RegisterRecord, readVersion } from "../golf/course.ts";
import {
  changedAtOf,
  contentIn,
  isGone,
  isVersion,
  keyIn,
  listingKey,
  pieceKey,
  planWrites,
  removal,
  teeKey,
  versionOf,
} from "./course-items.ts";

/** A mirrored course version. */
export interface MirroredVersion {
  /** JSON as the union sent it. */
  readonly text: string;
  readonly version: CourseVersion;
  /** When the mirror first read this content, or in a club's list first found it there; milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** A mirrored course version with the clubs that list it; if there is none, the union has removed it. */
export interface ListedVersion extends MirroredVersion {
  readonly clubs: readonly GuidKey[];
}

/** A club's listing of a version as it was read. */
export interface StoredListing {
  readonly id: GuidKey;
  readonly item: Item;
}

/** Mirrored course versions, and which clubs list them. */
export interface CourseTable {
  /** All versions of the course that an ID names, a version's or a TemplateID; in any case. */
  course(id: string): Promise<ListedVersion[]>;
  /** TemplateID of the course that has, or had, a tee; in any case. */
  courseOfTee(teeId: string): Promise<GuidKey | undefined>;
  /** Official numbers of the clubs; none until the mirror has written them. */
  clubNumbers(): Promise<readonly number[]>;
  /** All versions of all courses that a club lists, by its ID in any case. */
  club(clubId: string): Promise<MirroredVersion[]>;
  /** The versions that a club lists. The read is eventually consistent, so one that was just written may be missing. */
  listings(clubId: GuidKey): Promise<StoredListing[]>;
  /**
   * Stores records that a club lists: each record once, whoever lists it, and each listing.
   *
   * @param at the time, in milliseconds since 1970, UTC
   * @returns those that were not stored or not listed like this before
   * @throws TableBatchError: some may not be written; the same call may be made again
   */
  put(clubId: GuidKey, records: readonly RegisterRecord[], at: number): Promise<RegisterRecord[]>;
  /**
   * Marks listings as removed, unless their clubs have listed them since they were read.
   *
   * @returns how many were marked
   * @throws TableBatchError: some may not be marked; the same call may be made again
   */
  remove(listings: readonly StoredListing[], at: number): Promise<number>;
  putClubNumbers(numbers: readonly number[]): Promise<void>;
}

/**
 * The key of the item with the numbers of all clubs. It is in this table because the check of cards reads only this one, in
 * one request.
 */
const clubNumbersKey: Item = { id: { S: "club-numbers" } };

/** How often a record is read and written again if its item was written in between. */
const maxTries = 4;

async function mirroredVersion(client: DynamoDBClient, table: string, item: Item): Promise<MirroredVersion> {
  const rest = Array.from({ length: Number(item.pieces?.N ?? 1) - 1 }, async (_, before) => {
    const Key = pieceKey(keyIn(item.id), item.fingerprint?.S ?? "", before + 1);
    const piece = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
    return contentIn(piece.Item);
  });
  const first = contentIn(item);
  const text = unpackText(rest.length === 0 ? first : Buffer.concat([first, ...(await Promise.all(rest))]));
  return { text, version: readVersion(text), changedAt: changedAtOf(item) };
}

/** Finds mirrored courses in a DynamoDB table, with an index by course and one by club. */
export function courseFinder(
  table: string,
  client: DynamoDBClient,
): Pick<CourseTable, "course" | "courseOfTee" | "clubNumbers"> {
  const read = async (Key: Item, attribute: string) => {
    const query = { TableName: table, Key, ProjectionExpression: attribute };
    return (await client.send(new GetItemCommand(query))).Item?.[attribute];
  };

  return {
    async courseOfTee(teeId) {
      const course = await read(teeKey(guidKey(teeId)), "course");
      return course && keyIn(course);
    },
    async clubNumbers() {
      const packed = (await read(clubNumbersKey, "content"))?.B;
      return packed === undefined ? [] : (unpackJson(packed) as number[]);
    },
    async course(id) {
      const templateId = (await read({ id: { S: guidKey(id) } }, "templateId"))?.S ?? guidKey(id);
      const items = await queryItems(client, table, "byCourse", templateId);
      const clubs = Map.groupBy(
        items.filter((item) => !isGone(item)),
        versionOf,
      );
      const listed = async (item: Item): Promise<ListedVersion> => ({
        ...(await mirroredVersion(client, table, item)),
        clubs: [...new Set(clubs.get(versionOf(item))?.map(({ clubId }) => keyIn(clubId)))],
      });
      return Promise.all(items.filter(isVersion).map(listed));
    },
  };
}

/** Lists the courses of clubs in that table. */
export function courseLister(table: string, client: DynamoDBClient): Pick<CourseTable, "club"> {
  return {
    async club(clubId) {
      const items = await queryItems(client, table, "byClub", guidKey(clubId));
      const listed = new Map(
        items.filter((item) => !isGone(item)).map((item) => [versionOf(item), item] as const),
      );
      const unread = [...listed].filter(([, item]) => !isVersion(item));
      const keys = unread.map(([id]) => ({ id: { S: id } }));
      const others = await batchGet(client, table, keys);
      const all = [...listed.values().filter(isVersion), ...others].map(async (item) => {
        const version = await mirroredVersion(client, table, item);
        const listedAt = changedAtOf(listed.get(versionOf(item)) ?? item);
        return { ...version, changedAt: Math.max(version.changedAt, listedAt) };
      });
      return Promise.all(all);
    },
  };
}

/** All items of an index that have a value, with these attributes or all. */
async function queryItems(
  client: DynamoDBClient,
  table: string,
  index: "byCourse" | "byClub",
  value: string,
  projection?: Projection,
): Promise<Item[]> {
  return queryAll(client, {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: "#attribute = :value",
    ExpressionAttributeNames: {
      "#attribute": index === "byCourse" ? "templateId" : "clubId",
      ...projection?.names,
    },
    ExpressionAttributeValues: { ":value": { S: value } },
    ...(projection && { ProjectionExpression: projection.expression }),
  });
}

/** The attributes that are read before an item is written. */
const known = {
  expression: "id,clubId,templateId,#version,changedAt,fingerprint,pieces,tees,#gone",
  names: { "#version": "version", "#gone": "gone" },
};

/** Reads and writes that table; only the mirror writes it. */
export function courseTable(table: string, client: DynamoDBClient): CourseTable {
  const knownItems = async (ids: readonly string[]) => {
    const keys = ids.map((id) => ({ id: { S: id } }));
    const items = await batchGet(client, table, keys, known);
    return new Map(items.map((item) => [item.id?.S ?? "", item]));
  };

  /** Plans the writes of records by what is stored. */
  async function planAll(clubId: GuidKey, records: readonly RegisterRecord[], at: number) {
    const versions = await knownItems(records.map(({ id }) => id));
    const ofOthers = records.filter(({ id }) => {
      const version = versions.get(id);
      return version !== undefined && (keyIn(version.clubId) !== clubId || isGone(version));
    });
    const listings = await knownItems(ofOthers.map(({ id }) => listingKey(id, clubId)));
    return records.map((record) => {
      const { id } = record;
      return {
        record,
        ...planWrites(record, clubId, at, versions.get(id), listings.get(listingKey(id, clubId))),
      };
    });
  }

  return {
    ...courseFinder(table, client),
    ...courseLister(table, client),
    async listings(clubId) {
      const projection = { expression: "id,changedAt,listedAt,#gone", names: { "#gone": "gone" } };
      const items = await queryItems(client, table, "byClub", clubId, projection);
      return items.filter((item) => !isGone(item)).map((item) => ({ id: versionOf(item), item }));
    },
    async put(clubId, records, at) {
      const written = new Set<RegisterRecord>();
      let remaining = records;
      for (let round = 0; remaining.length > 0; round++) {
        if (round === maxTries) throw new TableBatchError(table);
        const plans = (await planAll(clubId, remaining, at)).filter(({ writes }) => writes.length > 0);
        // Before the version's item: if this run is killed in between, the next finds the version changed again. Versions share
        // tees, and a batch may name a key once.
        const before = plans.flatMap((plan) => plan.before).map((item) => [item.id?.S, item] as const);
        await batchWrite(client, table, [...new Map(before).values()]);
        const writes = plans.flatMap((plan) => plan.writes.map((write) => ({ plan, write })));
        const results = await conditionalWrites(
          client,
          table,
          writes.map(({ write }) => write),
        );
        for (const { record } of plans) written.add(record);
        const lost = writes.filter((_, index) => results[index] === "lost").map(({ plan }) => plan.record);
        remaining = [...new Set(lost)];
      }
      return [...written];
    },
    async remove(listings, at) {
      const writes = listings.map(({ item }) => removal(item, at));
      const results = await conditionalWrites(client, table, writes);
      return results.filter((result) => result === "written").length;
    },
    async putClubNumbers(numbers) {
      await batchWrite(client, table, [{ ...clubNumbersKey, content: { B: packJson(numbers) } }]);
    },
  };
}
