import fc from "fast-check";
import { expect, test } from "vitest";
import {
  earliestInstantOf,
  endOfDay,
  hasCome,
  instantOf,
  isAfterToday,
  wallClockAt,
} from "../../../core/formats/union-time.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const copenhagen = "Europe/Copenhagen";
const zones = fc.constantFrom(
  copenhagen,
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Pacific/Niue",
  "Africa/Casablanca",
  "UTC",
);
const minutes = fc.integer({
  min: at("1995-01-01T00:00:00") / 60_000,
  max: at("2035-01-01T00:00:00") / 60_000,
});

/** What clocks of a zone show, by the platform's own calendar. */
function clockOf(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(
    instant,
  );
}

test("the time of a zone is what its clocks show", () => {
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const shown = new Date(wallClockAt(minute * 60_000, zone)).toISOString().slice(0, 19).replace("T", " ");
      expect(shown).toBe(clockOf(minute * 60_000, zone));
    }),
    { numRuns: 500 },
  );
});

test("within an hour in which clocks are changed, each instant has the time that its clocks show", () => {
  // Lord Howe's clocks go back at 15:00 UTC, and forward in the middle of an hour of UTC.
  for (const changed of ["2026-10-03T15:30:00", "2026-04-04T15:00:00"].map(at)) {
    for (const minute of [-31, -1, 0, 1, -2, 29, -31]) {
      const instant = changed + minute * 60_000;
      const shown = new Date(wallClockAt(instant, "Australia/Lord_Howe")).toISOString().slice(0, 19);
      expect(shown.replace("T", " ")).toBe(clockOf(instant, "Australia/Lord_Howe"));
    }
  }
});

test("a minute that begins with a change of clocks has the time after it from its first millisecond on", () => {
  // Newfoundland changed its clocks at one minute past midnight.
  const changed = at("2006-10-29T02:31:00");
  for (const milliseconds of [-60_000, -1, 0, 1, 59_999, 60_000, -1]) {
    const instant = changed + milliseconds;
    const shown = new Date(wallClockAt(instant, "America/St_Johns")).toISOString().slice(0, 19);
    expect(shown.replace("T", " ")).toBe(clockOf(instant, "America/St_Johns"));
  }
});

test("zones are told apart in the same minute, and forgotten minutes are found again", () => {
  const begun = at("2026-07-04T12:00:00");
  for (let minute = 0; minute <= 2_000; minute++) {
    const instant = begun + (minute % 1_500) * 60_000;
    expect(wallClockAt(instant, copenhagen) - instant).toBe(7_200_000);
    expect(wallClockAt(instant, "Asia/Kathmandu") - instant).toBe(20_700_000);
  }
});

test("a wall clock leads back to its instant, except in the first pass of an hour that comes twice", () => {
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const instant = minute * 60_000;
      const back = instantOf(wallClockAt(instant, zone), zone);
      expect(clockOf(back, zone)).toBe(clockOf(instant, zone));
      expect(back).toBeGreaterThanOrEqual(instant);
    }),
    { numRuns: 500 },
  );
});

test("a wall clock in the hour that the end of summer time repeats is in its second pass", () => {
  expect(instantOf(at("2025-10-26T02:30:00"), copenhagen)).toBe(at("2025-10-26T01:30:00"));
});

test("the earliest instant of a wall clock is in the first pass of a repeated hour", () => {
  expect(earliestInstantOf(at("2025-10-26T02:30:00"), copenhagen)).toBe(at("2025-10-26T00:30:00"));
  expect(earliestInstantOf(at("2025-10-26T03:00:00"), copenhagen)).toBe(at("2025-10-26T02:00:00"));
  expect(earliestInstantOf(at("2025-03-30T02:30:00"), copenhagen)).toBe(at("2025-03-30T01:30:00"));
});

test("a wall clock in the hour that summer time skips is read with clocks put forward", () => {
  expect(instantOf(at("2025-03-30T02:30:00"), copenhagen)).toBe(at("2025-03-30T01:30:00"));
});

test("local midnight is right in summer and winter", () => {
  expect(instantOf(at("2025-06-23T00:00:00"), copenhagen)).toBe(at("2025-06-22T22:00:00"));
  expect(instantOf(at("2025-01-23T00:00:00"), copenhagen)).toBe(at("2025-01-22T23:00:00"));
});

test("whether an instant has come agrees with a plain comparison, near and far", () => {
  const distance = fc.oneof(
    fc.integer({ min: -40 * 60, max: 40 * 60 }),
    fc.integer({ min: -600_000, max: 600_000 }),
  );
  fc.assert(
    fc.property(zones, minutes, distance, (zone, minute, apart) => {
      const wallClock = minute * 60_000;
      const instant = wallClock + apart * 60_000;
      expect(hasCome(instant, wallClock, zone)).toBe(instant <= instantOf(wallClock, zone));
    }),
    { numRuns: 2_000 },
  );
});

test("a wall clock has come at its very instant, and not a second before", () => {
  const midnight = at("2025-06-22T22:00:00");
  expect(hasCome(midnight, at("2025-06-23T00:00:00"), copenhagen)).toBe(true);
  expect(hasCome(midnight, at("2025-06-22T23:59:59"), copenhagen)).toBe(false);
});

test("a day ends a millisecond before midnight", () => {
  expect(endOfDay(at("2025-06-22T00:00:00"))).toBe(at("2025-06-23T00:00:00") - 1);
  expect(endOfDay(at("2025-06-22T23:59:59"))).toBe(at("2025-06-23T00:00:00") - 1);
});

test("today is the day by the zone's clocks, not by UTC", () => {
  const now = at("2025-06-22T22:30:00"); // half past midnight of the 23rd in Copenhagen
  expect(isAfterToday(at("2025-06-23T23:59:59"), now, copenhagen)).toBe(false);
  expect(isAfterToday(at("2025-06-24T00:00:00"), now, copenhagen)).toBe(true);
  expect(isAfterToday(at("2025-06-23T00:30:00"), now, "UTC")).toBe(true);
});

test("whether a day is after today agrees with a plain comparison of days", () => {
  fc.assert(
    fc.property(zones, minutes, fc.integer({ min: -3_000, max: 3_000 }), (zone, minute, apart) => {
      const now = minute * 60_000;
      const wallClock = now + apart * 60_000;
      const day = new Date(wallClock).toISOString().slice(0, 10);
      expect(isAfterToday(wallClock, now, zone)).toBe(day > clockOf(now, zone).slice(0, 10));
    }),
    { numRuns: 500 },
  );
});
