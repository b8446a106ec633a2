import type {
  BatchExecuteStatementCommand,
  BatchStatementRequest,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { applyStatement, keyOfStatement, parseStatement } from "@scorecard-pipeline/local-aws/dynamodb";
import { expect, test, vi } from "vitest";
import {
  type ConditionalWrite,
  conditionalWrites,
  type Item,
  TableBatchError,
} from "../../../core/aws/batch.ts";

// What is refused is asked for again after a pause, for which nobody waits here.
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

/** A table that answers each statement by a rule, given the item's number, and what it was asked. */
function table(rule: (number: number, attempt: number) => string | undefined) {
  const requests: number[][] = [];
  const attempts = new Map<number, number>();
  const statements: BatchStatementRequest[] = [];
  const client = {
    async send({ input }: BatchExecuteStatementCommand) {
      const asked = input.Statements ?? [];
      statements.push(...asked);
      const numbers = asked.map(({ Parameters = [] }) =>
        Number(Parameters.find(({ N }) => N !== undefined)?.N),
      );
      requests.push(numbers);
      return {
        Responses: numbers.map((number) => {
          const attempt = (attempts.get(number) ?? 0) + 1;
          attempts.set(number, attempt);
          const Code = rule(number, attempt);
          return Code === undefined ? {} : { Error: { Code } };
        }),
      };
    },
  };
  return { client: client as unknown as DynamoDBClient, requests, statements };
}

const writes = (count: number): ConditionalWrite[] =>
  Array.from({ length: count }, (_, n) => ({ key: { id: { N: String(n) } }, set: { name: { S: "one" } } }));

test("writes go 25 a request, and their results come back in order", async () => {
  const { client, requests } = table((number) => (number % 2 === 0 ? undefined : "ConditionalCheckFailed"));
  const results = await conditionalWrites(client, "cards", writes(60));
  expect(requests.map(({ length }) => length)).toEqual([25, 25, 10]);
  expect(results).toEqual(writes(60).map((_, n) => (n % 2 === 0 ? "written" : "lost")));
});

test("an item that must not be there yet is inserted; one that must be as it was read is updated if it is", async () => {
  const { client, statements } = table(() => undefined);
  await conditionalWrites(client, "cards", [
    { key: { id: { S: "a" } }, set: { name: { S: "one" } } },
    {
      key: { id: { S: "b" } },
      expects: { version: [{ N: "1" }], state: [{ S: "queued" }, { S: "retrying" }] },
      set: { name: { S: "two" } },
      remove: ["failure"],
    },
  ]);
  const text = { S: expect.any(String) };
  expect(statements).toEqual([
    {
      Statement: `INSERT INTO "cards" VALUE {'id': ?, 'name': ?, 'writeId': ?}`,
      Parameters: [{ S: "a" }, { S: "one" }, text],
    },
    {
      Statement: `UPDATE "cards" SET "name" = ? SET "writeId" = ? REMOVE "failure" WHERE "id" = ? AND "version" = ? AND "state" IN [?, ?]`,
      Parameters: [{ S: "two" }, text, { S: "b" }, { N: "1" }, { S: "queued" }, { S: "retrying" }],
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  ]);
});

test("a write whose condition does not hold is lost, and not made again", async () => {
  const { client, requests } = table(() => "ConditionalCheckFailed");
  expect(await conditionalWrites(client, "cards", writes(2))).toEqual(["lost", "lost"]);
  expect(requests).toEqual([[0, 1]]);
});

/** A table of which the SDK repeats a request, since it has not heard the first response; others may write in between. */
function repeatingTable(stored: Item[], meanwhile: (items: Map<string, Item>) => void = () => undefined) {
  const items = new Map(stored.map((item) => [item.id?.S ?? "", item]));
  const requests: number[] = [];
  const carryOut = ({ Statement = "", Parameters = [], ...options }: BatchStatementRequest) => {
    const statement = parseStatement(Statement);
    const id = String(keyOfStatement(statement, Parameters, ["id"]).id?.S);
    const before = items.get(id);
    const result = applyStatement(statement, Parameters, before);
    if (!("failure" in result)) return void items.set(id, result.item);
    const isReturned = options.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    return { Code: result.failure, ...(isReturned && { Item: before }) };
  };
  const send = async ({ input: { Statements = [] } }: BatchExecuteStatementCommand) => {
    requests.push(Statements.length);
    if (requests.length === 1) {
      Statements.forEach(carryOut);
      meanwhile(items);
    }
    return { Responses: Statements.map((one) => ({ Error: carryOut(one) })) };
  };
  return { client: { send } as unknown as DynamoDBClient, items, requests };
}

const name = (text: string) => ({ name: { S: text } });
const one = { id: { S: "1" }, version: { N: "1" } };
const insertion: ConditionalWrite = { key: { id: { S: "1" } }, set: name("mine") };
const update: ConditionalWrite = {
  ...insertion,
  expects: { version: [{ N: "1" }] },
  set: { version: { N: "2" } },
};
type Meanwhile = (items: Map<string, Item>) => void;
const replace: Meanwhile = (items) => {
  for (const [id, item] of items) items.set(id, { ...item, writeId: { S: "another" } });
};
const remove: Meanwhile = (items) => items.clear();
const forget: Meanwhile = (items) => {
  for (const [id, { writeId, ...item }] of items) items.set(id, item);
};

test.each<[string, ConditionalWrite, Item[], Meanwhile | undefined, string, number[]]>([
  ["an update", update, [one], undefined, "written", [1]],
  ["an update that another has followed", update, [one], replace, "lost", [1]],
  ["an update that an earlier release has followed", update, [one], forget, "lost", [1]],
  ["an update of an item that has expired", update, [one], remove, "lost", [1]],
  ["an insertion", insertion, [], undefined, "written", [1, 1]],
  ["an insertion that another has followed", insertion, [], replace, "lost", [1, 1]],
  ["an insertion that came second", insertion, [one], undefined, "lost", [1, 1]],
])("%s that the SDK repeats is told from another's", async (_, write, stored, meanwhile, result, asked) => {
  const { client, requests } = repeatingTable(stored, meanwhile);
  expect(await conditionalWrites(client, "cards", [write])).toEqual([result]);
  expect(requests).toEqual(asked);
});

test("of two writes of one item that expect the same, the second is lost though both are this caller's", async () => {
  const { client } = repeatingTable([one]);
  const second = { ...update, set: { version: { N: "3" } } };
  expect(await conditionalWrites(client, "cards", [update, second])).toEqual(["written", "lost"]);
});

test.each([
  "ProvisionedThroughputExceeded",
  "ThrottlingError",
  "RequestLimitExceeded",
  "InternalServerError",
  "TransactionConflict",
])("a write that the table has no time for (%s) is made again, and no other", async (code) => {
  const { client, requests } = table((number, attempt) => (number === 1 && attempt < 3 ? code : undefined));
  expect(await conditionalWrites(client, "cards", writes(3))).toEqual(["written", "written", "written"]);
  expect(requests).toEqual([[0, 1, 2], [1], [1]]);
});

test("a write that the table never has time for is an error, but the others are made", async () => {
  const { client, requests } = table((number) => (number === 1 ? "ThrottlingError" : undefined));
  await expect(conditionalWrites(client, "cards", writes(60))).rejects.toThrow(TableBatchError);
  expect(new Set(requests.flat()).size).toBe(60);
});

test.each(["ValidationError", "AccessDenied", "ResourceNotFound"])(
  "a statement that is wrong (%s) is an error at once, with its code as the cause",
  async (code) => {
    const { client, requests } = table(() => code);
    await expect(conditionalWrites(client, "cards", writes(1))).rejects.toMatchObject({
      name: "TableBatchError",
      cause: { message: code },
    });
    expect(requests).toHaveLength(1);
  },
);

test("a table that does not answer is an error with its cause", async () => {
  const cause = new Error("no answer");
  const client = { send: () => Promise.reject(cause) } as unknown as DynamoDBClient;
  await expect(conditionalWrites(client, "cards", writes(1))).rejects.toMatchObject({
    name: "TableBatchError",
    cause,
  });
});
