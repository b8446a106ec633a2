import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isTimestamp,
  type Timestamp,
  timestampOf,
  timestampSchema,
  wallClock,
} from "../../../core/formats/union-time.ts";

const seconds = fc.integer({
  min: Date.UTC(1000, 0, 1) / 1000,
  max: Date.UTC(9999, 11, 31, 23, 59, 59) / 1000,
});

test("a timestamp is any second of the calendar, and reads back as what was written", () => {
  fc.assert(
    fc.property(seconds, (second) => {
      const text = timestampOf(second * 1000);
      expect(isTimestamp(text)).toBe(true);
      expect(wallClock(text)).toBe(second * 1000);
    }),
  );
});

test("a timestamp is only what the calendar has", () => {
  const twoDigits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, "0"));
  const parts = fc.tuple(
    fc.constantFrom("1900", "2000", "2023", "2024"),
    twoDigits,
    twoDigits,
    twoDigits,
    twoDigits,
  );
  fc.assert(
    fc.property(parts, ([year, month, day, hour, minute]) => {
      const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:07Z`);
      const real =
        !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}T${hour}`);
      expect(isTimestamp(`${year}${month}${day}T${hour}${minute}07`)).toBe(real);
    }),
    { numRuns: 5_000 },
  );
});

test.each(["20240229T000000", "20000229T235959", "00010101T000000", "20251231T235959"])(
  "a timestamp may be %s",
  (text) => {
    expect(isTimestamp(text)).toBe(true);
  },
);

test.each([
  ["29 February of a year that has none", "20230229T120000"],
  ["29 February of 1900", "19000229T120000"],
  ["31 April", "20250431T120000"],
  ["day 0", "20250400T120000"],
  ["month 0", "20250010T120000"],
  ["month 13", "20251310T120000"],
  ["24 o'clock", "20250101T240000"],
  ["minute 60", "20250101T126000"],
  ["second 60", "20250101T120060"],
  ["year 0", "00000101T120000"],
  ["a date without its time", "20250101"],
  ["an ISO date", "2025-01-01T12:00:00"],
  ["a space for the T", "20250101 120000"],
  ["a small t", "20250101t120000"],
  ["a zone at the end", "20250101T120000Z"],
  ["a letter for a digit", "2025O101T120000"],
  ["a sign", "-0250101T120000"],
  ["something before it", "x20250101T120000"],
  ["nothing", ""],
])("a timestamp is not %s", (_what, text) => {
  expect(isTimestamp(text)).toBe(false);
  expect(timestampSchema.safeParse(text).success).toBe(false);
});

test("a timestamp keeps the years before 100 apart from those of the last century", () => {
  expect(wallClock("00500301T000000" as Timestamp)).toBe(Date.parse("0050-03-01T00:00:00Z"));
});
