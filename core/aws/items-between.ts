import type { DynamoDBClient, QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { Item } from "./batch.ts";
import { queryPages } from "./read-items.ts";

/** The query for the items of a partition whose sort key is in a range, in the table of activity or one with its key. */
export const itemsBetween = (table: string, partition: string, from: string, to: string) =>
  ({
    TableName: table,
    KeyConditionExpression: "apiSet = :partition AND #at BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#at": "at" },
    ExpressionAttributeValues: { ":partition": { S: partition }, ":from": { S: from }, ":to": { S: to } },
  }) satisfies QueryCommandInput;

/** Reads the items of a partition from one sort key to another, as far as its reader goes; the first ones first, unless said otherwise. */
export type ReadItems = (
  partition: string,
  from: string,
  to: string,
  order?: { readonly isForward?: boolean; readonly limit?: number },
) => AsyncGenerator<Item, undefined>;

/** Items in one request: one has some hundreds of events or attempts, or one only. */
const itemsOfRequest = 25;

/** Makes the function that reads items of such a table consistently: an old read could lack an item that was read before. */
export const itemReader = (table: string, client: DynamoDBClient): ReadItems =>
  async function* readItems(partition, from, to, { isForward = true, limit = itemsOfRequest } = {}) {
    const query = { ...itemsBetween(table, partition, from, to), ConsistentRead: true };
    const pages = queryPages(client, { ...query, ScanIndexForward: isForward, Limit: limit });
    for await (const items of pages) yield* items;
    return undefined;
  };
