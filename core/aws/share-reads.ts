import {
  BatchGetItemCommand,
  type BatchGetItemInput,
  type BatchGetItemOutput,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { type Item, readLimit } from "./batch.ts";
import { type Sharing, shareCommands } from "./shared-requests.ts";

interface TableRead {
  readonly table: string;
  readonly keys: readonly Item[];
  readonly isConsistent: boolean;
}

/** What a request reads of its only table. */
function tableRead({ RequestItems = {} }: BatchGetItemInput): TableRead {
  const [table = ""] = Object.keys(RequestItems);
  const { Keys: keys = [], ConsistentRead: isConsistent = false } = RequestItems[table] ?? {};
  return { table, keys, isConsistent };
}

/** The key of an item as text, by the names of its attributes. */
const keyText = (item: Item, names: readonly string[]) => JSON.stringify(names.map((name) => item[name]));
const namesOf = ([key = {}]: readonly Item[]) => Object.keys(key).sort();

/** The keys of all inputs, each once: DynamoDB refuses a request that names an item twice. */
function distinctKeys(inputs: readonly BatchGetItemInput[]): Item[] {
  const keys = inputs.flatMap((input) => tableRead(input).keys);
  const names = namesOf(keys);
  return [...new Map(keys.map((key) => [keyText(key, names), key])).values()];
}

const sharing: Sharing<BatchGetItemInput, BatchGetItemOutput> = {
  keyOf: (input) => {
    const { table, keys, isConsistent } = tableRead(input);
    return JSON.stringify([table, isConsistent, namesOf(keys)]);
  },
  room: (inputs) => readLimit - distinctKeys(inputs).length,
  merge(inputs) {
    const { table, isConsistent } = tableRead(inputs[0] ?? { RequestItems: {} });
    return { RequestItems: { [table]: { Keys: distinctKeys(inputs), ConsistentRead: isConsistent } } };
  },
  split({ Responses = {}, UnprocessedKeys = {} }, inputs) {
    const { table, isConsistent, keys } = tableRead(inputs[0] ?? { RequestItems: {} });
    const names = namesOf(keys);
    const found = new Map((Responses[table] ?? []).map((item) => [keyText(item, names), item]));
    const unprocessed = new Set((UnprocessedKeys[table]?.Keys ?? []).map((key) => keyText(key, names)));
    return inputs.map((input) => {
      const own = tableRead(input).keys;
      const Keys = own.filter((key) => unprocessed.has(keyText(key, names)));
      return {
        Responses: {
          [table]: own.map((key) => found.get(keyText(key, names))).filter((item) => item !== undefined),
        },
        UnprocessedKeys: Keys.length === 0 ? {} : { [table]: { Keys, ConsistentRead: isConsistent } },
      };
    });
  },
};

/** Whether each caller's items can be told by their keys: a projection may leave keys out. */
function canShare({ RequestItems = {} }: BatchGetItemInput): boolean {
  const [read, ...others] = Object.values(RequestItems);
  return read !== undefined && others.length === 0 && read.ProjectionExpression === undefined;
}

/**
 * Makes reads by key of invocations that run at the same time share requests of 100.
 *
 * @see batchGet
 */
export const shareReads = (client: DynamoDBClient): DynamoDBClient =>
  shareCommands(client, BatchGetItemCommand, sharing, canShare);
