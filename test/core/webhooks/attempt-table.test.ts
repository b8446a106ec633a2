import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { attemptLog, attemptReader } from "../../../core/webhooks/attempt-table.ts";
import { provideEngine, tables } from "../aws/engine.ts";

const engine = await provideEngine(tables.activity);

test("each attempt is listed and found, also if two runs post an event in the same millisecond", async () => {
  const { client } = engine;
  const names = ["first-run", "second-run"];
  const keep = attemptLog("activity", client, () => names.shift() ?? "");
  const reader = attemptReader("activity", client);
  const vendor = "vendor" as ApiSet;
  const attempt = { at: Date.UTC(2026, 6, 4), milliseconds: 5, eventId: "evt_1", body: "{}" };
  await keep(vendor, "endpoint", [{ ...attempt, status: 500 }]);
  await keep(vendor, "endpoint", [{ ...attempt, status: 200 }]);

  const latest = await reader.latest(vendor, "endpoint");
  expect(latest.map(({ status }) => status).sort()).toEqual([200, 500]);
  for (const kept of latest) expect(await reader.find(vendor, "endpoint", kept.id)).toEqual(kept);
});
