import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb";
import { afterAll, expect, test } from "vitest";
import { localCredentials } from "../../../../packages/local-aws/base/environment.ts";
import { startDynamoDb } from "../../../../packages/local-aws/dynamodb/tables.ts";

const TableName = "cards";
const engine = await startDynamoDb();
const client = new DynamoDBClient({
  endpoint: engine.address,
  region: "local",
  credentials: localCredentials,
  maxAttempts: 1,
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const create = (key: string) =>
  client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: key, AttributeType: "S" }],
      KeySchema: [{ AttributeName: key, KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
const put = (key: string) =>
  client.send(new PutItemCommand({ TableName, Item: { [key]: { S: "1" }, says: { S: key } } }));
const get = async (key: string) =>
  (await client.send(new GetItemCommand({ TableName, Key: { [key]: { S: "1" } } }))).Item;
const isActive = (key: string) =>
  put(key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ResourceNotFoundException) return false;
      throw error;
    },
  );

test("a table that was deleted is gone at once, and one of its name is another", async () => {
  await expect(put("id")).rejects.toThrow(ResourceNotFoundException);
  await create("id");
  await expect.poll(() => isActive("id")).toBe(true);
  expect(await get("id")).toEqual({ id: { S: "1" }, says: { S: "id" } });
  await client.send(new DeleteTableCommand({ TableName }));
  await expect(put("id")).rejects.toThrow(ResourceNotFoundException);
  await expect
    .poll(() =>
      create("name").then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await expect.poll(() => isActive("name")).toBe(true);
  await expect(put("id")).rejects.toThrow(/key/);
  expect(await get("name")).toEqual({ name: { S: "1" }, says: { S: "name" } });
});
