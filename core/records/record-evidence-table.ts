import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGetEach, batchWrite, batchWriteEach, type Item, number } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { queryAll } from "../aws/read-items.ts";
import { dayMilliseconds } from "../formats/days.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import type { ClaimedRow } from "./claimed-rows.ts";
import { countedDays, type FoundShares } from "./found-shares.ts";

/** Claims of rows by the identity of their round. What the table refuses of one round affects no other. */
export interface RowClaims {
  /** `unread`: the rounds whose claims could not be read. */
  read(rounds: readonly string[]): Promise<{
    readonly known: Map<string, readonly ClaimedRow[]>;
    readonly unread: ReadonlySet<string>;
  }>;
  /** @returns the rounds whose claims could not be written */
  write(claims: ReadonlyMap<string, readonly ClaimedRow[]>, now: number): Promise<ReadonlySet<string>>;
}

/** The claims in an item of the table of activity; undefined if it has none. All are of rounds of one player. */
export const claimsIn = ({ apiSet, claims }: Item): readonly ClaimedRow[] | undefined =>
  apiSet?.S === claimPartition.S ? (JSON.parse(claims?.S ?? "[]") as ClaimedRow[]) : undefined;

/** Longer than a card is looked for. */
const keptSeconds = 30 * 86_400;

/*
 * The activity table has both, in partitions of their own: no API set has a colon. Only one run at a time writes them.
 */
const claimPartition = { S: "records:claims" };
const sharePartition = "records:shares";

/**
 * Claims of rows in a DynamoDB table, under a keyed hash: nobody can tell from it whose round it is.
 *
 * @param hashKey the secret of the hash; with another one, all claims are forgotten
 */
export function rowClaims(table: string, client: DynamoDBClient, hashKey: () => Promise<string>): RowClaims {
  async function keyOf(
    round: string,
  ): Promise<{ readonly apiSet: Item[string]; readonly at: { readonly S: string } }> {
    const at = keyedDigest(await hashKey(), "recordEvidence", round);
    return { apiSet: claimPartition, at: { S: at } };
  }
  return {
    async read(rounds) {
      const keys = await Promise.all(rounds.map(keyOf));
      const names = new Map(keys.map(({ at }, place) => [at.S, rounds[place] ?? ""]));
      const nameOf = ({ at }: Item) => names.get(at?.S ?? "") ?? "";
      const unique = [...new Map(keys.map((key) => [key.at.S, key])).values()];
      const { found, unread } = await batchGetEach(client, table, unique);
      const claimed = found.map((item) => [nameOf(item), claimsIn(item) ?? []] as const);
      return { known: new Map(claimed), unread: new Set(unread.map(nameOf)) };
    },
    async write(claims, now) {
      const expiresAt = number(Math.ceil(now / 1000) + keptSeconds);
      const names = new Map<string | undefined, string>();
      const items = await Promise.all(
        [...claims].map(async ([round, own]) => {
          const key = await keyOf(round);
          names.set(key.at.S, round);
          return { ...key, claims: { S: JSON.stringify(own) }, expiresAt };
        }),
      );
      const { unwritten } = await batchWriteEach(client, table, items);
      return new Set(unwritten.map(({ PutRequest }) => names.get(PutRequest?.Item?.at?.S) ?? ""));
    },
  };
}

const dayName = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The days of vendors' checks in a DynamoDB table. */
export function foundShares(table: string, client: DynamoDBClient): FoundShares {
  const items = (apiSet: string, from: number, to: number): Promise<Item[]> =>
    queryAll(client, {
      ...itemsBetween(table, sharePartition, `${apiSet}#${dayName(from)}`, `${apiSet}#${dayName(to)}`),
      ConsistentRead: true,
    });
  const readCounts = ({ found, absent, lastFoundAt }: Item) => ({
    found: Number(found?.N ?? 0),
    absent: Number(absent?.N ?? 0),
    lastFoundAt: Number(lastFoundAt?.N ?? 0),
  });
  return {
    read: async (apiSet, now) =>
      (await items(apiSet, now - (countedDays - 1) * dayMilliseconds, now)).map(readCounts),
    async add(apiSet, counts, now) {
      const [before] = (await items(apiSet, now, now)).map(readCounts);
      const item = {
        apiSet: { S: sharePartition },
        at: { S: `${apiSet}#${dayName(now)}` },
        found: number((before?.found ?? 0) + counts.found),
        absent: number((before?.absent ?? 0) + counts.absent),
        lastFoundAt: number(Math.max(before?.lastFoundAt ?? 0, counts.lastFoundAt)),
        expiresAt: number(Math.ceil(now / 1000) + keptSeconds),
      };
      await batchWrite(client, table, [item]);
    },
  };
}
