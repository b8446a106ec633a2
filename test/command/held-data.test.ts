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

test("an entry that another writer changes while a person is erased stays as it is then, and the next run erases it", async () => {
  await put({ "examples required": examplesOf("88-5-1", "other") });
  const changed = examplesOf("88-5-1", "other", "new");
  const first = await erase(() => put({ "examples required": changed }));
  expect([first.error, first.erased]).toEqual([undefined, ["changed meanwhile 88-5-1"]]);
  expect(first.Item["examples required"]).toEqual(changed);
  const second = await erase(async () => undefined);
  expect(second.erased).toEqual(["erased 88-5-1"]);
  expect(second.Item["examples required"]).toEqual(examplesOf("other", "new"));
});

test("an erasure that fails reports the texts that it erased before", async () => {
  await put({ "examples a": examplesOf("88-5-1"), "examples b": examplesOf("88-5-2") });
  const { error, erased } = await erase(async (write) => {
    if (write === 2) throw new Error("throttled");
  });
  expect(error).toMatchObject({ message: "throttled" });
  expect(erased).toEqual(["erased 88-5-1"]);
});
