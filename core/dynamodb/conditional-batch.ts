import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import type { WriteResult } from "../delivery/card.ts";
import { attempts, type Item, pause, TableBatchError } from "./batch.ts";
import { chunks, mapSettled } from "./chunks.ts";

/** A write of one item that is made only if a condition holds. */
export interface ConditionalWrite {
  /** The item's key; an update only. */
  readonly key: Item;
  /** The values that each of these attributes may have now. Without it the item must not exist yet. */
  readonly expects?: Readonly<Record<string, readonly AttributeValue[]>> | undefined;
  readonly set: Item;
  /** Attributes to remove; an update only. */
  readonly remove?: readonly string[];
}

/** DynamoDB's own limit of one request. */
const statementsLimit = 25;
const parallelRequests = 10;

const lost: ReadonlySet<string> = new Set(["ConditionalCheckFailed", "DuplicateItem"]);
const passing: ReadonlySet<string> = new Set([
  "InternalServerError",
  "ProvisionedThroughputExceeded",
  "RequestLimitExceeded",
  "ThrottlingError",
  "TransactionConflict",
]);

function statementOf(table: string, { key, expects, set, remove = [] }: ConditionalWrite) {
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
  };
}

/**
 * Makes conditional writes, 25 a request, each by itself: DynamoDB's one way to have conditions in batches.
 *
 * A request whose answer was lost is sent again by the SDK, and then reports the writes of the first as `lost`.
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
  const results = writes.map((): WriteResult => "lost");
  const statements = writes.map((write, index) => ({ index, statement: statementOf(table, write) }));
  await mapSettled(chunks(statements, statementsLimit), parallelRequests, async (batch) => {
    let left = batch;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await pause(attempt);
      const request = new BatchExecuteStatementCommand({
        Statements: left.map(({ statement }) => statement),
      });
      const answer = await client.send(request).catch((cause: unknown) => {
        throw new TableBatchError(table, { cause });
      });
      const codes = left.map((_, place) => answer.Responses?.[place]?.Error?.Code);
      for (const [place, { index }] of left.entries()) {
        if (codes[place] === undefined) results[index] = "written";
      }
      left = left.filter((_, place) => codes[place] !== undefined && !lost.has(codes[place]));
      if (left.length === 0) return;
      const mistake = codes.find((code) => code !== undefined && !lost.has(code) && !passing.has(code));
      if (mistake !== undefined) throw new TableBatchError(table, { cause: new Error(mistake) });
    }
    throw new TableBatchError(table);
  });
  return results;
}
