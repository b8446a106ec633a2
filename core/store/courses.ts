import { hash } from "node:crypto";
import { type DynamoDBClient, GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { CourseVersion } from "../course/course.ts";
import { batchGet, batchWrite, type Item } from "./batch.ts";
import { packJson, unpackJson } from "./packed-json.ts";

/** A course version as the mirror keeps it. */
export interface MirroredVersion {
  readonly version: CourseVersion;
  /** When the mirror first saw it as it is now, in milliseconds since 1970, UTC. */
  readonly changedAt: number;
  /** Whether the union has stopped showing it. */
  readonly gone: boolean;
}

/** Course versions by their own ID, by their course and by their club. */
export interface CourseTable {
  /** One version by its ID, in any case. */
  version(id: string): Promise<MirroredVersion | undefined>;
  /** All versions of a course, by its TemplateID. */
  course(templateId: string): Promise<MirroredVersion[]>;
  /** All versions of all courses of a club. */
  club(clubId: string): Promise<MirroredVersion[]>;
  /** The fingerprints of versions that are mirrored and shown, by ID in upper case. */
  fingerprints(ids: readonly string[]): Promise<Map<string, string>>;
  /** @throws TableBusy where some could not be written; the same call may be made again */
  put(versions: readonly MirroredVersion[]): Promise<void>;
}

/** Tells a version from a changed one. */
export function fingerprint(version: CourseVersion): string {
  return hash("sha256", JSON.stringify(version), "base64url");
}

function versionItem({ version, changedAt, gone }: MirroredVersion): Item {
  return {
    id: { S: version.ID.toUpperCase() },
    templateId: { S: version.TemplateID.toUpperCase() },
    clubId: { S: version.ClubID.toUpperCase() },
    version: { N: String(version.Version) },
    changedAt: { N: String(changedAt) },
    fingerprint: { S: fingerprint(version) },
    content: { B: packJson(version) },
    ...(gone && { gone: { BOOL: true } }),
  };
}

function mirroredVersion(item: Item): MirroredVersion {
  return {
    version: unpackJson(item.content?.B ?? new Uint8Array()) as CourseVersion,
    changedAt: Number(item.changedAt?.N),
    gone: item.gone?.BOOL ?? false,
  };
}

/** The mirrored course versions in a DynamoDB table, with an index by course and one by club. */
export function courseTable(table: string, client: DynamoDBClient): CourseTable {
  async function query(index: string, attribute: string, value: string): Promise<MirroredVersion[]> {
    const found: MirroredVersion[] = [];
    let start: Item | undefined;
    do {
      const answer = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: index,
          KeyConditionExpression: "#attribute = :value",
          ExpressionAttributeNames: { "#attribute": attribute },
          ExpressionAttributeValues: { ":value": { S: value.toUpperCase() } },
          ...(start !== undefined && { ExclusiveStartKey: start }),
        }),
      );
      found.push(...(answer.Items ?? []).map(mirroredVersion));
      start = answer.LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  return {
    async version(id) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: { id: { S: id.toUpperCase() } } }),
      );
      return Item === undefined ? undefined : mirroredVersion(Item);
    },
    course: (templateId) => query("byCourse", "templateId", templateId),
    club: (clubId) => query("byClub", "clubId", clubId),
    async fingerprints(ids) {
      const keys = ids.map((id) => ({ id: { S: id.toUpperCase() } }));
      const projection = { expression: "id,fingerprint,#gone", names: { "#gone": "gone" } };
      const items = await batchGet(client, table, keys, projection);
      const shown = items.filter((item) => item.gone?.BOOL !== true);
      return new Map(shown.map((item) => [item.id?.S ?? "", item.fingerprint?.S ?? ""]));
    },
    async put(versions) {
      await batchWrite(client, table, versions.map(versionItem));
    },
  };
}
