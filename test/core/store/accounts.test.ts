import { DynamoDBClient, GetItemCommand, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { Account } from "../../../core/account/account.ts";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { accountTable } from "../../../core/store/accounts.ts";
import type { Item } from "../../../core/store/batch.ts";

/** A table of which a read without strong consistency shows what there was before the last change. */
function laggingTable(): DynamoDBClient {
  let now = new Map<string, Item>();
  let before = now;
  const client = new DynamoDBClient({ region: "eu-north-1" });
  const send = async (command: unknown) => {
    if (command instanceof PutItemCommand) {
      const { Item: item = {} } = command.input;
      before = now;
      now = new Map(now).set(item.username?.S ?? "", item);
      return {};
    }
    if (command instanceof GetItemCommand) {
      const { ConsistentRead, Key } = command.input;
      return { Item: (ConsistentRead ? now : before).get(Key?.username?.S ?? "") };
    }
    if (command instanceof ScanCommand)
      return { Items: [...(command.input.ConsistentRead ? now : before).values()] };
    throw new Error("Nothing else is asked of the accounts.");
  };
  return Object.assign(client, { send });
}

const account: Account = {
  username: "greens-app",
  apiSet: "greens-app" as ApiSet,
  resources: ["clubs"],
  passwordHash: "hash",
  disabled: false,
};

test("an account that was disabled a moment ago is found disabled", async () => {
  const accounts = accountTable("accounts", laggingTable());
  await accounts.put(account);
  await accounts.put({ ...account, disabled: true });
  expect(await accounts.find("greens-app")).toMatchObject({ disabled: true });
});

test("an account that was added a moment ago is listed", async () => {
  const accounts = accountTable("accounts", laggingTable());
  await accounts.put(account);
  expect(await accounts.list()).toEqual([account]);
});
