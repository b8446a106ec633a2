import { applyStatement, keyOfStatement, parseStatement } from "@scorecard-pipeline/local-aws/dynamodb";
import type { EngineRequest } from "../counted-engine.ts";

// biome-ignore lint/suspicious/noExplicitAny: an item in DynamoDB's own form
type Item = Record<string, any>;

function valueBytes({ S, N, B, BOOL }: Item): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.length / 2) + 1;
  if (BOOL !== undefined) return 1;
  return Buffer.byteLength(B ?? "", "base64");
}

/** Bytes of an item, as DynamoDB counts them. */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

/** What is in the index of cards by state of an item: its keys; nothing if it is not in there. */
const indexEntry = ({ vendorState, stateSince }: Item = {}): string | undefined =>
  vendorState === undefined ? undefined : `${vendorState.S} ${stateSince?.S}`;

const countUnits = (item: Item = {}) => Math.max(1, Math.ceil(itemBytes(item) / 1024));

/** Write units of the index: an entry that comes, goes or moves; one that moves is removed and written. */
function indexUnits(before: Item | undefined, after: Item): number {
  const [old, now] = [indexEntry(before), indexEntry(after)];
  if (old === now) return 0;
  return (old === undefined ? 0 : 1) + (now === undefined ? 0 : 1);
}

/** Counts the write units of requests that are given to it in their order. */
type WriteUnitCounter = (request: Pick<EngineRequest, "operation" | "sent">) => number;

/**
 * Makes a counter of write units: one a started kilobyte of the larger of the item before and after, and those of the index by
 * state. A write whose condition fails costs as much as the item that is there.
 *
 * It keeps every item that statements have written, since an update names only what it changes.
 *
 * @see DynamoDB developer guide, "Capacity unit consumption for write operations" and "Provisioned throughput considerations
 *   for global secondary indexes"
 */
export function writeUnitCounter(): WriteUnitCounter {
  const items = new Map<string, Item>();

  function unitsOfStatement({ Statement, Parameters }: { Statement: string; Parameters: Item[] }): number {
    const statement = parseStatement(Statement);
    const key = `${statement.table} ${keyOfStatement(statement, Parameters, ["id"]).id?.S}`;
    const before = items.get(key);
    const applied = applyStatement(statement, Parameters, before);
    if ("failure" in applied) return countUnits(before);
    items.set(key, applied.item);
    return Math.max(countUnits(before), countUnits(applied.item)) + indexUnits(before, applied.item);
  }

  function unitsOfUpdate({ TableName, Key, UpdateExpression, ...given }: Item): number {
    const key = `${TableName} ${JSON.stringify(Key)}`;
    const before = items.get(key);
    const changes = [...String(UpdateExpression).matchAll(/(#\w+|\w+) ?=? (:\w+)/g)].map(
      ([, name = "", value = ""]) => [
        given.ExpressionAttributeNames?.[name] ?? name,
        given.ExpressionAttributeValues[value],
      ],
    );
    const after = { ...Key, ...before, ...Object.fromEntries(changes) };
    items.set(key, after);
    return Math.max(countUnits(before), countUnits(after));
  }

  return ({ operation, sent }) => {
    const sum = (units: readonly number[]) => units.reduce((total, one) => total + one, 0);
    if (operation === "UpdateItem") return unitsOfUpdate(sent);
    if (operation === "BatchExecuteStatement") return sum(sent.Statements.map(unitsOfStatement));
    if (operation !== "BatchWriteItem") return 0;
    const requests = Object.values(sent.RequestItems).flat() as { PutRequest?: { Item: Item } }[];
    return sum(requests.map(({ PutRequest }) => countUnits(PutRequest?.Item)));
  };
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
