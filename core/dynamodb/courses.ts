import { hash } from "node:crypto";
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  paginateQuery,
} from "@aws-sdk/client-dynamodb";
import type { CourseVersion } from "../courses/course.ts";
import { versionFacts } from "../courses/course-versions.ts";
import { type GuidKey, guidKey, isGuid } from "../formats/guid.ts";
import { batchGet, batchWrite, type Item, number } from "./batch.ts";
import { packJson, unpackJson } from "./packed-json.ts";

/** A mirrored course version. */
export interface MirroredVersion {
  readonly version: CourseVersion;
  /** The club that the union lists it under; in a dirty register that may differ from the version's own ClubID. */
  readonly clubId: GuidKey;
  /** When the mirror first read this content, in milliseconds since 1970, UTC. */
  readonly changedAt: number;
  /** Whether the union has stopped showing it. */
  readonly removedUpstream: boolean;
}

/** Mirrored course versions. IDs are in any case. */
export interface CourseTable {
  version(id: string): Promise<MirroredVersion | undefined>;
  /** All versions of a course. */
  course(templateId: string): Promise<MirroredVersion[]>;
  /** TemplateID of the course that has, or had, a tee. */
  courseOfTee(teeId: string): Promise<GuidKey | undefined>;
  /** Official numbers of the clubs; none until the mirror has written them. */
  clubNumbers(): Promise<readonly number[]>;
  /** All versions of all courses of a club, those removed upstream included. */
  club(clubId: string): Promise<MirroredVersion[]>;
  /** Fingerprints of those versions that are mirrored and not removed upstream. */
  fingerprints(ids: readonly string[]): Promise<Map<GuidKey, string>>;
  /** Writes or replaces versions. @throws TableBatchError: some may not be written; the same call may be made again */
  put(versions: readonly MirroredVersion[]): Promise<void>;
  putClubNumbers(numbers: readonly number[]): Promise<void>;
}

/** A hash of a version's whole content. */
export function fingerprint(version: CourseVersion): string {
  return hash("sha256", JSON.stringify(version), "base64url");
}

/**
 * The most bytes of a packed version in one item, which may have 400 KB, keys and names included. No real course comes near that,
 * but one that does must not keep its club from being mirrored.
 */
const contentBytes = 380 * 1024;

/** Reads an ID that `versionItems` wrote. */
const keyIn = (attribute: AttributeValue | undefined) => (attribute?.S ?? "") as GuidKey;

/** The key of the item that names a tee's course. Without templateId and clubId it is in no index. */
const teeKey = (teeId: string): Item => ({ id: { S: `tee#${guidKey(teeId)}` } });
/** The key of the item that has the numbers of all clubs: who checks cards reads this table, and all in one request. */
const clubNumbersKey: Item = { id: { S: "club-numbers" } };

interface VersionItems {
  /** The item that has the version's ID and is in the indexes. */
  readonly head: Item;
  /** Further pieces of content that does not fit into the head. */
  readonly rest: readonly Item[];
}

/** The key of a further piece. It has the fingerprint, so pieces of different writes are never read together. */
const pieceKey = (id: GuidKey, print: string, index: number): Item => ({
  id: { S: `${id}#${print}#${index}` },
});

function versionItems({ version, clubId, changedAt, removedUpstream }: MirroredVersion): VersionItems {
  const id = guidKey(version.ID);
  const print = fingerprint(version);
  const packed = packJson(version);
  const pieces = Math.ceil(packed.length / contentBytes);
  const piece = (index: number) => packed.subarray(index * contentBytes, (index + 1) * contentBytes);
  const head: Item = {
    id: { S: id },
    templateId: { S: guidKey(version.TemplateID) },
    clubId: { S: clubId },
    version: number(version.Version),
    changedAt: number(changedAt),
    fingerprint: { S: print },
    content: { B: piece(0) },
    ...(removedUpstream && { gone: { BOOL: true } }),
    ...(pieces > 1 && { pieces: number(pieces) }),
  };
  const rest = Array.from({ length: pieces - 1 }, (_, before) => ({
    ...pieceKey(id, print, before + 1),
    content: { B: piece(before + 1) },
  }));
  return { head, rest };
}

/** An item for each tee, that names its course; versions share tees. */
function teeItems(versions: readonly MirroredVersion[]): Item[] {
  const courses = new Map<GuidKey, GuidKey>();
  for (const { version } of versions) {
    const { teesById, templateId } = versionFacts(version);
    for (const teeId of teesById.keys()) if (isGuid(teeId)) courses.set(teeId, templateId);
  }
  return [...courses].map(([teeId, templateId]) => ({ ...teeKey(teeId), course: { S: templateId } }));
}

/** Reads mirrored course versions from a DynamoDB table, with an index by course and one by club. */
export function courseReader(
  table: string,
  client: DynamoDBClient,
): Pick<CourseTable, "version" | "course" | "club" | "courseOfTee" | "clubNumbers"> {
  async function restOf({ id, fingerprint: print, pieces }: Item): Promise<Uint8Array[]> {
    const rest = Array.from({ length: Number(pieces?.N ?? 1) - 1 }, async (_, before) => {
      const Key = pieceKey(keyIn(id), print?.S ?? "", before + 1);
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item?.content?.B ?? new Uint8Array();
    });
    return Promise.all(rest);
  }

  async function mirroredVersion(item: Item): Promise<MirroredVersion> {
    const first = item.content?.B ?? new Uint8Array();
    const packed = item.pieces === undefined ? first : Buffer.concat([first, ...(await restOf(item))]);
    return {
      version: unpackJson(packed) as CourseVersion,
      clubId: keyIn(item.clubId),
      changedAt: Number(item.changedAt?.N),
      removedUpstream: item.gone?.BOOL ?? false,
    };
  }

  async function query(index: string, attribute: string, value: string): Promise<MirroredVersion[]> {
    const found: MirroredVersion[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: index,
        KeyConditionExpression: "#attribute = :value",
        ExpressionAttributeNames: { "#attribute": attribute },
        ExpressionAttributeValues: { ":value": { S: guidKey(value) } },
      },
    );
    for await (const { Items } of pages) {
      found.push(...(await Promise.all((Items ?? []).map(mirroredVersion))));
    }
    return found;
  }

  const get = async (Key: Item) => (await client.send(new GetItemCommand({ TableName: table, Key }))).Item;

  return {
    async version(id) {
      const item = await get({ id: { S: guidKey(id) } });
      return item === undefined ? undefined : mirroredVersion(item);
    },
    async courseOfTee(teeId) {
      const item = await get(teeKey(teeId));
      return item === undefined ? undefined : keyIn(item.course);
    },
    async clubNumbers() {
      const packed = (await get(clubNumbersKey))?.content?.B;
      return packed === undefined ? [] : (unpackJson(packed) as number[]);
    },
    course: (templateId) => query("byCourse", "templateId", templateId),
    club: (clubId) => query("byClub", "clubId", clubId),
  };
}

/** Reads and writes that table; only the mirror writes it. */
export function courseTable(table: string, client: DynamoDBClient): CourseTable {
  return {
    ...courseReader(table, client),
    async fingerprints(ids) {
      const keys = ids.map((id) => ({ id: { S: guidKey(id) } }));
      const projection = { expression: "id,fingerprint,#gone", names: { "#gone": "gone" } };
      const items = await batchGet(client, table, keys, projection);
      const shown = items.filter((item) => item.gone?.BOOL !== true);
      return new Map(shown.map((item) => [keyIn(item.id), item.fingerprint?.S ?? ""]));
    },
    async put(versions) {
      const items = versions.map(versionItems);
      const [heads, pieces] = [items.map(({ head }) => head), items.flatMap(({ rest }) => rest)];
      // Pieces before the head that refers to them. Those of an earlier content of so large a version stay.
      await batchWrite(client, table, pieces);
      await batchWrite(client, table, heads);
      await batchWrite(client, table, teeItems(versions));
    },
    async putClubNumbers(numbers) {
      await batchWrite(client, table, [{ ...clubNumbersKey, content: { B: packJson(numbers) } }]);
    },
  };
}
