import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { beginningOfDay } from "../../../core/formats/union-time.ts";
import { findFloods, findSilences, readUnusual, type VendorHours } from "../../../core/views/silence.ts";
import { hour } from "../../durations.ts";

const copenhagen = "Europe/Copenhagen";

/** A day from midnight to midnight: cards an hour from nine to nine. */
const playedDay = (cards: number) => Array.from({ length: 24 }, (_, at) => (at >= 9 && at < 21 ? cards : 0));
/** The same, cut off: nothing from an hour on. */
const until = (end: number, cards: number) => playedDay(cards).map((sent, at) => (at < end ? sent : 0));
/** The first hours of a day, as they are known at this hour. */
const knownAt = (at: number, day: readonly number[]) => day.slice(0, at);

function vendor(name: string, at: number, now: readonly number[], weeks: readonly (readonly number[])[]) {
  const before = weeks.map((day) => knownAt(at, day));
  return { apiSet: name as ApiSet, now: knownAt(at, now), before } satisfies VendorHours;
}
const steady = (cards: number) => Array.from({ length: 4 }, () => playedDay(cards));
const named = (vendors: readonly VendorHours[]) =>
  findSilences(vendors).map(({ apiSet, isUnexplained }) => [apiSet, isUnexplained]);

test("a vendor that stops in the middle of the day is silent two hours later, while the others send", () => {
  const at = (clock: number) => [
    vendor("app", clock, until(13, 20), steady(20)),
    vendor("other", clock, playedDay(50), steady(50)),
  ];
  expect(findSilences(at(13))).toEqual([]);
  expect(findSilences(at(14))).toEqual([]);
  expect(findSilences(at(15))).toEqual([
    { apiSet: "app", hours: 2, usual: 20, shareOfOthers: 1, isUnexplained: true },
  ]);
  expect(findSilences(at(18))).toEqual([
    { apiSet: "app", hours: 5, usual: 80, shareOfOthers: 1, isUnexplained: true },
  ]);
});

test("a vendor that sends ten times its usual cards in a day is told of, and a new or growing one of few cards is not", () => {
  const flood = (cards: number, usual: number) =>
    findFloods([vendor("app", 24, playedDay(cards), steady(usual))]);
  expect([flood(500, 50), flood(499, 50), flood(5_000, 10)]).toMatchObject([
    [{ cards: 6_000, usual: 600 }],
    [],
    [{}],
  ]);
  expect([flood(400, 0), flood(420, 0)]).toMatchObject([[], [{ usual: 0 }]]);
});

test("at night nobody is silent", () => {
  for (const clock of [22, 23, 24]) {
    expect(findSilences([vendor("app", clock, playedDay(20), steady(20))])).toEqual([]);
  }
});

test.each([
  ["began three weeks ago", [playedDay(20), playedDay(20), playedDay(20), playedDay(0)]],
  ["has had one tournament", [playedDay(500), playedDay(0), playedDay(0), playedDay(0)]],
  ["sends hardly anything", steady(1)],
  ["sent nothing on one of the last four of these weekdays", [...steady(20).slice(1), playedDay(0)]],
])("a vendor that %s is not missed", (_, weeks) => {
  expect(findSilences([vendor("app", 16, until(13, 20), weeks.slice(-4))])).toEqual([]);
});

test("in autumn a vendor that sends fewer cards from week to week is not missed when it sends none", () => {
  const autumn = [6, 16, 20, 22].map(playedDay);
  expect(findSilences([vendor("app", 16, playedDay(0), autumn)])).toMatchObject([{ usual: 13 }]);
  expect(findSilences([vendor("app", 16, playedDay(0), [5, 16, 20, 22].map(playedDay))])).toEqual([]);
});

test("on a rainy day a vendor without cards is told, but not as unexplained", () => {
  const rainy = [vendor("app", 16, playedDay(0), steady(20)), vendor("other", 16, playedDay(10), steady(50))];
  expect(findSilences(rainy)).toMatchObject([{ apiSet: "app", shareOfOthers: 0.2, isUnexplained: false }]);
});

test("if nobody sends anything, they do not reach us", () => {
  const unreached = ["app", "other", "third"].map((name) => vendor(name, 16, until(12, 20), steady(20)));
  expect(named(unreached)).toEqual(["app", "other", "third"].map((name) => [name, true]));
});

test("a vendor alone has to miss more, since nobody shows whether it rains", () => {
  const alone = (cards: number) => [vendor("app", 16, until(12, cards), steady(cards))];
  expect(named(alone(9))).toEqual([["app", false]]);
  expect(named(alone(10))).toEqual([["app", true]]);
});

test.each([
  ["an hour earlier", 18],
  ["an hour later", 20],
])("a vendor that sends all its cards once a day, and today %s, is not missed", (_, sentAt) => {
  const once = (at: number) => Array.from({ length: 24 }, (_, clock) => (clock === at ? 200 : 0));
  for (const clock of [19, 20, 21, 22, 24]) {
    const weeks = Array.from({ length: 4 }, () => once(19));
    const isMissed = findSilences([vendor("app", clock, once(sentAt), weeks)]).length > 0;
    expect(isMissed).toBe(false);
  }
});

/** A reader of counts, by the instant of the hour. */
const readerOf = (counts: ReadonlyMap<number, number>, refused: readonly number[] = []) => ({
  async hours(_: ApiSet, from: number, before: number) {
    return [...counts]
      .filter(([at]) => at >= from && at < before)
      .map(([at, accepted]) => ({ hour: at, counts: { accepted } }));
  },
  async refusals(_: ApiSet, from: number, before: number) {
    return refused
      .filter((at) => at >= from && at < before)
      .map((at) => ({ hour: at, cards: 1, byFault: [] }));
  },
});

/** Counts of Sundays, each by the union's clocks. */
const sundays = (days: Readonly<Record<string, readonly number[]>>) =>
  new Map(
    Object.entries(days).flatMap(([day, cards]) =>
      cards.map((sent, at) => [beginningOfDay(day, copenhagen) + at * hour, sent] as const),
    ),
  );

test("the counts of the same hours by the union's clocks are compared, also when these are put back", async () => {
  const once = playedDay(0).map((_, at) => (at === 12 ? 40 : 0));
  // Summer time ended on 25 October 2026.
  const weeks = { "2026-10-11": once, "2026-10-18": once, "2026-11-01": once, "2026-11-08": once };
  const now = beginningOfDay("2026-11-15", copenhagen) + 14 * hour + 20 * 60_000;
  const dayOfChange = once.map((_, at) => (at === 13 ? 40 : 0));
  const reader = readerOf(sundays({ ...weeks, "2026-10-25": dayOfChange }));
  expect((await readUnusual(reader, ["app" as ApiSet], now, copenhagen)).silences).toEqual([
    { apiSet: "app", hours: 24, usual: 40, isUnexplained: true },
  ]);
  // The counts of the last hour may be late.
  expect((await readUnusual(reader, ["app" as ApiSet], now - 10 * 60_000, copenhagen)).silences).toEqual([]);
});

test("a vendor whose cards are refused is not silent, and thousands of them are a flood", async () => {
  const weeks = { "2026-06-07": playedDay(20), "2026-06-14": playedDay(20), "2026-06-21": playedDay(20) };
  const counts = sundays({ ...weeks, "2026-05-31": playedDay(20), "2026-06-28": until(12, 20) });
  const noon = beginningOfDay("2026-06-28", copenhagen) + 12 * hour;
  const now = noon + 4 * hour + 20 * 60_000;
  const silent = async (refused: number[]) =>
    (await readUnusual(readerOf(counts, refused), ["app" as ApiSet], now, copenhagen)).silences;
  expect(await silent([noon - hour])).toMatchObject([{ apiSet: "app", hours: 4, usual: 59 }]);
  expect(await silent([noon + 2 * hour])).toEqual([]);
  const flood = readerOf(counts, Array(6_000).fill(noon));
  expect(await readUnusual(flood, ["app" as ApiSet], now, copenhagen)).toMatchObject({
    floods: [{ apiSet: "app" }],
  });
});
