import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LRUCache } from "lru-cache";
import { batchWrite, number } from "../aws/batch.ts";
import { queryAll } from "../aws/read-items.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import { keysOfPerson, type Person, searchByKeys } from "../formats/named-person.ts";
import { collectTexts } from "../formats/nested-texts.ts";

/*
 * Who was erased is noted in the table of activity, under a partition key that no API set can have: keyed digests of numbers and name,
 * from which nobody can read them. They are kept as long as production keeps cards, since vendors send again what they have.
 */
const partition = "erased:";
const keptSeconds = 800 * 86_400;

/** Notes that a person is being erased. @param now milliseconds since 1970, UTC */
export async function noteErased(
  client: DynamoDBClient,
  table: string,
  secret: string,
  person: Person,
  now: number,
): Promise<void> {
  const items = [...keysOfPerson(person)].map((key) => ({
    apiSet: { S: partition },
    at: { S: keyedDigest(secret, "erasedPerson", key) },
    erasedAt: number(now),
    expiresAt: number(Math.floor(now / 1000) + keptSeconds),
  }));
  await batchWrite(client, table, items);
}

/** When the person of a key was erased, in milliseconds since 1970, UTC; 0 if nobody was. @see keysOfPerson */
type ErasedAt = (key: string) => number;

/** Reads who was erased. @returns undefined if nobody was */
export async function readErased(
  table: string,
  client: DynamoDBClient,
  readSecret: () => Promise<string>,
): Promise<ErasedAt | undefined> {
  const items = await queryAll(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: "apiSet = :partition",
    ExpressionAttributeValues: { ":partition": { S: partition } },
  });
  if (items.length === 0) return undefined;
  const secret = await readSecret();
  const byDigest = new Map(items.map(({ at, erasedAt }) => [at?.S, Number(erasedAt?.N)]));
  return (key) => byDigest.get(keyedDigest(secret, "erasedPerson", key)) ?? 0;
}

/** Whether a value has a text that names a person who was erased. */
export type NamesErased = (value: unknown) => boolean;

/** The words of a submission's texts repeat, so a usual one needs far fewer digests. The limit bounds the time of a made-up one. */
const maxDigests = 10_000;

/** Makes the search for erased persons in the faults of one submission. After `maxDigests`, each new word counts as a person's. */
export async function searchErased(...ledger: Parameters<typeof readErased>): Promise<NamesErased> {
  const erasedAt = await readErased(...ledger);
  if (erasedAt === undefined) return () => false;
  let digests = 0;
  const isErased = new LRUCache<string, boolean>({
    max: maxDigests,
    memoMethod: (key) => ++digests > maxDigests || erasedAt(key) > 0,
  });
  const names = new LRUCache<string, boolean>({
    max: maxDigests,
    memoMethod: searchByKeys((key) => isErased.memo(key)),
  });
  return (value) => collectTexts(value).some((text) => names.memo(text));
}
