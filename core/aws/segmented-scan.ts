import type { DynamoDBClient, ScanCommandInput } from "@aws-sdk/client-dynamodb";
import { mapSettled } from "../formats/chunks.ts";
import type { Item } from "./batch.ts";
import { scanPages } from "./read-items.ts";

/** Segments that are read at the same time. */
const segments = 8;

/**
 * Reads a whole table, several segments at a time. After a failure the others end with their page, and only then it throws: what was
 * done until then is known.
 *
 * @param work called with each page of items; a segment's next page is read after it has returned
 * @param filter what of the table is sent; all if left out
 */
export async function scanInSegments(
  client: DynamoDBClient,
  table: string,
  work: (items: readonly Item[]) => Promise<void>,
  filter: Partial<ScanCommandInput> = {},
): Promise<void> {
  let hasFailed = false;
  const read = async (Segment: number) => {
    const request = { ...filter, TableName: table, Segment, TotalSegments: segments, ConsistentRead: true };
    try {
      for await (const items of scanPages(client, request)) {
        if (hasFailed) return;
        await work(items);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const all = Array.from({ length: segments }, (_, segment) => segment);
  await mapSettled(all, segments, read);
}
