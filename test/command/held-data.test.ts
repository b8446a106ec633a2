import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { searchFor } from "../../command/person/held-data.ts";
import { searchActivity } from "../../command/person/other-places.ts";
import { namesPerson } from "../../core/formats/named-person.ts";
import { provideEngine, tables } from "../core/aws/engine.ts";

const table = tables.activity.TableName;
const engine = await provideEngine(tables.activity);

const hour = { apiSet: { S: "green" }, at: { S: "refused#2026-01-01T00:00Z" } };
const examplesOf = (...externalIds: string[]) => ({
  S: JSON.stringify(externalIds.map((externalId) => ({ externalId }))),
});
const put = (examples: Record<string, { S: string }>) =>
  engine.client.send(new PutItemCommand({ TableName: table, Item: { ...hour, ...examples } }));

/** Erases the person 88-5. @param beforeWrite called before each write of the command, with its number */
async function erase(beforeWrite: (write: number) => Promise<unknown>) {
  let writes = 0;
  const send = async (command: never) => {
    if ((command as unknown) instanceof UpdateItemCommand) await beforeWrite(++writes);
    return engine.client.send(command);
  };
  const client = { send } as unknown as DynamoDBClient;
  const names = namesPerson({ unionId: "88-5" });
  const search = searchFor({ erase: true, names, client, secret: "secret" });
  const error = await searchActivity({ ...search, table }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { Item = {} } = await engine.client.send(new GetItemCommand({ TableName: table, Key: hour }));
  const erased = search.held.map(({ finding, text }) => `${finding} ${JSON.parse(text).externalId}`);
  return { error, erased, Item };
}

test("an entry that another writer changes while a person is erased is read again, and erased as it is then", async () => {
  await put({ "examples required": examplesOf("88-5-1", "other") });
  const { error, erased, Item } = await erase(async (write) => {
    if (write === 1) await put({ "examples required": examplesOf("88-5-1", "other", "088-5", "new") });
  });
  expect([error, erased]).toEqual([undefined, ["erased 88-5-1", "erased 088-5"]]);
  expect(Item["examples required"]).toEqual(examplesOf("other", "new"));
});

test("an erasure ends with an error if other writers keep changing an entry", async () => {
  await put({ "examples required": examplesOf("88-5-1") });
  const { error, erased } = await erase((write) =>
    put({ "examples required": examplesOf("88-5-1", `new ${write}`) }),
  );
  expect(error).toMatchObject({ message: expect.stringContaining("Run the same command again.") });
  expect(erased).toEqual(["maybe erased 88-5-1"]);
});

test("an erasure that fails reports what it has erased, and what it may have erased", async () => {
  await put({ "examples a": examplesOf("88-5-1"), "examples b": examplesOf("88-5-2") });
  const { error, erased } = await erase(async (write) => {
    if (write === 2) throw new Error("throttled");
  });
  expect(error).toMatchObject({ message: "throttled" });
  expect(erased).toEqual(["erased 88-5-1", "maybe erased 88-5-2"]);
});
