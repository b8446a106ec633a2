import type { Activity } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { en } from "../../portal/texts/en.ts";
import {
  countIn,
  formatCounted,
  formatDelivered,
  formatWaiting,
} from "../../portal/views/overview/overview-notes.ts";

const start = Date.parse("2026-07-04T12:00:00Z");
const at = (minutes: number) => start + minutes * 60_000;

test("of a card that has waited for seconds it is not said that it has waited since the hour began", () => {
  expect(formatWaiting(new Date(start).toISOString(), at(45))).toBe("all accepted in this hour");
});

test("the oldest waiting card was accepted within an hour that is named from its beginning to its end", () => {
  const hours = [start, at(60)].map((time) =>
    new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(time),
  );
  expect(formatWaiting(new Date(start).toISOString(), at(60 * 24 * 400))).toBe(
    `the oldest accepted between ${hours[0]} and ${hours[1]}`,
  );
});

test("nothing waits if no hour is known", () => {
  expect(formatWaiting(undefined, start)).toBe("nothing waits");
});

test("a list of counted cards says how many were counted, by state or by warning", () => {
  const warnings = ["round_seen", "rounds_overlap"].map((code, place) => ({ code, cards: place + 2 }));
  const activity = { totals: { rejected: 1 }, warnings } as unknown as Activity;
  const counted = ["rejected", "rounds_overlap", "player_unknown"];
  expect(counted.map((name) => countIn(activity, name))).toEqual([1, 3, 0]);
  expect(counted.map((name) => formatCounted(name, 4))).toEqual([
    "4 rejected by the exchange",
    `4 delivered with a warning: ${en.faults.rounds_overlap[0]}`,
    "4 delivered for players whom the union does not know",
  ]);
});

test.each([
  [{ accepted: 2_652, delivered: 4_053 }, 0, 0, "with corrections, and cards accepted earlier"],
  [
    { accepted: 2, delivered: 3 },
    1,
    2,
    "with corrections, and cards accepted earlier; 1 after their day of play",
  ],
  [{ accepted: 3, delivered: 3 }, 1, 2, "1 after their day of play"],
  [{ accepted: 3, delivered: 3 }, 0, 3, "all on their day of play"],
  [{ accepted: 3, delivered: 0 }, 0, 0, undefined],
] as const)("of %o, %i late and %i in time, it is said: %s", (shown, late, onDayOfPlay, said) => {
  expect(formatDelivered(shown, { late, onDayOfPlay })).toBe(said);
});
