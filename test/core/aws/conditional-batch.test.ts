import type { BatchExecuteStatementCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test, vi } from "vitest";
import { type ConditionalWrite, conditionalWrites, TableBatchError } from "../../../core/aws/batch.ts";

// What is refused is asked for again after a pause, for which nobody waits here.
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

/** A table that answers each statement by a rule, given the item's number, and what it was asked. */
function table(rule: (number: number, attempt: number) => string | undefined) {
  const requests: number[][] = [];
  const attempts = new Map<number, number>();
  const statements: { Statement?: string | undefined; Parameters?: unknown }[] = [];
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
  const { client, requests } = table((number) => (number % 2 === 0 ? undefined : "DuplicateItem"));
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
  expect(statements).toEqual([
    { Statement: `INSERT INTO "cards" VALUE {'id': ?, 'name': ?}`, Parameters: [{ S: "a" }, { S: "one" }] },
    {
      Statement: `UPDATE "cards" SET "name" = ? REMOVE "failure" WHERE "id" = ? AND "version" = ? AND "state" IN [?, ?]`,
      Parameters: [{ S: "two" }, { S: "b" }, { N: "1" }, { S: "queued" }, { S: "retrying" }],
    },
  ]);
});

test.each(["ConditionalCheckFailed", "DuplicateItem"])(
  "a write answered with %s is lost, and not made again",
  async (code) => {
    const { client, requests } = table(() => code);
    expect(await conditionalWrites(client, "cards", writes(2))).toEqual(["lost", "lost"]);
    expect(requests).toEqual([[0, 1]]);
  },
);

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
