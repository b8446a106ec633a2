import type { EngineRequest } from "../counted-engine.ts";

// biome-ignore lint/suspicious/noExplicitAny: an item in DynamoDB's own form
type Item = Record<string, any>;

/** Bytes of an item, as DynamoDB counts them. */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, { S, N, B }]) => {
    const value =
      S !== undefined
        ? Buffer.byteLength(S)
        : N !== undefined
          ? Math.ceil(N.length / 2) + 1
          : Buffer.byteLength(B ?? "", "base64");
    return sum + Buffer.byteLength(name) + value;
  }, 0);
}

/** Write units of items: one a kilobyte, and as much again for an item that is in the index of cards by state. */
export function writeUnits({ operation, sent }: EngineRequest): number {
  if (operation !== "BatchWriteItem") return 0;
  const requests = Object.values(sent.RequestItems).flat() as { PutRequest?: { Item: Item } }[];
  return requests.reduce((sum, { PutRequest }) => {
    const units = Math.ceil(itemBytes(PutRequest?.Item ?? {}) / 1024);
    return sum + units * (PutRequest?.Item.vendorState === undefined ? 1 : 2);
  }, 0);
}

/**
 * Read units: one for each 4 KB read with strong consistency, half of that without. What is not there costs the least.
 */
export function readUnits({ operation, sent, answered }: EngineRequest): number {
  const units = (item: Item) => Math.max(1, Math.ceil(itemBytes(item) / 4096));
  if (operation === "GetItem") return units(answered.Item ?? {}) * (sent.ConsistentRead ? 1 : 0.5);
  if (operation === "Query") {
    const bytes = (answered.Items ?? []).reduce((sum: number, item: Item) => sum + itemBytes(item), 0);
    return Math.max(1, Math.ceil(bytes / 4096)) * 0.5;
  }
  if (operation !== "BatchGetItem") return 0;
  const keys = Object.values(sent.RequestItems as Record<string, { Keys: Item[] }>).flatMap(
    ({ Keys }) => Keys,
  );
  const found = Object.values(answered.Responses ?? {}).flat() as Item[];
  return found.reduce((sum, item) => sum + units(item), keys.length - found.length);
}
