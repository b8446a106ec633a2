import { expect, test } from "vitest";
import type { Breaker } from "../../../core/cards/delivery/breaker.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { cardStates } from "../../../core/cards/life/states.ts";
import { erasure } from "../../../core/cards/person-data.ts";
import { cardStatus, readStatuses, toCardPosts } from "../../../core/cards/status.ts";
import { minute } from "../../durations.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

const closed: Breaker = { version: 0 };
const failure = { phase: "after", status: 503, message: "busy" } as const;
const open: Breaker = { version: 1, open: { since: start, failure, nextProbeAt: start + minute } };
const status = (given: Partial<StoredCard> = {}, breaker = closed) =>
  cardStatus("417", storedCard("417", given), breaker);

test("a card that nobody sent is unknown", () => {
  expect(cardStatus("417", undefined, open)).toEqual({ externalId: "417", state: "unknown" });
});

test("an accepted card is queued, with its ID and the time when it was accepted", () => {
  expect(status()).toEqual({
    externalId: "417",
    version: 1,
    id: "id of 417",
    contentHash: "five strokes",
    acceptedAt: "2026-06-01T12:00:00.000Z",
    state: "queued",
    since: "2026-06-01T12:00:00.000Z",
  });
});

test("the hash of a content that a person was erased from is not told", () => {
  const { set } = erasure(storedCard("417", { state: "delivered" }), { role: "player" }, () => false);
  expect(status({ state: "delivered", ...set })).not.toHaveProperty("contentHash");
});

test("a card that is tried again tells how often it was posted, what went wrong and when it is next", () => {
  const nextAttemptAt = start + minute;
  expect(status({ state: "retrying", attempts: 3, failure, nextAttemptAt })).toMatchObject({
    state: "retrying",
    attempts: 3,
    lastError: { stage: "after", status: 503, message: "busy" },
    nextAttemptAt: "2026-06-01T12:01:00.000Z",
  });
});

test("a card that is tried again tells its attempts though there are none", () => {
  expect(status({ state: "retrying" })).toMatchObject({ attempts: 0 });
});

test.each(["queued", "retrying"] as const)(
  "while the vendor's breaker is open, the status of a card that is %s says since when and why, and when the next attempt is",
  (state) => {
    expect(status({ state }, open).paused).toEqual({
      since: "2026-06-01T12:00:00.000Z",
      lastError: { stage: "after", status: 503, message: "busy" },
      nextAttemptAt: "2026-06-01T12:01:00.000Z",
    });
  },
);

test.each(["delivered", "rejected", "withdrawn", "undelivered"] as const)(
  "while the vendor's breaker is open, the status of a card that is %s does not mention it",
  (state) => {
    expect(status({ state }, open)).not.toHaveProperty("paused");
  },
);

test("a card that is in the player's record says since when, and the union's differential", () => {
  const record = { at: start + minute, isRecorded: true, differential: 246_000 };
  const told = status({ state: "delivered", record });
  expect(told.record).toEqual({ state: "recorded", at: "2026-06-01T12:01:00.000Z", differential: 246_000 });
  expect(told).not.toHaveProperty("warnings");
});

test("a card that is not in the record warns, with the cause that its other warnings make likely", () => {
  const record = { at: start + minute, isRecorded: false };
  const told = status({ state: "delivered", playerUnknown: true, record });
  expect(told.record).toEqual({ state: "not_recorded", at: "2026-06-01T12:01:00.000Z" });
  expect(told.warnings?.map(({ code }) => code)).toEqual(["player_unknown", "not_recorded"]);
  expect(told.warnings?.[1]?.detail).toMatch(/knows nobody with this UnionID/);
});

test("a correction tells the earlier outcomes, the latest last", () => {
  const earlier = [
    { version: 1, state: "rejected", at: start },
    { version: 2, state: "delivered", at: start + minute },
  ] as const;
  expect(status({ version: 3, earlier })).toMatchObject({
    state: "queued",
    earlier: [
      { state: "rejected", at: "2026-06-01T12:00:00.000Z" },
      { state: "delivered", at: "2026-06-01T12:01:00.000Z" },
    ],
  });
});

test("a card's posts are those that failed, and the one that was taken", () => {
  const failed = [
    { version: 1, from: start, to: start + minute, posts: 3, failure },
    { version: 2, from: start + 2 * minute, to: start + 2 * minute, posts: 1, failure },
  ];
  const since = start + 3 * minute;
  expect(toCardPosts(storedCard("417", { version: 2, state: "delivered", since, failed }))).toEqual([
    {
      version: 1,
      at: "2026-06-01T12:00:00.000Z",
      until: "2026-06-01T12:01:00.000Z",
      posts: 3,
      error: { stage: "after", status: 503, message: "busy" },
    },
    {
      version: 2,
      at: "2026-06-01T12:02:00.000Z",
      posts: 1,
      error: { stage: "after", status: 503, message: "busy" },
    },
    { version: 2, at: "2026-06-01T12:03:00.000Z", posts: 1 },
  ]);
  expect(toCardPosts(storedCard("417"))).toEqual([]);
});

test.each(cardStates)("a %s card says that the exchange may have it, unless it is delivered", (state) => {
  const said = state === "delivered" ? undefined : true;
  expect(status({ state, maybeAtExchange: 1 }).maybeDelivered).toBe(said);
  expect(status({ state, version: 2, atExchange: 1 }).maybeDelivered).toBe(said);
  expect(status({ state }).maybeDelivered).toBeUndefined();
});

test("a card tells the warnings that its vendor got", () => {
  const warnings = [{ index: 0, pointer: "/HCP", code: "out_of_range", detail: "…" }] as const;
  expect(status({ content: contentOf({ ID: "id" }, warnings) }).warnings).toEqual(warnings);
});

test("cards are told of in the order of their names, one that is asked for twice both times", async () => {
  const { table, put } = scorecardsInMemory();
  put(storedCard("1"), storedCard("2", { state: "delivered", attempts: 1 }));
  const statuses = await readStatuses(table, green, ["2", "none", "1", "2"]);
  expect(statuses.map(({ externalId, state }) => [externalId, state])).toEqual([
    ["2", "delivered"],
    ["none", "unknown"],
    ["1", "queued"],
    ["2", "delivered"],
  ]);
});
