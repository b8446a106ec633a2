import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Item } from "./batch.ts";
import { scanPages } from "./read-items.ts";

/** Segments that are read at the same time. */
const segments = 8;

/**
 * Reads a whole table, several segments at a time.
 *
 * @param work called with each page of items; a segment's next page is read after it has returned
 */
export async function scanInSegments(
  client: DynamoDBClient,
  table: string,
  work: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  const read = async (Segment: number) => {
    const request = { TableName: table, Segment, TotalSegments: segments, ConsistentRead: true };
    for await (const items of scanPages(client, request)) await work(items);
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => read(segment)));
}
