import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { beginningOfFeed, type FeedPlace } from "../../../core/webhooks/endpoint.ts";
import type { FeedPage } from "../../../core/webhooks/feed-table.ts";
import { writeCursor } from "../../../functions/http/cursor.ts";
import { ProblemError } from "../../../functions/http/problem.ts";
import { feedPage } from "../../../functions/track-scorecards/feed-page.ts";
import { second } from "../../durations.ts";

const vendor = "green" as ApiSet;
const now = Date.UTC(2026, 6, 4);

/** Asks a feed that answers with this page. @returns the answer's body, and the place that was asked for */
async function asked(query: Record<string, readonly string[]>, page: Partial<FeedPage> | undefined) {
  const places: FeedPlace[] = [];
  const reader = {
    async page(_apiSet: ApiSet, after: FeedPlace) {
      places.push(after);
      return page && { events: [], places: [], next: { item: 17, events: 3 }, more: false, ...page };
    },
    end: async () => ({ item: 99, events: 1 }),
  };
  const body = await feedPage(reader, vendor, new Map(Object.entries(query)), now).then(
    (answer) => JSON.parse(answer.body),
    (error: unknown) => (error instanceof ProblemError ? error.problem : error),
  );
  return { places, body };
}

test.each<[string, Record<string, readonly string[]>, FeedPlace]>([
  ["left out", {}, beginningOfFeed],
  ["a cursor", { after: ["29712345000017-42"] }, { item: 29_712_345_000_017, events: 42 }],
  ["the beginning's own cursor", { after: ["0-0"] }, beginningOfFeed],
  ["latest", { after: ["latest"] }, { item: 99, events: 1 }],
])("after that is %s is a place in the feed", async (_, query, place) => {
  const { places, body } = await asked(query, {});
  expect(places).toEqual([place]);
  expect(body).toMatchObject({ events: [], cursor: writeCursor("events", 17, 3), more: false });
});

test.each(["", "17", "17-", "-3", "17-3-1", "17-12345", "1e3-1", "LATEST", " 17-3", "9999999999999999-1"])(
  "after=%j is refused",
  async (after) => {
    const { places, body } = await asked({ after: [after] }, {});
    expect([places, body.status]).toEqual([[], 400]);
  },
);

test("a place that the feed does not have is 410, with what to do", async () => {
  const { body } = await asked({ after: ["1-1"] }, undefined);
  expect(body).toMatchObject({ status: 410, type: "urn:scorecards:problem:cursor-gone" });
  expect(body.detail).toContain("Leave `after` out");
});

test.each([
  ["there is more", { more: true, newestAt: now }, 0],
  ["the newest event is of this second", { newestAt: now }, 2],
  ["the newest event is of a clock that is ahead", { newestAt: now + 10 * second }, 2],
  ["the newest event is of a minute ago", { newestAt: now - 60 * second }, 6],
  ["the newest event is of an hour ago", { newestAt: now - 3600 * second }, 30],
  ["there was none yet", {}, 30],
])("if %s, the feed says when to ask again", async (_, page, seconds) => {
  expect((await asked({}, page)).body.askAgainAfterSeconds).toBe(seconds);
});
