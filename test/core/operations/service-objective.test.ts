import { expect, test } from "vitest";
import { type Breaker, outageEnd } from "../../../core/cards/delivery/breaker.ts";
import { isDelayed } from "../../../core/cards/delivery/record.ts";
import {
  burnAlarms,
  burnRate,
  type DeliveredCount,
  objectiveState,
  stuckMessages,
} from "../../../core/operations/service-objective.ts";
import { day, hour, minute, second } from "../../durations.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const part = 5 * minute;
const month = 30 * day;
const end = start + month;

/** A month in which so many cards are delivered in each five minutes, of which some are delayed. */
function monthOf(delivered: number, delayedAt: (at: number, place: number) => number): DeliveredCount[] {
  return Array.from({ length: month / part }, (_, place) => {
    const from = start + place * part;
    return { from, to: from + part, delivered, delayed: delayedAt(from, place) };
  });
}

type Name = keyof typeof burnAlarms;

/** When an alarm rings, and when it clears, if it is evaluated every five minutes. */
function ringing(name: Name, counts: readonly DeliveredCount[], stuckAt: (at: number) => number = () => 0) {
  const { long, rate } = burnAlarms[name];
  const times: number[] = [];
  let oldest = 0;
  let newest = 0;
  for (let now = start + part; now <= end; now += part) {
    while ((counts[newest]?.from ?? end) < now) newest++;
    while ((counts[oldest]?.to ?? end) <= now - long) oldest++;
    const known = counts.slice(oldest, newest);
    if (burnRate(known, stuckAt(now), burnAlarms[name], now) >= rate) times.push(now);
  }
  return { first: times[0], last: times.at(-1), times };
}

test("a day's outage of the union burns nothing, in a month of cards of which each waits for its end", () => {
  const outageFrom = start + 10 * day;
  const outageTo = outageFrom + day;
  const failure = { phase: "after", status: 503, message: "busy" } as const;
  const open: Breaker = { version: 1, open: { since: outageFrom, failure, nextProbeAt: outageTo } };
  const closed: Breaker = { version: 2, openedAt: outageFrom, closedAt: outageTo };
  const counts = new Map<number, DeliveredCount>();
  for (let acceptedAt = start; acceptedAt < end; acceptedAt += minute) {
    const waits = acceptedAt >= outageFrom && acceptedAt < outageTo;
    // The last one comes back half a probe's longest wait, and one of five minutes, after the end.
    const deliveredAt = waits ? outageTo + (acceptedAt % (7 * minute)) : acceptedAt + 2 * second;
    const breaker = deliveredAt <= outageTo ? open : closed;
    const over = deliveredAt < outageFrom ? 0 : outageEnd(breaker);
    const delayed = Number(isDelayed(storedCard("417", { acceptedAt }), over, deliveredAt));
    const from = Math.floor(deliveredAt / part) * part;
    const known = counts.get(from) ?? { from, to: from + part, delivered: 0, delayed: 0 };
    counts.set(from, { ...known, delivered: known.delivered + 1, delayed: known.delayed + delayed });
  }
  const all = [...counts.values()];
  expect(objectiveState(all, end)).toEqual({
    delivered: month / minute,
    delayed: 0,
    share: 1,
    budgetUsed: 0,
  });
  expect(ringing("fast", all).times).toEqual([]);
  expect(ringing("slow", all).times).toEqual([]);
});

test("one card in a thousand that is late is the budget of a month exactly, and half of that never rings", () => {
  const exactly = monthOf(100, (_, place) => Number(place % 10 === 0));
  const state = objectiveState(exactly, end);
  expect(state.budgetUsed).toBeCloseTo(1, 9);
  expect(state.share).toBeCloseTo(0.999, 9);
  expect(ringing("fast", exactly).times).toEqual([]);
  const half = monthOf(100, (_, place) => Number(place % 20 === 0));
  expect(objectiveState(half, end).budgetUsed).toBeCloseTo(0.5, 9);
  expect(ringing("slow", half).times).toEqual([]);
});

test.each([
  ["every card", 100, 5 * minute],
  ["every second card", 50, 5 * minute],
  ["one in twenty", 5, 20 * minute],
])("if from a moment on %s is late, the fast alarm rings within minutes", (_, delayed, within) => {
  const from = start + 12 * day;
  const to = from + 2 * hour;
  const counts = monthOf(100, (at) => (at >= from && at < to ? delayed : 0));
  const { first = Number.NaN, last = Number.NaN } = ringing("fast", counts);
  expect(first).toBeGreaterThan(from);
  expect(first - from).toBeLessThanOrEqual(within);
  // The short window clears it soon.
  expect(last - to).toBeLessThanOrEqual(5 * minute);
});

test("if nothing is delivered any more, the fast alarm rings by the messages that wait", () => {
  const from = start + 12 * day;
  const counts = monthOf(100, () => 0).filter(({ from: at }) => at < from);
  const { first = Number.NaN } = ringing("fast", counts, (at) => (at < from + 5 * minute ? 0 : 100));
  expect(first - from).toBeLessThanOrEqual(5 * minute);
});

test("if cards are late at twice the rate of the budget, only the slow alarm rings, a day and a half later", () => {
  const from = start + 12 * day;
  const counts = monthOf(100, (at, place) => (at >= from && place % 5 === 0 ? 1 : 0));
  expect(ringing("fast", counts).times).toEqual([]);
  const { first = Number.NaN } = ringing("slow", counts);
  expect((first - from) / hour).toBeGreaterThan(34);
  expect((first - from) / hour).toBeLessThan(37);
});

test("a few late cards of a quiet day ring nothing, though they are a large share", () => {
  const counts = monthOf(0, () => 0).map((count, place) =>
    place % 288 === 0 ? { ...count, delivered: 1, delayed: 1 } : count,
  );
  expect(ringing("fast", counts).times).toEqual([]);
  expect(ringing("slow", counts).times).toEqual([]);
  const { budgetUsed, ...state } = objectiveState(counts, end);
  expect(state).toEqual({ delivered: 30, delayed: 30, share: 0 });
  expect(budgetUsed).toBeCloseTo(1000);
});

test("without any delivery nothing is burnt, and no share is known", () => {
  expect(objectiveState([], end)).toEqual({ delivered: 0, delayed: 0, budgetUsed: 0 });
  expect(burnRate([], 0, burnAlarms.fast, end)).toBe(0);
});

test("messages are stuck if the oldest has waited for too long, and the queue was never empty meanwhile", () => {
  const measured = (visible: readonly number[], oldestSeconds: number) =>
    visible.map((messages, place) => ({ at: start + place * minute, visible: messages, oldestSeconds }));
  expect(stuckMessages(measured([40, 30, 20, 30, 40, 50], 301), 300)).toBe(20);
  expect(stuckMessages(measured([40, 30, 20, 30, 40, 50], 300), 300)).toBe(0);
  // Cards that wait for the union come back now and then.
  expect(stuckMessages(measured([40, 0, 0, 30, 0, 50], 1000), 300)).toBe(0);
  expect(stuckMessages([], 300)).toBe(0);
});
