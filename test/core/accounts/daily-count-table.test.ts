import { type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { dailyCounter } from "../../../core/accounts/daily-count-table.ts";
import { provideEngine, tables } from "../aws/engine.ts";

const { TableName } = tables.activity;
const engine = await provideEngine(tables.activity);

test("a vendor's cards of a day end at its limit, in all environments together, for a write a thousand cards", async () => {
  const apiSet = "a-vendor" as ApiSet;
  let [day, writes, fails] = ["2026-07-04", 0, false];
  const client = {
    send: async (command: UpdateItemCommand) => {
      expect(command).toBeInstanceOf(UpdateItemCommand);
      writes += 1;
      if (fails) throw new Error("throttled");
      return engine.client.send(command);
    },
  } as unknown as DynamoDBClient;
  const environments = Array.from({ length: 3 }, () => dailyCounter(TableName, client, () => day));
  async function acceptedOf(name: ApiSet, limit: number) {
    let accepted = 0;
    for (let sent = 0; sent < 300; sent++) {
      const counter = environments[sent % 3];
      if (counter === undefined || counter.used(name).cards >= limit) continue;
      counter.add(name, { cards: 100 });
      accepted += 100;
      await counter.write(name);
    }
    return accepted;
  }
  const accepted = await acceptedOf(apiSet, 10_000);
  expect(accepted).toBeGreaterThanOrEqual(10_000);
  expect(accepted).toBeLessThanOrEqual(10_000 + 3 * 1_000);
  expect(writes).toBeLessThanOrEqual(14);
  // Another vendor, and another day, have their own.
  expect(environments[0]?.used("another" as ApiSet).cards).toBe(0);
  day = "2026-07-05";
  expect(environments[0]?.used(apiSet).cards).toBe(0);
  // No card is refused because its count could not be written.
  fails = true;
  expect(await acceptedOf(apiSet, 100_000)).toBe(30_000);
});
