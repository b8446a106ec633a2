import { randomBytes } from "node:crypto";
import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { chunks, mapSettled, withoutRepeats } from "../formats/chunks.ts";
import { type RetryLimits, retryUnprocessed } from "./retry-unprocessed.ts";

/** An item in DynamoDB's own JSON. */
export type Item = Record<string, AttributeValue>;

/** A number attribute. */
export const number = (value: number): AttributeValue => ({ N: String(value) });

/** The attributes to return; DynamoDB's reserved words need placeholders. */
export interface Projection {
  readonly expression: string;
  readonly names: Record<string, string>;
}

/** A write of one item that is made only if a condition holds. */
export interface ConditionalWrite {
  readonly key: Item;
  /** The values that each of these attributes may have now. Without it the item must not exist yet. */
  readonly expects?: Readonly<Record<string, readonly AttributeValue[]>> | undefined;
  readonly set: Item;
  /** Attributes to remove; an update only. */
  readonly remove?: readonly string[];
}

/** `lost`: another writer changed the item first. Read it again. */
export type WriteResult = "written" | "lost";
/** `refused`: DynamoDB kept refusing it, or did not answer. It may have been made. */
export type TriedWrite = WriteResult | "refused";

/** DynamoDB's own limits of one request. */
const readLimit = 100;
const writeLimit = 25;
/** Enough to read all cards of the largest submission at once. */
const parallelRequests = 10;
/** How often an unprocessed part of a batch is sent, the first time included. */
const attempts = 6;

/** DynamoDB kept refusing a part of a batch, or did not answer. The request may be repeated. */
export class TableBatchError extends Error {
  override readonly name = "TableBatchError";

  constructor(table: string, options: { cause?: unknown } = {}) {
    super(`DynamoDB did not take the whole batch for ${table} after ${attempts} attempts.`, options);
  }
}

const retryLimits: RetryLimits = { attempts, backoffBase: 50 };

/**
 * Reads items by key, 100 a request, with strong consistency; items that do not exist are left out.
 *
 * @throws TableBatchError if DynamoDB keeps leaving keys unprocessed
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
  projection?: Projection,
): Promise<Item[]> {
  const { found, unread, cause } = await batchGetEach(client, table, keys, projection);
  if (unread.length > 0) throw new TableBatchError(table, { cause });
  return found;
}

/** Reads items as `batchGet` does. @returns those that exist, and the keys that DynamoDB did not process */
export async function batchGetEach(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
  projection?: Projection,
): Promise<{ readonly found: Item[]; readonly unread: readonly Item[]; readonly cause?: unknown }> {
  const found: Item[] = [];
  const read = async (unread: readonly Item[]): Promise<Item[]> => {
    const request = {
      Keys: [...unread],
      ConsistentRead: true,
      ...(projection !== undefined && {
        ProjectionExpression: projection.expression,
        ExpressionAttributeNames: projection.names,
      }),
    };
    const response = await client.send(new BatchGetItemCommand({ RequestItems: { [table]: request } }));
    found.push(...(response.Responses?.[table] ?? []));
    return response.UnprocessedKeys?.[table]?.Keys ?? [];
  };
  // A result of more than 16 MB comes in parts.
  const limits = { ...retryLimits, progressResets: true };
  const { undone, cause } = await sendInRequests(keys, readLimit, limits, read);
  return { found, unread: undone, cause };
}

/**
 * Sends entries in requests of at most `size` entries each.
 *
 * @returns those that were not done, and the error of a request, which affects no entry of others
 * @throws the error of a request if no entry was done
 */
async function sendInRequests<Entry>(
  entries: readonly Entry[],
  size: number,
  limits: RetryLimits,
  send: (entries: readonly Entry[]) => Promise<readonly Entry[]>,
): Promise<{ readonly undone: readonly Entry[]; readonly cause: unknown }> {
  const errors: unknown[] = [];
  const undone: Entry[] = [];
  await mapSettled(chunks(entries, size), parallelRequests, async (chunk) => {
    const left = await retryUnprocessed(chunk, limits, send).catch((error: unknown) => {
      errors.push(error);
      return chunk;
    });
    undone.push(...left);
  });
  const [cause] = errors;
  if (errors.length > 0 && undone.length === entries.length) throw cause;
  return { undone, cause };
}

/** Options of a batch of writes. */
export interface BatchWriteOptions {
  /** Keys of items to delete. */
  readonly deletes?: readonly Item[];
  /** Once it is aborted, nothing more is written. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts and deletes items, 25 a request. If it throws, some are written, and none is still being written.
 *
 * @throws TableBatchError if DynamoDB keeps leaving items unprocessed, or the signal's reason
 */
export async function batchWrite(
  client: DynamoDBClient,
  table: string,
  puts: readonly Item[],
  options?: BatchWriteOptions,
): Promise<void> {
  const { unwritten, cause } = await batchWriteEach(client, table, puts, options);
  if (unwritten.length > 0) throw new TableBatchError(table, { cause });
}

/** Writes as `batchWrite` does. @returns the requests that DynamoDB did not process */
export async function batchWriteEach(
  client: DynamoDBClient,
  table: string,
  puts: readonly Item[],
  { deletes = [], signal }: BatchWriteOptions = {},
): Promise<{ readonly unwritten: readonly WriteRequest[]; readonly cause: unknown }> {
  const requests: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map((key) => ({ DeleteRequest: { Key: key } })),
  ];
  const write = async (unwritten: readonly WriteRequest[]) => {
    signal?.throwIfAborted();
    const request = new BatchWriteItemCommand({ RequestItems: { [table]: [...unwritten] } });
    const response = await client.send(request, signal && { abortSignal: signal });
    return response.UnprocessedItems?.[table] ?? [];
  };
  const { undone: unwritten, cause } = await sendInRequests(requests, writeLimit, retryLimits, write);
  if (unwritten.length > 0) signal?.throwIfAborted();
  return { unwritten, cause };
}

/** The attribute of the write that an item had last: a random text, so each write can be told from all others. */
const writeId = "writeId";
const transientErrors: ReadonlySet<string> = new Set([
  "InternalServerError",
  "ProvisionedThroughputExceeded",
  "RequestLimitExceeded",
  "ThrottlingError",
  "TransactionConflict",
]);

function toStatement(table: string, { key, expects, set, remove = [] }: ConditionalWrite) {
  const names = Object.keys(set);
  const values = Object.values(set);
  if (expects === undefined) {
    const item = [...Object.keys(key), ...names].map((name) => `'${name}': ?`).join(", ");
    return {
      Statement: `INSERT INTO "${table}" VALUE {${item}}`,
      Parameters: [...Object.values(key), ...values],
    };
  }
  const changes = [...names.map((name) => `SET "${name}" = ?`), ...remove.map((name) => `REMOVE "${name}"`)];
  const conditions = [
    ...Object.keys(key).map((name) => `"${name}" = ?`),
    ...Object.entries(expects).map(([name, { length }]) =>
      length === 1 ? `"${name}" = ?` : `"${name}" IN [${Array.from({ length }, () => "?").join(", ")}]`,
    ),
  ];
  return {
    Statement: `UPDATE "${table}" ${changes.join(" ")} WHERE ${conditions.join(" AND ")}`,
    Parameters: [...values, ...Object.values(key), ...Object.values(expects).flat()],
    // The item that does not meet the condition may be the one that this write made.
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
}

/**
 * Makes conditional writes, 25 a request, each by itself: DynamoDB's one way to have conditions in batches. Writes of one item are
 * made one after the other, in their order, since DynamoDB refuses a request that writes an item twice.
 *
 * If only the response was lost, the SDK sends the request again, and the conditions fail because of the first one. Then the item has
 * this write's `writeId`. DynamoDB returns the item of a failed update; a failed insert is asked about by an update.
 *
 * @returns a result for each, in order
 * @throws TableBatchError if DynamoDB keeps refusing some or does not answer: others may have been written
 * @see DynamoDB API reference, BatchExecuteStatement
 */
export async function conditionalWrites(
  client: DynamoDBClient,
  table: string,
  writes: readonly ConditionalWrite[],
): Promise<WriteResult[]> {
  const { results, cause } = await writeEach(client, table, writes);
  return results.map((result) => {
    if (result === "refused") throw new TableBatchError(table, { cause });
    return result;
  });
}

/**
 * Makes conditional writes as `conditionalWrites` does.
 *
 * @returns a result for each, in order; others are not affected by one that is refused
 * @throws TableBatchError if nothing was written because whole requests failed
 */
export async function tryConditionalWrites(
  client: DynamoDBClient,
  table: string,
  writes: readonly ConditionalWrite[],
): Promise<TriedWrite[]> {
  const { results, cause } = await writeEach(client, table, writes);
  if (cause !== undefined && results.every((result) => result === "refused"))
    throw new TableBatchError(table, { cause });
  return results;
}

async function writeEach(client: DynamoDBClient, table: string, writes: readonly ConditionalWrite[]) {
  const results = writes.map((): TriedWrite => "refused");
  let cause: unknown;
  const statements = writes.map((write, index) => {
    const { key } = write;
    const id = { S: randomBytes(6).toString("base64") };
    const set = { ...write.set, [writeId]: id };
    return { index, key, id, statement: toStatement(table, { ...write, set }) };
  });
  const write = async (unwritten: Readonly<typeof statements>) => {
    const Statements = unwritten.map(({ statement }) => statement);
    const request = new BatchExecuteStatementCommand({ Statements });
    const response = await client.send(request).catch((error: unknown) => {
      cause ??= error;
    });
    if (response === undefined) return [];
    return unwritten.flatMap((one, position) => {
      const { Code: code, Item: item } = response.Responses?.[position]?.Error ?? {};
      if (code === undefined || item?.[writeId]?.S === one.id.S) results[one.index] = "written";
      else if (code === "DuplicateItem") {
        const own = { key: one.key, expects: { [writeId]: [one.id] }, set: { [writeId]: one.id } };
        return [{ ...one, statement: toStatement(table, own) }];
      } else if (code === "ConditionalCheckFailed") results[one.index] = "lost";
      else if (transientErrors.has(code)) return [one];
      else cause ??= new Error(code);
      return [];
    });
  };
  for (const distinct of withoutRepeats(statements, ({ key }) => JSON.stringify(key))) {
    await mapSettled(chunks(distinct, writeLimit), parallelRequests, (chunk) =>
      retryUnprocessed(chunk, retryLimits, write),
    );
  }
  return { results, cause };
}
