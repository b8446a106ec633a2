import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { applyStatement, keyOfStatement, parseStatement } from "@scorecard-pipeline/local-aws/dynamodb";
import type { Item } from "../../../core/aws/batch.ts";

/** A table of cards in memory, with the units that its requests cost: every item is below a kilobyte. */
export function inMemoryClient() {
  const items = new Map<string, Item>();
  const units = { reads: 0, writes: 0 };
  const idOf = (item: Item) => item.id?.S ?? "";

  function read({ input }: BatchGetItemCommand) {
    const [[table, { Keys = [] }] = ["", {}]] = Object.entries(input.RequestItems ?? {});
    units.reads += Keys.length;
    const found = Keys.map((key) => items.get(idOf(key))).filter((item) => item !== undefined);
    return { Responses: { [table]: found }, UnprocessedKeys: {} };
  }

  function write({ input }: BatchExecuteStatementCommand) {
    const statements = input.Statements ?? [];
    // A write whose condition does not hold costs as much.
    units.writes += statements.length;
    const Responses = statements.map(({ Statement = "", Parameters = [] }) => {
      const statement = parseStatement(Statement);
      const id = idOf(keyOfStatement(statement, Parameters, ["id"]));
      const result = applyStatement(statement, Parameters, items.get(id));
      if ("failure" in result) return { Error: { Code: result.failure } };
      items.set(id, result.item);
      return {};
    });
    return { Responses };
  }

  async function send(command: object) {
    // Other requests come in between.
    await new Promise((resolve) => setImmediate(resolve));
    if (command instanceof BatchGetItemCommand) return read(command);
    if (command instanceof BatchExecuteStatementCommand) return write(command);
    throw new TypeError(`The table in memory has no ${command.constructor.name}.`);
  }
  return { client: { send } as unknown as DynamoDBClient, units };
}
