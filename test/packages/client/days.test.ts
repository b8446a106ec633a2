import { expect, test } from "vitest";
import { createClient } from "../../../packages/client/index.ts";

/** A client whose requests are answered one after the other. */
function clientOf(...answers: readonly unknown[]) {
  const paths: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    paths.push(String(url).replace("https://host/test/greens/", ""));
    return new Response(JSON.stringify(answers[paths.length - 1]));
  };
  const options = { api: "https://host/test", username: "greens", password: "secret" };
  return { client: createClient({ ...options, fetch: fetch as typeof globalThis.fetch }), paths };
}

test("the cards of days come from all pages, in order", async () => {
  const next = "?from=2026-07-04&to=2026-07-05&after=x%231";
  const { client, paths } = clientOf(
    { cards: [{ externalId: "1" }, { externalId: "2" }], next },
    { cards: [{ externalId: "3" }] },
  );
  const found: string[] = [];
  for await (const { externalId } of client.cardsOfDays({ from: "2026-07-04", to: "2026-07-05" })) {
    found.push(externalId);
  }
  expect(found).toEqual(["1", "2", "3"]);
  expect(paths).toEqual([
    "ScorecardExchange?from=2026-07-04&to=2026-07-05",
    "ScorecardExchange?from=2026-07-04&to=2026-07-05&after=x%231",
  ]);
});

test("the cards that were counted on days are asked for by the count", async () => {
  const { client, paths } = clientOf({ cards: [{ externalId: "1" }] });
  const cards = client.cardsOfDays({ from: "2026-07-04", counted: "rejected" });
  expect((await cards.next()).value).toEqual({ externalId: "1" });
  expect(paths).toEqual(["ScorecardExchange?from=2026-07-04&counted=rejected"]);
});

test("activity is today's unless days are given", async () => {
  const { client, paths } = clientOf({ totals: {} }, { totals: {} });
  await client.activity();
  await client.activity({ from: "2026-07-04" });
  expect(paths).toEqual(["Activity", "Activity?from=2026-07-04"]);
});
