import { describe, expect, test } from "vitest";
import { TableBatchError } from "../../../core/aws/batch.ts";
import { dayFirstUntil } from "../../../core/cards/delivery/breaker.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { cardStatus } from "../../../core/cards/status.ts";
import { chunks } from "../../../core/formats/chunks.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { minute, second } from "../../durations.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import { about, echo, message, status, wakeUp, world, worldWith } from "./delivery-world.ts";

const playedAt = (StartTime: string) => contentOf({ ID: "id", Round: { StartTime } });
const failure = { phase: "after", status: 503, message: "busy" } as const;
/** The breaker of a vendor that was down for an hour. */
const down = { since: start - 60 * minute, failure, nextProbeAt: start };

describe("a card that is delivered", () => {
  test.each([
    ["in the evening", "Europe/Copenhagen", "20260601T090000", "2026-06-01T20:00:00Z", "onDayOfPlay"],
    ["before midnight", "Europe/Copenhagen", "20260601T090000", "2026-06-01T21:59:59.999Z", "onDayOfPlay"],
    ["at midnight", "Europe/Copenhagen", "20260601T090000", "2026-06-01T22:00:00Z", "late"],
    [
      "before midnight on Hawaii",
      "Pacific/Honolulu",
      "20260601T090000",
      "2026-06-02T09:59:59Z",
      "onDayOfPlay",
    ],
    ["at midnight on Hawaii", "Pacific/Honolulu", "20260601T090000", "2026-06-02T10:00:00Z", "late"],
    [
      "before midnight in Auckland",
      "Pacific/Auckland",
      "20260601T090000",
      "2026-06-01T11:59:59Z",
      "onDayOfPlay",
    ],
    ["at midnight in Auckland", "Pacific/Auckland", "20260601T090000", "2026-06-01T12:00:00Z", "late"],
    [
      "at the end of the day that is an hour short",
      "Europe/Copenhagen",
      "20260329T090000",
      "2026-03-29T21:59:59Z",
      "onDayOfPlay",
    ],
    [
      "after the day that is an hour short",
      "Europe/Copenhagen",
      "20260329T090000",
      "2026-03-29T22:00:00Z",
      "late",
    ],
    [
      "at the end of the day that is an hour long",
      "Europe/Copenhagen",
      "20261025T090000",
      "2026-10-25T22:59:59Z",
      "onDayOfPlay",
    ],
    [
      "after the day that is an hour long",
      "Europe/Copenhagen",
      "20261025T090000",
      "2026-10-25T23:00:00Z",
      "late",
    ],
  ] as const)("%s, clocks of %s, is told so", async (_, timeZone, StartTime, at, arrival) => {
    const before = world();
    const { settings } = before.dependencies;
    const { cards, clock, run } = world(echo, { settings: { ...settings, timeZone } });
    clock.now = Date.parse(at);
    cards.put(storedCard("417", { content: playedAt(StartTime), acceptedAt: clock.now, since: clock.now }));
    await run([about("417")]);
    expect(cards.of("417")).toMatchObject({ state: "delivered", arrival });
    expect(cardStatus("417", cards.of("417"), { version: 0 })).toMatchObject({ arrival });
  });
});

test.each([
  ["a field that the union does not have", { Extra: { StartTime: "20260101T090000" } }, {}],
  ["a part of the round", {}, { Tee: { StartTime: "20260101T090000" } }],
  ["a text that looks like one", { Comment: '"StartTime":"20260101T090000"' }, {}],
])("a card is of the day of its round, whatever %s says", async (_, card, round) => {
  const content = contentOf({ ID: "id", ...card, Round: { ...round, StartTime: "20260601T090000" } });
  const { cards, run } = worldWith([storedCard("417", { content })]);
  await run([about("417")]);
  expect(cards.of("417")).toMatchObject({ state: "delivered", arrival: "onDayOfPlay" });
});

test("a card whose outcome is no delivery, or whose player was erased, has no arrival", async () => {
  const { cards, run } = worldWith(
    [storedCard("417", { content: playedAt("20260601T090000") }), "418"],
    (ids) => (ids.includes("417") ? status(503) : echo(ids)),
  );
  await run([about("417")]);
  expect(cards.of("417")).not.toHaveProperty("arrival");
  const other = worldWith(["418"]);
  await other.run([about("418")]);
  expect(other.cards.of("418")).toMatchObject({ state: "delivered" });
  expect(cardStatus("418", other.cards.of("418"), { version: 0 })).not.toHaveProperty("arrival");
});

test("the probe of an outage is a card of the day, though it comes last", async () => {
  const { cards, arrays, run } = world(() => status(503));
  await cards.table.writeBreaker(green, { version: 0 }, down);
  cards.put(
    storedCard("old", { content: playedAt("20260531T090000") }),
    storedCard("older", { content: playedAt("20260530T090000") }),
    storedCard("new", { content: playedAt("20260601T090000") }),
  );
  await run([about("old", "older", "new")]);
  expect(arrays()[0]).toEqual(["new"]);
});

test("once an outage is over, cards of the day go at once, and those of earlier days when all have been tried", async () => {
  const { cards, arrays, sent, clock, run } = world();
  await cards.table.writeBreaker(green, { version: 0 }, down);
  const old = storedCard("old", { content: playedAt("20260531T090000") });
  cards.put(
    old,
    storedCard("first", { content: playedAt("20260601T090000") }),
    storedCard("second", { content: playedAt("20260601T110000") }),
  );
  await run([about("old", "first", "second")]);
  expect(arrays()).toEqual([["first"], ["second"]]);
  expect(sent.map(({ externalId }) => externalId)).toEqual(["old"]);
  expect(cards.of("old")).toEqual(old);
  const [waiting] = sent;
  // An hour's outage has cards wait for five minutes and more.
  expect(waiting?.delaySeconds).toBeGreaterThanOrEqual(7.5 * 60);
  expect(waiting?.delaySeconds).toBeLessThanOrEqual(15 * 60);

  clock.now += (waiting?.delaySeconds ?? 0) * second;
  await run([message([wakeUp(old, waiting)])]);
  expect(cards.of("old")).toMatchObject({ state: "delivered", arrival: "late" });
});

test("cards of earlier days are not held back if there was no outage", async () => {
  const { sent, states, run } = worldWith([storedCard("old", { content: playedAt("20260531T090000") })]);
  await run([about("old")]);
  expect(states("old")).toEqual(["delivered"]);
  expect(sent).toEqual([]);
});

describe("during an outage of cards of earlier days", () => {
  /** A breaker that a card of an earlier day has opened. */
  async function outage() {
    const exchange = { answer: (_: readonly string[]): PostResult => status(503) };
    const made = worldWith(
      [
        storedCard("old", { content: playedAt("20260531T090000") }),
        storedCard("older", { content: playedAt("20260530T090000") }),
        storedCard("new", { content: playedAt("20260601T090000") }),
      ],
      (ids) => exchange.answer(ids),
    );
    await made.run([about("old")]);
    made.sent.splice(0);
    return { ...made, exchange };
  }

  test("these go at once when it is over, if no card of the day waits", async () => {
    const { exchange, clock, sent, states, run } = await outage();
    exchange.answer = echo;
    clock.now += 2 * second;
    await run([about("old", "older")]);
    expect(states("old", "older")).toEqual(["delivered", "delivered"]);
    expect(sent).toEqual([]);
  });

  test.each([
    ["is not posted", 0],
    ["is posted in vain", 2 * second],
  ])("a card of the day that %s has them held back", async (_, wait) => {
    const { exchange, clock, sent, states, run } = await outage();
    clock.now += wait;
    await run([about("new")]);
    clock.now += 2 * second;
    await run([about("older")]);
    sent.splice(0);
    exchange.answer = echo;
    clock.now += 2 * second;
    await run([about("old", "older")]);
    // The probe goes through.
    const [delivered, ...others] = states("old", "older").toSorted();
    expect(delivered).toBe("delivered");
    expect(others).not.toEqual(["delivered"]);
    expect(sent).toHaveLength(1);
  });

  test("a card of the day is noticed behind more of them than a run reads", async () => {
    const { cards, sent, run } = await outage();
    const others = Array.from({ length: 100 }, (_, n) => `old ${n}`);
    cards.put(...others.map((id) => storedCard(id, { content: playedAt("20260531T090000") })));
    const wake = (ids: readonly string[]) => run(chunks(ids, 50).map((some) => about(...some)));
    await wake([...others, "new"]);
    expect(cards.breaker(green)).not.toHaveProperty("delaysToday");
    await wake(sent.map(({ externalId }) => externalId));
    expect(cards.breaker(green)).toHaveProperty("delaysToday", true);
  });

  test("a card that has its outcome does not have them held back", async () => {
    const { exchange, cards, clock, sent, run } = await outage();
    cards.put(storedCard("new", { state: "delivered", content: playedAt("20260601T090000") }));
    await run([about("new")]);
    sent.splice(0);
    exchange.answer = echo;
    clock.now += 2 * second;
    await run([about("old", "older")]);
    expect(sent).toEqual([]);
  });

  test("a card of the day waits for the next probe also if the table refuses to note it", async () => {
    const { cards, sent, run } = await outage();
    cards.table.writeBreaker = () => Promise.reject(new TableBatchError("scorecards"));
    expect(await run([about("new")])).toEqual([]);
    expect(sent).toMatchObject([{ externalId: "new", delaySeconds: 3 }]);
  });

  test("a card of the day leaves a probe alone that another run has claimed", async () => {
    const { cards, run } = await outage();
    const before = cards.breakerItem(green);
    const claimed = { ...down, probing: "old", nextProbeAt: start + minute };
    const claim = await cards.table.writeBreaker(green, before ?? { version: 0 }, claimed);
    await run([about("new")]);
    expect(cards.breakerItem(green)).toEqual(claim);
  });
});

test.each([
  ["of two seconds", 2 * second, 3 * second],
  ["of a minute", minute, 22.5 * second],
  ["of a day", 1440 * minute, 7.5 * minute],
])(
  "an outage %s that delays a card of the day holds others back for as long as cards may wait for its end",
  (_, length, wait) => {
    const closed = { version: 2, openedAt: start - length, closedAt: start, delaysToday: true };
    expect(dayFirstUntil(closed)).toBe(start + wait);
    expect(dayFirstUntil({ ...closed, delaysToday: undefined })).toBe(0);
    expect(dayFirstUntil({ ...closed, open: down })).toBe(0);
    expect(dayFirstUntil({ version: 0 })).toBe(0);
  },
);
