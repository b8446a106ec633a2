import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { applyStatement, keyOfStatement, parseStatement } from "@scorecard-pipeline/local-aws/dynamodb";
import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { Item } from "../../../../core/aws/batch.ts";
import type { Attempt, Environment, Request } from "../environment.ts";
import type { VirtualTime } from "../virtual-time.ts";

/** The tables of clubs and courses. */
export interface RegisterTables {
  /** The client of an environment, with whatever happens to its requests. */
  of(from: Environment): DynamoDBClient;
  /** One to whose requests nothing happens. */
  readonly calm: DynamoDBClient;
}

/** How far the indexes lag behind at most, in milliseconds. */
const indexLag = 5000;
const keyAttributes = { byClub: "clubId", byCourse: "templateId" } as const;

/** DynamoDB's tables of clubs and courses. Each item of a batch is read or written at a time of its own; the indexes lag. */
export function registerTables(
  request: Request,
  time: VirtualTime,
  random: SeededRandom,
  faults: { readonly refusePart: number },
): RegisterTables {
  const tables = new Map<string, Map<string, Item>>();
  /** By ID; only the table of courses has indexes. */
  const index = new Map<string, Item>();
  const idOf = (item: Item = {}) => item.id?.S ?? "";
  function tableOf(name = ""): Map<string, Item> {
    const table = tables.get(name) ?? new Map<string, Item>();
    tables.set(name, table);
    return table;
  }
  const refused = <T>(all: readonly T[]) =>
    random.chance(faults.refusePart) ? new Set(all.filter(() => random.chance(0.4))) : new Set<T>();

  function store(table: string, item: Item): void {
    tableOf(table).set(idOf(item), item);
    time.after(random.whole(0, indexLag), () => {
      const now = tableOf(table).get(idOf(item));
      if (now?.clubId !== undefined) index.set(idOf(item), now);
    });
  }

  function execute(text: string, parameters: readonly object[]): string | undefined {
    const statement = parseStatement(text);
    const id = idOf(keyOfStatement(statement, parameters, ["id"]) as Item);
    const result = applyStatement(statement, parameters, tableOf(statement.table).get(id));
    if ("failure" in result) return result.failure;
    store(statement.table, result.item as Item);
    return undefined;
  }

  /** The steps of a command, and its answer. */
  function attempt(command: object): Attempt<object> {
    if (command instanceof GetItemCommand) {
      const { TableName, Key } = command.input;
      return { pieces: [], answer: () => ({ Item: tableOf(TableName).get(idOf(Key)) }) };
    }
    if (command instanceof BatchGetItemCommand) {
      const [[table, { Keys = [] }] = ["", {}]] = Object.entries(command.input.RequestItems ?? {});
      const left = refused(Keys);
      const found: Item[] = [];
      const read = (key: Item) => () => {
        const item = tableOf(table).get(idOf(key));
        if (item !== undefined) found.push(item);
      };
      const UnprocessedKeys = left.size > 0 ? { [table]: { Keys: [...left] } } : {};
      return {
        pieces: Keys.filter((key) => !left.has(key)).map(read),
        answer: () => ({ Responses: { [table]: found }, UnprocessedKeys }),
      };
    }
    if (command instanceof BatchWriteItemCommand) {
      const [[table, writes] = ["", []]] = Object.entries(command.input.RequestItems ?? {});
      const left = refused(writes);
      const write = (one: (typeof writes)[number]) => () => {
        if (one.PutRequest?.Item !== undefined) store(table, one.PutRequest.Item);
        else tableOf(table).delete(idOf(one.DeleteRequest?.Key));
      };
      const UnprocessedItems = left.size > 0 ? { [table]: [...left] } : {};
      return {
        pieces: writes.filter((one) => !left.has(one)).map(write),
        answer: () => ({ UnprocessedItems }),
      };
    }
    if (command instanceof BatchExecuteStatementCommand) {
      const statements = command.input.Statements ?? [];
      const left = refused(statements);
      const codes = new Map<object, string | undefined>();
      const carryOut = (one: (typeof statements)[number]) => () =>
        codes.set(
          one,
          left.has(one) ? "ThrottlingError" : execute(one.Statement ?? "", one.Parameters ?? []),
        );
      const Responses = () =>
        statements.map((one) => (codes.get(one) === undefined ? {} : { Error: { Code: codes.get(one) } }));
      return { pieces: statements.map(carryOut), answer: () => ({ Responses: Responses() }) };
    }
    if (command instanceof QueryCommand) {
      const { IndexName, ExpressionAttributeValues } = command.input;
      const value = ExpressionAttributeValues?.[":value"]?.S;
      const attribute = keyAttributes[IndexName as keyof typeof keyAttributes];
      const isFound = (item: Item) => item[attribute]?.S === value;
      return { pieces: [], answer: () => ({ Items: [...index.values()].filter(isFound) }) };
    }
    if (command instanceof ScanCommand) {
      const { TableName } = command.input;
      return { pieces: [], answer: () => ({ Items: [...tableOf(TableName).values()] }) };
    }
    throw new TypeError(`The simulated tables have no ${command.constructor.name}.`);
  }

  /** The SDK's paginators insist on an instance of its client. */
  const clientOf = (send: (command: object) => Promise<object>): DynamoDBClient =>
    Object.create(DynamoDBClient.prototype, { send: { value: send } });
  return {
    of: (from) => clientOf((command) => request(from, () => attempt(command))),
    calm: clientOf(async (command) => {
      const { pieces, answer } = attempt(command);
      for (const piece of pieces) piece();
      return answer();
    }),
  };
}
