import { expect, test } from "vitest";
import { type Breaker, latestOutage, outageSince } from "../../../core/cards/delivery/breaker.ts";
import { isDelayed, objectiveTime } from "../../../core/cards/delivery/record.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { about, echo, hour, minute, names, second, status, world } from "./delivery-world.ts";

const failure = { phase: "after", status: 503, message: "busy" } as const;
const accepted = storedCard("417", { acceptedAt: start });

test.each([
  ["in time, to the millisecond", objectiveTime, undefined, false],
  ["a millisecond too late", objectiveTime + 1, undefined, true],
  [
    "late by no more than the outage",
    3 * hour,
    { from: start + minute, to: start + 3 * hour - 4 * minute },
    false,
  ],
  ["later than the outage explains", 3 * hour, { from: start + minute, to: start + 2 * hour }, true],
  ["late though an outage was over before", 6 * minute, { from: start - hour, to: start - 1 }, true],
  [
    "late, in an outage that was there before",
    6 * minute,
    { from: start - hour, to: start + 2 * minute },
    false,
  ],
])("a card that is delivered %s", (_, after, outage, delayed) => {
  expect(isDelayed(accepted, outage, start + after)).toBe(delayed);
});

test("a card that was posted in vain waits for the exchange from its first post on", () => {
  const failedAt = (from: number, version = 1) => [
    { version, from, to: from + hour, posts: 4, failure },
    { version, from: from + 2 * hour, to: from + 2 * hour, posts: 1, failure },
  ];
  const suspect = { ...accepted, suspicion: 0.4 };
  const deliveredAt = start + 5 * hour;
  expect(isDelayed({ ...suspect, failed: failedAt(start + minute) }, undefined, deliveredAt)).toBe(false);
  expect(isDelayed({ ...suspect, failed: failedAt(start + 6 * minute) }, undefined, deliveredAt)).toBe(true);
  // An earlier content that failed explains nothing of this one.
  expect(
    isDelayed({ ...suspect, version: 2, failed: failedAt(start + minute) }, undefined, deliveredAt),
  ).toBe(true);
  expect(isDelayed({ ...accepted, failed: failedAt(start + minute) }, undefined, deliveredAt)).toBe(false);
  // Neither does a post of which an item of an older form does not say when it ended.
  expect(isDelayed({ ...suspect, maybeAtExchange: 1 }, undefined, deliveredAt)).toBe(true);
});

test("outages that follow one another before all cards have come back are one", () => {
  const open = (since: number) => ({ since, failure, nextProbeAt: since + minute });
  const first: Breaker = { version: 3, openedAt: start, closedAt: start + 2 * hour, outageSince: start };
  const soon = start + 2 * hour + 10 * minute;
  const later = start + 2 * hour + 16 * minute;
  expect(latestOutage({ version: 1 })).toBeUndefined();
  expect(latestOutage(first)).toEqual({ from: start, to: start + 2 * hour + 15 * minute });
  expect(outageSince(open(soon), first)).toBe(start);
  expect(latestOutage({ ...first, open: open(soon) })).toEqual({
    from: start,
    to: Number.POSITIVE_INFINITY,
  });
  expect(outageSince(open(later), first)).toBe(later);
  // Of short outages, five minutes between them may still be too little for all cards.
  const short: Breaker = { version: 3, openedAt: start, closedAt: start + minute, outageSince: start };
  expect(outageSince(open(start + 6 * minute), short)).toBe(start);
  expect(outageSince(open(start + 6 * minute + 1), short)).toBe(start + 6 * minute + 1);
  // A breaker that an earlier release closed does not say so.
  const { outageSince: _, ...earlier } = first;
  expect(latestOutage(earlier)?.from).toBe(start);
});

const delayedOf = (events: ReturnType<typeof world>["events"]) =>
  events.flatMap((event) =>
    event.kind === "recorded" && event.delayed > 0 ? [[event.state, event.delayed]] : [],
  );

test("cards that waited in the queue are told as delayed, and those that waited for the union are not", async () => {
  const late = names(3);
  const { cards, clock, events, run } = world(echo);
  cards.put(...late.map((id) => storedCard(id, { acceptedAt: start })));
  clock.now = start + 6 * minute;
  cards.put(storedCard("in time", { acceptedAt: start + 5 * minute }));
  await run([about(...late, "in time")]);
  expect(delayedOf(events)).toEqual([["delivered", 3]]);
});

test("cards that waited for the end of an outage are not told as delayed, whichever run delivers them", async () => {
  const exchange = { isDown: true };
  const { cards, clock, events, run } = world((ids) => (exchange.isDown ? status(503, 1) : echo(ids)));
  cards.put(...names(60).map((id) => storedCard(id, { acceptedAt: start })));
  await run([about(...names(60).slice(0, 30))]);
  clock.now += 2 * hour;
  exchange.isDown = false;
  // The first run ends the outage, and the second knows it by the breaker's times only.
  await run([about(...names(60).slice(0, 30))]);
  clock.now += 10 * second;
  await run([about(...names(60).slice(30))]);
  expect(cards.changes.filter(({ set }) => set.state === "delivered")).toHaveLength(60);
  expect(delayedOf(events)).toEqual([]);
  // What waits on for no reason is ours again.
  cards.put(storedCard("forgotten", { acceptedAt: start }));
  clock.now += hour;
  await run([about("forgotten")]);
  expect(delayedOf(events)).toEqual([["delivered", 1]]);
});
