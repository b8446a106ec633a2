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
import { queryAll, queryPage } from "../aws/read-items.ts";
import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import type { CourseVersion } from "../golf/course.ts";
import {
  changedAtOf,
  contentIn,
  courseOfTee,
  goneAtOf,
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
import { type RegisterRecord, readVersion } from "./record.ts";

/** A mirrored course version. */
export interface MirroredVersion {
  /** JSON as the union sent it. */
  readonly text: string;
  readonly version: CourseVersion;
  /** When the mirror first read this content, or in a club's list first found it there, or missed it; milliseconds since 1970, UTC. */
  readonly changedAt: number;
  /** Since when a club that listed it, or all such clubs, are known to list it no more, in milliseconds since 1970, UTC. */
  readonly removedAt?: number;
}

/** A mirrored course version with the clubs that list it. */
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
  /** TemplateIDs of the courses that have, or had, a tee; in any case. None if they are so many that the tee's ID names nothing. */
  coursesOfTee(teeId: string): Promise<readonly GuidKey[]>;
  /** Official numbers of the clubs; none until the mirror has written them. */
  clubNumbers(): Promise<readonly number[]>;
  /** All versions of all courses that a club lists, by its ID in any case, or that it listed once and does not any more. */
  club(clubId: string, isRemoved?: boolean): Promise<MirroredVersion[]>;
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

/** A union that gives more courses than this the same tee has no IDs of tees. */
const maxCoursesOfTee = 20;
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
): Pick<CourseTable, "course" | "coursesOfTee" | "clubNumbers"> {
  const read = async (Key: Item, attribute: string) => {
    const query = { TableName: table, Key, ProjectionExpression: attribute };
    return (await client.send(new GetItemCommand(query))).Item?.[attribute];
  };

  return {
    async coursesOfTee(teeId) {
      const key = teeKey(guidKey(teeId));
      const query = { ...indexQuery(table, "byCourse", key), Limit: maxCoursesOfTee + 1 };
      const { items } = await queryPage(client, query);
      if (items.length > 0) return items.length > maxCoursesOfTee ? [] : items.map(courseOfTee);
      const stored = await read({ id: { S: key } }, "course");
      return stored === undefined ? [] : [keyIn(stored)];
    },
    async clubNumbers() {
      const packed = (await read(clubNumbersKey, "content"))?.B;
      return packed === undefined ? [] : (unpackJson(packed) as number[]);
    },
    async course(id) {
      const templateId = (await read({ id: { S: guidKey(id) } }, "templateId"))?.S ?? guidKey(id);
      const items = await queryAll(client, indexQuery(table, "byCourse", templateId));
      const byVersion = Map.groupBy(items, versionOf);
      const listed = async (item: Item): Promise<ListedVersion> => {
        const [gone, there] = splitGone(byVersion.get(versionOf(item)) ?? []);
        return {
          ...(await mirroredVersion(client, table, item)),
          clubs: [...new Set(there.map(({ clubId }) => keyIn(clubId)))].sort(),
          ...(there.length === 0 && { removedAt: Math.max(...gone.map(goneAtOf)) }),
        };
      };
      return Promise.all(items.filter(isVersion).map(listed));
    },
  };
}

/** The listings of clubs that list a version no more, and the others. */
const splitGone = (items: readonly Item[]) =>
  [items.filter(isGone), items.filter((item) => !isGone(item))] as const;

/** Lists the courses of clubs in that table. */
export function courseLister(table: string, client: DynamoDBClient): Pick<CourseTable, "club"> {
  return {
    async club(clubId, isRemoved = false) {
      const [gone, there] = splitGone(await queryAll(client, indexQuery(table, "byClub", guidKey(clubId))));
      const listed = new Set(there.map(versionOf));
      const wanted = isRemoved ? gone.filter((item) => !listed.has(versionOf(item))) : there;
      const listings = new Map(wanted.map((item) => [versionOf(item), item]));
      const own = [...listings.values()].filter(isVersion);
      const others = [...listings].flatMap(([id, item]) => (isVersion(item) ? [] : { id: { S: id } }));
      const read = async (item: Item) => {
        const version = await mirroredVersion(client, table, item);
        const listing = listings.get(versionOf(item)) ?? item;
        const changedAt = Math.max(version.changedAt, changedAtOf(listing));
        return { ...version, changedAt, ...(isRemoved && { removedAt: goneAtOf(listing) }) };
      };
      return Promise.all([...own, ...(await batchGet(client, table, others))].map(read));
    },
  };
}

/** Asks for the items of an index that have a value, with these attributes or all. */
function indexQuery(table: string, index: "byCourse" | "byClub", value: string, projection?: Projection) {
  return {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: "#attribute = :value",
    ExpressionAttributeNames: {
      "#attribute": index === "byCourse" ? "templateId" : "clubId",
      ...projection?.names,
    },
    ExpressionAttributeValues: { ":value": { S: value } },
    ...(projection && { ProjectionExpression: projection.expression }),
  };
}

/** The attributes that are read before an item is written. */
const known = {
  expression: "id,clubId,templateId,#version,changedAt,fingerprint,pieces,teeItems,#gone",
  names: { "#version": "version", "#gone": "gone" },
};

/** Plans the writes of records by what is stored. */
async function planAll(
  client: DynamoDBClient,
  table: string,
  clubId: GuidKey,
  records: readonly RegisterRecord[],
  at: number,
) {
  const knownItems = async (ids: readonly string[]) => {
    const keys = ids.map((id) => ({ id: { S: id } }));
    const items = await batchGet(client, table, keys, known);
    return new Map(items.map((item) => [item.id?.S ?? "", item]));
  };
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

/** Reads and writes that table; only the mirror writes it. */
export function courseTable(table: string, client: DynamoDBClient): CourseTable {
  return {
    ...courseFinder(table, client),
    ...courseLister(table, client),
    async listings(clubId) {
      const projection = { expression: "id,changedAt,listedAt,#gone", names: { "#gone": "gone" } };
      const items = await queryAll(client, indexQuery(table, "byClub", clubId, projection));
      return items.filter((item) => !isGone(item)).map((item) => ({ id: versionOf(item), item }));
    },
    async put(clubId, records, at) {
      const written = new Set<RegisterRecord>();
      let remaining = records;
      for (let round = 0; remaining.length > 0; round++) {
        if (round === maxTries) throw new TableBatchError(table);
        const plans = (await planAll(client, table, clubId, remaining, at)).filter(
          ({ writes }) => writes.length > 0,
        );
        // Before the version's item: if this run is killed in between, the next finds the version changed again. Versions of a
        // course have the same tees, and a batch may name a key once.
        const before = new Map(plans.flatMap((plan) => plan.before.map((item) => [item.id?.S, item])));
        await batchWrite(client, table, [...before.values()]);
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
