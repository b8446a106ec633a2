import { expect, test } from "vitest";
import type { Account, ApiSet } from "../../../core/accounts/account.ts";
import { accountTable, sessionEnder } from "../../../core/accounts/account-table.ts";
import { provideEngine, tables } from "../aws/engine.ts";

const engine = await provideEngine(tables.accounts);

test("of changes of an account at the same time none takes another back, and none makes a removed account", async () => {
  const { TableName } = tables.accounts;
  const accounts = accountTable(TableName, engine.client);
  const usage = { plan: "standard", key: "key", keyId: "id" };
  const read: Account = {
    ...{ username: "green", apiSet: "green" as ApiSet, resources: ["clubs"], disabled: false, usage },
    ...{ passwordHash: "hash", formerPassword: { hash: "former", until: 1 } },
  };
  await accounts.put(read);
  const { endSession, endSessions } = sessionEnder(TableName, engine.client);
  await endSessions("green", 5);
  await endSession("green", 6, []);
  await endSession("green", 7, [6]);
  await accounts.change(read, { ...read, disabled: true });
  await accounts.change(read, { ...read, resources: [], passwordHash: "new", formerPassword: undefined });
  const { formerPassword: _, ...kept } = read;
  const changed = { ...kept, disabled: true, resources: [], passwordHash: "new", sessionsFrom: 5 };
  expect(await accounts.find("green")).toEqual({ ...changed, endedSessions: [7] });
  await accounts.remove("green");
  await expect(accounts.change(read, { ...read, disabled: true })).rejects.toThrow("has been removed");
  expect(await accounts.list()).toEqual([]);
});
