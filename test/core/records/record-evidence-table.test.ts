import { expect, test } from "vitest";
import { foundShares, rowClaims } from "../../../core/records/record-evidence-table.ts";
import { day } from "../../durations.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { green, start } from "../memory/stored-card.ts";

const { client } = await provideEngine(tables.activity);
const activity = tables.activity.TableName;

test("claims are kept under a hash that only the key repeats", async () => {
  const claims = rowClaims(activity, client, async () => "key");
  await claims.write(new Map([["player 1016-9", [{ card: "card", row: "row" }]]]), start);
  expect((await claims.read(["player 1016-9", "player 1016-8"])).known).toEqual(
    new Map([["player 1016-9", [{ card: "card", row: "row" }]]]),
  );
  const others = rowClaims(activity, client, async () => "other");
  expect((await others.read(["player 1016-9"])).known.size).toBe(0);
});

test("the found shares of three days are kept by vendor", async () => {
  const shares = foundShares(activity, client);
  await shares.add(green, { found: 2, absent: 1, lastFoundAt: start }, start);
  await shares.add(green, { found: 3, absent: 0, lastFoundAt: start + 1 }, start + 1);
  await shares.add(green, { found: 0, absent: 1, lastFoundAt: 0 }, start + 2 * day);
  expect(await shares.read(green, start + 2 * day)).toEqual([
    { found: 5, absent: 1, lastFoundAt: start + 1 },
    { found: 0, absent: 1, lastFoundAt: 0 },
  ]);
  expect(await shares.read(green, start + 3 * day)).toHaveLength(1);
  expect(await shares.read("greens" as typeof green, start)).toEqual([]);
});
