import { randomUUID } from "node:crypto";
import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type BatchStatementError,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEngine } from "../core/aws/engine.ts";
import { describeOnEachEngine } from "./dynamodb-engines.ts";

const S = (text: string): AttributeValue => ({ S: text });
const N = (number: number): AttributeValue => ({ N: String(number) });
const validationException = { name: "ValidationException" };

await describeOnEachEngine("conditional batches", (engine) => {
  const TableName = `cards-${randomUUID()}`;
  let client: DynamoDBClient;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const running = await startEngine(engine.start);
    ({ client, stop } = running);
    await running.createTable({
      TableName,
      AttributeDefinitions: [
        { AttributeName: "id", AttributeType: "S" },
        { AttributeName: "list", AttributeType: "S" },
      ],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byList",
          KeySchema: [{ AttributeName: "list", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    });
  });
  afterAll(() => stop());

  const insert = `INSERT INTO "${TableName}" VALUE {'id': ?, 'version': ?, 'state': ?, 'next': ?}`;
  const deliver = `UPDATE "${TableName}" SET "state" = ? SET "at" = ? REMOVE "next" REMOVE "error" WHERE "id" = ? AND "version" = ? AND "state" IN [?, ?]`;
  const inserted = (id: string) => [insert, [S(id), N(1), S("queued"), N(5)]] as const;
  const delivered = (id: string, version: number) =>
    [deliver, [S("delivered"), N(9), S(id), N(version), S("queued"), S("retrying")]] as const;

  type Statement = readonly [string, readonly AttributeValue[]];

  async function execute(
    ...statements: Statement[]
  ): Promise<{ TableName?: string; Error?: BatchStatementError }[]> {
    const Statements = statements.map(([Statement, Parameters]) => ({
      Statement,
      Parameters: [...Parameters],
    }));
    const { Responses } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    return (Responses ?? []) as { TableName?: string; Error?: BatchStatementError }[];
  }
  const codes = async (...statements: Statement[]) =>
    (await execute(...statements)).map(({ Error: error }) => error?.Code ?? "done");
  const get = async (id: string) =>
    (await client.send(new GetItemCommand({ TableName, Key: { id: S(id) }, ConsistentRead: true }))).Item;

  test("an item is inserted once", async () => {
    expect(await execute(inserted("once"))).toEqual([{ TableName }]);
    expect(await execute([insert, [S("once"), N(2), S("other"), N(6)]])).toEqual([
      { TableName, Error: { Code: "DuplicateItem", Message: "Duplicate primary key exists in table" } },
    ]);
    expect(await get("once")).toEqual({ id: S("once"), version: N(1), state: S("queued"), next: N(5) });
  });

  test("an item is updated whose conditions hold, attributes that are not there may be removed", async () => {
    await execute(inserted("updated"));
    expect(await execute(delivered("updated", 1))).toEqual([{ TableName }]);
    expect(await get("updated")).toEqual({
      id: S("updated"),
      version: N(1),
      state: S("delivered"),
      at: N(9),
    });
  });

  test("an item stays as it is if any condition fails, and is not created by an update", async () => {
    await execute(inserted("kept"));
    const failed = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };
    expect(await execute(delivered("kept", 2))).toEqual([{ TableName, Error: failed }]);
    const absent = `UPDATE "${TableName}" SET "version" = ? WHERE "id" = ? AND "error" = ?`;
    expect(await codes([absent, [N(2), S("kept"), S("x")]])).toEqual(["ConditionalCheckFailed"]);
    const otherType = `UPDATE "${TableName}" SET "version" = ? WHERE "version" = ? AND "id" = ?`;
    expect(await codes([otherType, [N(2), S("1"), S("kept")]])).toEqual(["ConditionalCheckFailed"]);
    expect(await get("kept")).toEqual({ id: S("kept"), version: N(1), state: S("queued"), next: N(5) });
    expect(await execute(delivered("missing", 1))).toEqual([{ TableName, Error: failed }]);
    expect(await get("missing")).toBeUndefined();
  });

  test("each statement of a batch has its own result, in order", async () => {
    await execute(inserted("batch-0"), inserted("batch-1"));
    const unknown = `UPDATE "${TableName}-unknown" SET "version" = ? WHERE "id" = ?`;
    const results = await codes(
      delivered("batch-0", 1),
      inserted("batch-1"),
      [unknown, [N(1), S("batch-2")]],
      delivered("batch-3", 1),
      inserted("batch-4"),
      [`UPDATE "${TableName}" SET "version" = ? WHERE "id" = ?`, [N(1)]],
    );
    expect(results).toEqual([
      "done",
      "DuplicateItem",
      "ResourceNotFound",
      "ConditionalCheckFailed",
      "done",
      "ValidationError",
    ]);
    expect(await get("batch-4")).toBeDefined();
  });

  test("a statement that does not fit the table is refused", async () => {
    await execute(inserted("fit"));
    const update = (rest: string) => `UPDATE "${TableName}" ${rest}`;
    const refused: Statement[] = [
      [update('SET "version" = ? WHERE "version" = ?'), [N(2), N(1)]],
      [update('SET "version" = ? WHERE "id" IN [?]'), [N(2), S("fit")]],
      [update('SET "version" = ? WHERE "id" = ?'), [N(2), N(1)]],
      [update('SET "id" = ? WHERE "id" = ?'), [S("other"), S("fit")]],
      [update('REMOVE "id" WHERE "id" = ?'), [S("fit")]],
      [`INSERT INTO "${TableName}" VALUE {'version': ?}`, [N(1)]],
      [`INSERT INTO "${TableName}" VALUE {'id': ?}`, [N(1)]],
      [`INSERT INTO "${TableName}" VALUE {'id': ?}`, [S("")]],
      [`INSERT INTO "${TableName}" VALUE {'id': ?, 'list': ?}`, [S("unlisted"), N(1)]],
      [update('SET "content" = ? WHERE "id" = ?'), [S("x".repeat(410_000)), S("fit")]],
    ];
    for (const statement of refused)
      expect([statement[0], await codes(statement)]).toEqual([statement[0], ["ValidationError"]]);
    expect(await get("fit")).toMatchObject({ version: N(1) });
    expect(await get("unlisted")).toBeUndefined();
  });

  test("a request is refused as a whole with no statement, more than 25, a bad value, or an item twice", async () => {
    await expect(execute()).rejects.toMatchObject(validationException);
    const many = Array.from({ length: 26 }, (_, index) => inserted(`many-${index}`));
    await expect(execute(...many)).rejects.toMatchObject(validationException);
    expect(await get("many-0")).toBeUndefined();
    expect(await codes(...many.slice(1))).toEqual(Array(25).fill("done"));
    await expect(execute([insert, [S("bad"), { N: "one" }, S("queued"), N(5)]])).rejects.toMatchObject(
      validationException,
    );
    await expect(execute(inserted("twice"), delivered("twice", 1))).rejects.toThrow(
      "Provided list of item keys contains duplicates",
    );
  });

  test("values are compared as DynamoDB compares them", async () => {
    const values: [string, AttributeValue, AttributeValue][] = [
      ["map", { M: { a: N(1), b: S("x") } }, { M: { b: S("x"), a: N(1) } }],
      ["list", { L: [N(1), S("x")] }, { L: [N(1), S("x")] }],
      ["set", { SS: ["a", "b"] }, { SS: ["b", "a"] }],
      ["binary", { B: Buffer.from("ab") }, { B: Buffer.from("ab") }],
      ["null", { NULL: true }, { NULL: true }],
      ["boolean", { BOOL: false }, { BOOL: false }],
      ["number", { N: "1.50" }, { N: "1.5" }],
    ];
    for (const [name, stored, compared] of values) {
      const id = S(`compared-${name}`);
      await execute([`INSERT INTO "${TableName}" VALUE {'id': ?, 'value': ?}`, [id, stored]]);
      const update = `UPDATE "${TableName}" SET "same" = ? WHERE "id" = ? AND "value" IN [?, ?]`;
      expect([name, await codes([update, [N(1), id, S("no"), compared]])]).toEqual([name, ["done"]]);
      expect([name, await codes([update, [N(1), id, S("no"), S("x")]])]).toEqual([
        name,
        ["ConditionalCheckFailed"],
      ]);
    }
  });

  test("an index has an item while it has the index's key", async () => {
    const listed = async (list: string) => {
      const request = {
        TableName,
        IndexName: "byList",
        KeyConditionExpression: "#list = :list",
        ExpressionAttributeNames: { "#list": "list" },
        ExpressionAttributeValues: { ":list": S(list) },
      };
      const { Items = [] } = await client.send(new QueryCommand(request));
      return Items.map(({ id, version }) => [id?.S, version?.N]);
    };
    await execute([
      `INSERT INTO "${TableName}" VALUE {'id': ?, 'version': ?, 'list': ?}`,
      [S("listed"), N(1), S("one")],
    ]);
    expect(await listed("one")).toEqual([["listed", "1"]]);
    await execute([
      `UPDATE "${TableName}" SET "list" = ? SET "version" = ? WHERE "id" = ?`,
      [S("two"), N(2), S("listed")],
    ]);
    expect(await listed("one")).toEqual([]);
    expect(await listed("two")).toEqual([["listed", "2"]]);
    await execute([`UPDATE "${TableName}" REMOVE "list" WHERE "id" = ?`, [S("listed")]]);
    expect(await listed("two")).toEqual([]);
  });

  test("of writers that have all read the same version one wins", async () => {
    await execute(inserted("raced"));
    const correct = `UPDATE "${TableName}" SET "version" = ? SET "by" = ? WHERE "id" = ? AND "version" = ?`;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => codes([correct, [N(2), N(writer), S("raced"), N(1)]])),
    );
    const winner = results.findIndex(([code]) => code === "done");
    expect(results.filter(([code]) => code === "done")).toHaveLength(1);
    expect(await get("raced")).toMatchObject({ version: N(2), by: N(winner) });
  });

  test("batches and single operations see each other's items", async () => {
    const key = { TableName, Key: { id: S("mixed") } };
    const set = { UpdateExpression: "SET version = :v", ExpressionAttributeValues: { ":v": N(3) } };
    await client.send(new UpdateItemCommand({ ...key, ...set }));
    expect(await codes(inserted("mixed"))).toEqual(["DuplicateItem"]);
    await client.send(new DeleteItemCommand(key));
    expect(await codes(inserted("mixed"))).toEqual(["done"]);
  });
});
