import { expect, test } from "vitest";
import { createClient, externalId, scaled, timestamp } from "../../../packages/client/index.ts";
import { fakeApi } from "./fake-api.ts";

test("handicaps are scaled to whole numbers, and times written by the clock at the course", () => {
  expect([7.8, -1.2, 71.8, 0.1 + 0.2].map(scaled)).toEqual([78_000, -12_000, 718_000, 3_000]);
  expect(() => scaled(Number("7,8"))).toThrow("Give it as on paper: 7.8.");
  const times = ["2026-01-31T23:30:00Z", "2026-07-04T06:05:09Z"].map((at) => new Date(at));
  expect(times.map((at) => timestamp(at, "Europe/Copenhagen"))).toEqual([
    "20260201T003000",
    "20260704T080509",
  ]);
});

test("a round has the same ExternalID each time and another one than its neighbours, without a member's number", async () => {
  const rounds = [
    ["Cup", 1, "32-1"],
    ["Cup", "1", "32-1"],
    ["Cup", 11, "32-1"],
  ] as const;
  const names = await Promise.all(rounds.map(([cup, round, player]) => externalId(cup, round, player)));
  expect([names[0], new Set(names).size]).toEqual([names[1], 2]);
  expect(names.join("")).toMatch(/^[\da-f]{96}$/);
});

test("each attempt of a request is reported without its query, and a submitted card's entry has its request's ID", async () => {
  await using api = await fakeApi({ judge: () => "accepted" });
  const attempts: unknown[] = [];
  const account = { username: "greens", password: "secret", onAttempt: (one: unknown) => attempts.push(one) };
  const client = createClient({ api: api.address, ...account });
  const [entry] = await client.submit(['{"ExternalID":"1"}']);
  await client.golfer({ unionID: "32-1" }).catch(() => undefined);
  expect(entry?.requestId).toBe("request 1");
  const [first, second] = attempts;
  expect(first).toMatchObject({ path: "/greens/ScorecardExchange", status: 207, requestId: "request 1" });
  expect(second).toMatchObject({ path: "/greens/Clubs/Golfer" });
  expect(JSON.stringify(attempts)).not.toMatch(/secret|32-1/);
});
