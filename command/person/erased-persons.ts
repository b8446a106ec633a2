import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LRUCache } from "lru-cache";
import { batchWrite, type Item, number } from "../../core/aws/batch.ts";
import { queryAll } from "../../core/aws/read-items.ts";
import { keyedDigest } from "../../core/formats/keyed-digest.ts";
import { keysOfPerson, type Person, searchByKeys } from "../../core/formats/named-person.ts";
import type { BackedUp } from "../base/backed-up.ts";
import type { Target } from "../base/target.ts";
import { isLeft, searchFor } from "./held-data.ts";
import { searchActivity } from "./other-places.ts";
import { readDigestSecret, searchCards } from "./search-person.ts";

/*
 * Who was erased is noted in the table of activity, under a partition key that no API set can have: keyed digests of numbers and name,
 * from which nobody can read them. They are kept as long as a backup may still have the person.
 */
const partition = "erased:";
const keptSeconds = 36 * 86_400;

/** Notes that a person is being erased, for data that are restored later. @param now milliseconds since 1970, UTC */
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
    expiresAt: number(Math.floor(now / 1000) + keptSeconds),
  }));
  await batchWrite(client, table, items);
}

/** When each person was erased, by the digests that are noted, in milliseconds since 1970, UTC. */
async function readErased(client: DynamoDBClient, table: string): Promise<ReadonlyMap<string, number>> {
  const items = await queryAll(client, {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: "apiSet = :partition",
    ExpressionAttributeValues: { ":partition": { S: partition } },
  });
  const erasedAt = ({ expiresAt }: Item) => (Number(expiresAt?.N) - keptSeconds) * 1000;
  return new Map(items.map((item) => [item.at?.S ?? "", erasedAt(item)]));
}

/** Texts have the same words again and again, and a digest costs more than to look it up. */
const maxRemembered = 100_000;

/** Erases from restored data whoever was erased after the backup. @returns how many texts and cards, and cards that may still be posted */
export async function eraseAgain(
  data: BackedUp,
  target: Target,
  client: DynamoDBClient,
  signal: AbortSignal,
): Promise<{ readonly erased: number; readonly left: number }> {
  const { ActivityTableName, ScorecardTableName } = target.outputs;
  const secret = await readDigestSecret(target);
  const erased = await readErased(client, ActivityTableName);
  if (erased.size === 0) return { erased: 0, left: 0 };
  const erasedAt = new LRUCache<string, number>({
    max: maxRemembered,
    memoMethod: (key) => erased.get(keyedDigest(secret, "erasedPerson", key)) ?? 0,
  });
  // A card that the person has played since then stays.
  const namesSince = (since: number) => searchByKeys((key) => erasedAt.memo(key) > since);
  const search = searchFor({ erase: true, names: namesSince(0), client, secret });
  if (data === "cards")
    await searchCards(search, ScorecardTableName, signal, ({ acceptedAt }) => namesSince(acceptedAt));
  if (data === "counts") await searchActivity({ ...search, table: ActivityTableName });
  const findings = [...search.cards, ...search.held].map(({ finding }) => finding);
  return {
    erased: findings.filter((finding) => finding === "erased").length,
    left: findings.filter(isLeft).length,
  };
}
