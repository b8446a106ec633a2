import {
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { Item } from "./batch.ts";

/*
 * Every query and scan of the project is here, because an answer of DynamoDB ends at a megabyte and says so only in
 * LastEvaluatedKey: who overlooks that loses the rest of a list.
 */

type Client = Pick<DynamoDBClient, "send">;

/** Items of a query, with the place at which the next page begins; only without a place is it the last page. */
export interface ItemPage {
  readonly items: readonly Item[];
  readonly next: Item | undefined;
}

/** Reads one page of a query, for those who read on by themselves. It can be empty before the last one, if the query filters. */
export async function queryPage(
  client: Client,
  query: QueryCommandInput,
  after?: Item | undefined,
): Promise<ItemPage> {
  const start = after === undefined ? {} : { ExclusiveStartKey: after };
  const { Items: items = [], LastEvaluatedKey: next } = await client.send(
    new QueryCommand({ ...query, ...start }),
  );
  return { items, next };
}

/** Reads a query page by page, as far as its reader goes. */
export async function* queryPages(client: Client, query: QueryCommandInput): AsyncGenerator<readonly Item[]> {
  let after: Item | undefined;
  do {
    const { items, next } = await queryPage(client, query, after);
    yield items;
    after = next;
  } while (after !== undefined);
}

/** Reads all items of a query. */
export async function queryAll(client: Client, query: QueryCommandInput): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of queryPages(client, query)) found.push(...items);
  return found;
}

/** Reads a table or an index page by page, as far as its reader goes. */
export async function* scanPages(client: Client, scan: ScanCommandInput): AsyncGenerator<readonly Item[]> {
  let after: Item | undefined;
  do {
    const start = after === undefined ? {} : { ExclusiveStartKey: after };
    const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ ...scan, ...start }));
    yield Items;
    after = LastEvaluatedKey;
  } while (after !== undefined);
}
