import { BatchGetItemCommand, BatchWriteItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Item } from "../../../core/store/batch.ts";
import type { SeededRandom } from "../../../stand-in/seeded-random.ts";
import type { EngineFaults, Environment, Request } from "./environment.ts";

const nameOf = ({ card, item }: Item) => `${card?.S} ${item?.S}`;

/**
 * DynamoDB's table of cards. Each item of a batch is read or written at a time of its own.
 *
 * @param onWritten told of each item when it is written
 * @returns the client of an environment
 */
export function simulatedTable(
  request: Request,
  random: SeededRandom,
  faults: EngineFaults,
  onWritten: (item: Item) => void,
): (from: Environment) => DynamoDBClient {
  const items = new Map<string, Item>();

  /** What is done of a batch, and what is left to be asked for again. */
  function divided<T>(batch: readonly T[]): { done: T[]; left: T[] } {
    const done = random.chance(faults.leaveOut) ? batch.filter(() => random.chance(0.6)) : [...batch];
    return { done, left: batch.filter((entry) => !done.includes(entry)) };
  }

  function read(from: Environment, { input }: BatchGetItemCommand) {
    const [[table, { Keys = [] }] = ["", {}]] = Object.entries(input.RequestItems ?? {});
    const attempt = () => {
      const found: Item[] = [];
      const { done, left } = divided(Keys);
      return {
        pieces: done.map((key) => () => {
          const item = items.get(nameOf(key));
          if (item !== undefined) found.push(item);
        }),
        answer: () => ({
          Responses: { [table]: found },
          UnprocessedKeys: left.length > 0 ? { [table]: { Keys: left } } : {},
        }),
      };
    };
    return request(from, attempt, undefined);
  }

  function write(from: Environment, { input }: BatchWriteItemCommand, signal: AbortSignal | undefined) {
    const [[table, puts] = ["", []]] = Object.entries(input.RequestItems ?? {});
    const attempt = () => {
      const { done, left } = divided(puts);
      return {
        pieces: done.map(({ PutRequest }) => () => {
          const item = PutRequest?.Item ?? {};
          items.set(nameOf(item), item);
          onWritten(item);
        }),
        answer: () => ({ UnprocessedItems: left.length > 0 ? { [table]: left } : {} }),
      };
    };
    return request(from, attempt, signal);
  }

  return (from) => {
    const send = (command: object, options?: { abortSignal?: AbortSignal }) => {
      if (command instanceof BatchGetItemCommand) return read(from, command);
      if (command instanceof BatchWriteItemCommand) return write(from, command, options?.abortSignal);
      throw new TypeError(`The simulated table has no ${command.constructor.name}.`);
    };
    return { send } as unknown as DynamoDBClient;
  };
}
