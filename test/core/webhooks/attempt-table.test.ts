import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { attemptLog, attemptReader } from "../../../core/webhooks/attempt-table.ts";
import { provideEngine, tables } from "../aws/engine.ts";

const { client } = await provideEngine(tables.activity);
const reader = attemptReader("activity", client);
const vendor = "vendor" as ApiSet;
const attempt = { at: Date.UTC(2026, 6, 4), milliseconds: 5, eventId: "evt_1", body: "{}" };

test("each attempt is listed and found, also if two runs post an event in the same millisecond", async () => {
  const names = ["first-run", "second-run"];
  const keep = attemptLog("activity", client, () => names.shift() ?? "");
  await keep(vendor, "endpoint", [{ ...attempt, status: 500 }]);
  await keep(vendor, "endpoint", [{ ...attempt, status: 200 }]);

  const latest = await reader.latest(vendor, "endpoint");
  expect(latest.map(({ status }) => status).sort()).toEqual([200, 500]);
  for (const kept of latest) expect(await reader.find(vendor, "endpoint", kept.id)).toEqual(kept);
});

test("of the many events that a run sends to a queue the last 200 are listed, the newest first", async () => {
  let names = 0;
  const keep = attemptLog("activity", client, () => String(++names));
  const many = Array.from({ length: 250 }, (_, n) => ({ ...attempt, at: attempt.at + n }));
  await keep(vendor, "queue", many);
  const latest = await reader.latest(vendor, "queue");
  expect(latest.map(({ at }) => at - attempt.at)).toEqual(Array.from({ length: 200 }, (_, n) => 249 - n));
  expect(await reader.find(vendor, "queue", latest[199]?.id ?? "")).toMatchObject({ at: attempt.at + 50 });
});
