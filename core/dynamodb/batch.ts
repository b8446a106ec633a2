import { setTimeout as delay } from "node:timers/promises";
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { chunks, mapSettled } from "./chunks.ts";

/** An item as DynamoDB carries it. */
export type Item = Record<string, AttributeValue>;

/** The attributes to bring; DynamoDB's reserved words need stand-in names. */
export interface Projection {
  readonly expression: string;
  readonly names: Record<string, string>;
}

/** DynamoDB's own limits of one request. */
const readLimit = 100;
const writeLimit = 25;
/** Of the largest submission, what is read is asked for at once. */
const parallelRequests = 10;
/** How often a part of a batch is asked for that DynamoDB leaves undone. */
export const attempts = 6;

/** DynamoDB kept refusing a part of a batch, or did not answer; the same request may be made again. */
export class TableBatchError extends Error {
  override readonly name = "TableBatchError";

  constructor(table: string, options: { cause?: unknown } = {}) {
    super(`DynamoDB did not take the whole batch for ${table} after ${attempts} attempts.`, options);
  }
}

/** Exponential with full jitter, since a table that throttles many callers must not hear them all at once again. */
export const pause = (attempt: number) => delay(Math.random() * Math.min(50 * 2 ** attempt, 1000));

/**
 * Reads items by key, 100 a request, with strong consistency; items that do not exist are left out. What is too large for
 * one answer comes in as many as it takes.
 *
 * @throws TableBatchError where DynamoDB leaves keys unprocessed time and again
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
  projection?: Projection,
): Promise<Item[]> {
  const read = async (chunk: Item[]): Promise<Item[]> => {
    const found: Item[] = [];
    let wanted: Item[] = chunk;
    for (let fruitless = 0; fruitless < attempts; ) {
      if (wanted !== chunk) await pause(fruitless);
      const request = {
        Keys: wanted,
        ConsistentRead: true,
        ...(projection !== undefined && {
          ProjectionExpression: projection.expression,
          ExpressionAttributeNames: projection.names,
        }),
      };
      const answer = await client.send(new BatchGetItemCommand({ RequestItems: { [table]: request } }));
      found.push(...(answer.Responses?.[table] ?? []));
      const left = answer.UnprocessedKeys?.[table]?.Keys ?? [];
      if (left.length === 0) return found;
      fruitless = left.length < wanted.length ? 0 : fruitless + 1;
      wanted = left;
    }
    throw new TableBatchError(table);
  };
  return (await mapSettled(chunks(keys, readLimit), parallelRequests, read)).flat();
}

/** What a write may be limited by. */
export interface BatchWriteOptions {
  /** Keys of items to delete. */
  readonly deletes?: readonly Item[];
  /** Nothing is written any more once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts and deletes items, 25 a request. When it throws, some are written, and none will be later.
 *
 * @throws TableBatchError where DynamoDB leaves items unprocessed time and again, or the signal's reason
 */
export async function batchWrite(
  client: DynamoDBClient,
  table: string,
  puts: readonly Item[],
  { deletes = [], signal }: BatchWriteOptions = {},
): Promise<void> {
  const requests = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map((key) => ({ DeleteRequest: { Key: key } })),
  ];
  const write = async (chunk: typeof requests): Promise<void> => {
    let wanted = chunk;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await pause(attempt);
      signal?.throwIfAborted();
      const request = new BatchWriteItemCommand({ RequestItems: { [table]: wanted } });
      const answer = await client.send(request, signal && { abortSignal: signal });
      wanted = (answer.UnprocessedItems?.[table] ?? []) as typeof requests;
      if (wanted.length === 0) return;
    }
    throw new TableBatchError(table);
  };
  await mapSettled(chunks(requests, writeLimit), parallelRequests, write);
}
