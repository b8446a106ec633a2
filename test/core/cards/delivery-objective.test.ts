import { expect, test } from "vitest";
import { outageEnd } from "../../../core/cards/delivery/breaker.ts";
import { isDelayed, objectiveTime } from "../../../core/cards/delivery/record.ts";
import { hour, minute, second } from "../../durations.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { about, echo, names, status, type world, worldWith } from "./delivery-world.ts";

const failure = { phase: "after", status: 503, message: "busy" } as const;
const never = 0;
const accepted = storedCard("417", { acceptedAt: start });

test.each([
  ["in time, to the millisecond", objectiveTime, never, false],
  ["a millisecond too late", objectiveTime + 1, never, true],
  ["soon after an outage", 3 * hour, start + 3 * hour - 4 * minute, false],
  ["later than the outage explains", 3 * hour, start + 2 * hour, true],
  ["late though an outage was over before", 6 * minute, start - 1, true],
])("a card that is delivered %s", (_, after, over, delayed) => {
  expect(isDelayed(accepted, over, start + after)).toBe(delayed);
});

test("a card that was posted in vain waits for the exchange from its first post on", () => {
  const failedAt = (from: number, version = 1) => [
    { version, from, to: from + hour, posts: 4, failure },
    { version, from: from + 2 * hour, to: from + 2 * hour, posts: 1, failure },
  ];
  const suspect = { ...accepted, suspicion: 0.4 };
  const deliveredAt = start + 5 * hour;
  expect(isDelayed({ ...suspect, failed: failedAt(start + minute) }, never, deliveredAt)).toBe(false);
  expect(isDelayed({ ...suspect, failed: failedAt(start + 6 * minute) }, never, deliveredAt)).toBe(true);
  // An earlier content that failed explains nothing of this one.
  expect(isDelayed({ ...suspect, version: 2, failed: failedAt(start + minute) }, never, deliveredAt)).toBe(
    true,
  );
  expect(isDelayed({ ...accepted, failed: failedAt(start + minute) }, never, deliveredAt)).toBe(false);
  // Neither does a post of which an item of an older form does not say when it ended.
  expect(isDelayed({ ...suspect, maybeAtExchange: 1 }, never, deliveredAt)).toBe(true);
});

test("an outage is over when all cards have come back that waited for its end", () => {
  const closed = { version: 3, openedAt: start, closedAt: start + 2 * hour };
  const allBackAt = start + 3 * hour;
  const open = { since: start, failure, nextProbeAt: start + minute };
  expect(outageEnd({ version: 1 })).toBe(never);
  expect(outageEnd(closed)).toBe(start + 2 * hour + 15 * minute);
  expect(outageEnd({ ...closed, allBackAt })).toBe(allBackAt);
  expect(outageEnd({ ...closed, open })).toBe(Number.POSITIVE_INFINITY);
});

const delayedOf = (events: ReturnType<typeof world>["events"]) =>
  events.flatMap((event) =>
    event.kind === "recorded" && event.delayed > 0 ? [[event.state, event.delayed]] : [],
  );

test("cards that waited in the queue are told as delayed, and those that waited for the union are not", async () => {
  const late = names(3);
  const { cards, clock, events, run } = worldWith(
    late.map((id) => storedCard(id, { acceptedAt: start })),
    echo,
  );
  clock.now = start + 6 * minute;
  cards.put(storedCard("in time", { acceptedAt: start + 5 * minute }));
  await run([about(...late, "in time")]);
  expect(delayedOf(events)).toEqual([["delivered", 3]]);
});

test("cards that waited for the end of an outage are not told as delayed, whichever run delivers them", async () => {
  const exchange = { isDown: true };
  const { cards, clock, events, run } = worldWith(
    names(60).map((id) => storedCard(id, { acceptedAt: start })),
    (ids) => (exchange.isDown ? status(503, 1) : echo(ids)),
  );
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
