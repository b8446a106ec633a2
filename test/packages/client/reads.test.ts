import { expect, test } from "vitest";
import { answeredClient } from "./answered-client.ts";

test("the cards of days come from all pages, in order", async () => {
  const next = "?from=2026-07-04&to=2026-07-05&after=x%231";
  const { client, requests } = answeredClient(
    [200, { cards: [{ externalId: "1" }, { externalId: "2" }], next }],
    [200, { cards: [{ externalId: "3" }] }],
  );
  const found: string[] = [];
  for await (const { externalId } of client.cardsOfDays({ from: "2026-07-04", to: "2026-07-05" })) {
    found.push(externalId);
  }
  expect(found).toEqual(["1", "2", "3"]);
  expect(requests.map(([, path]) => path)).toEqual([
    "ScorecardExchange?from=2026-07-04&to=2026-07-05",
    "ScorecardExchange?from=2026-07-04&to=2026-07-05&after=x%231",
  ]);
});

test("the cards that were counted on days are asked for by the count", async () => {
  const { client, requests } = answeredClient([200, { cards: [{ externalId: "1" }] }]);
  const cards = client.cardsOfDays({ from: "2026-07-04", counted: "rejected" });
  expect((await cards.next()).value).toEqual({ externalId: "1" });
  expect(requests.map(([, path]) => path)).toEqual(["ScorecardExchange?from=2026-07-04&counted=rejected"]);
});

test("activity is today's unless days are given", async () => {
  const { client, requests } = answeredClient([200, { totals: {} }]);
  await client.activity();
  await client.activity({ from: "2026-07-04" });
  expect(requests.map(([, path]) => path)).toEqual(["Activity", "Activity?from=2026-07-04"]);
});

test("the client reads a player's record by the club's ID and the UnionID", async () => {
  const record = [{ Round: { StartTime: "20260704T093000" }, Result: { SGD: 246_000 } }];
  const { client, requests } = answeredClient([200, record]);
  expect(await client.playerRecord("7AABAF90-0000-4552-889B-553D5CE75FC6", "32-1")).toEqual(record);
  const path = "clubs/7AABAF90-0000-4552-889B-553D5CE75FC6/Memberships/Scorecards?unionid=32-1";
  expect(requests.map(([, requested]) => requested)).toEqual([path]);
});
