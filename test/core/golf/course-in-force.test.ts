import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CourseVersion } from "../../../core/golf/course.ts";
import {
  courseInForce,
  coursesInForce,
  latestFirst,
  versionForRound,
} from "../../../core/golf/course-versions.ts";
import { day, minute } from "../../durations.ts";
import { version } from "../register/union-in-memory.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const compact = (instant: number) =>
  new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, "") as CourseVersion["ActivationDate"];

/** Moments, as the clocks of a zone show them and in UTC, around which rounds are played and courses activated. */
const moments = [
  // Clocks are put back: an hour, or half of one, is shown twice.
  { zone: "Europe/Copenhagen", wall: at("2025-10-26T02:30:00"), instant: at("2025-10-26T01:00:00") },
  { zone: "America/St_Johns", wall: at("2025-11-02T01:30:00"), instant: at("2025-11-02T04:30:00") },
  { zone: "Australia/Lord_Howe", wall: at("2025-04-06T01:45:00"), instant: at("2025-04-05T15:00:00") },
  // Clocks are put forward: as much is never shown.
  { zone: "Europe/Copenhagen", wall: at("2025-03-30T02:30:00"), instant: at("2025-03-30T01:00:00") },
  { zone: "Australia/Lord_Howe", wall: at("2025-10-05T02:15:00"), instant: at("2025-10-04T15:30:00") },
  // Midnight, far from UTC on either side and in summer and winter.
  { zone: "Europe/Copenhagen", wall: at("2025-07-02T00:00:00"), instant: at("2025-07-01T22:00:00") },
  { zone: "Europe/Copenhagen", wall: at("2026-01-01T00:00:00"), instant: at("2025-12-31T23:00:00") },
  { zone: "Pacific/Kiritimati", wall: at("2025-07-02T00:00:00"), instant: at("2025-07-01T10:00:00") },
  { zone: "Pacific/Niue", wall: at("2025-07-02T00:00:00"), instant: at("2025-07-02T11:00:00") },
  { zone: "UTC", wall: at("2025-07-02T00:00:00"), instant: at("2025-07-02T00:00:00") },
];

const near = (time: number, hours: number) =>
  fc.integer({ min: -hours * 4, max: hours * 4 }).map((quarters) => time + quarters * 15 * minute);

/** Versions of two courses; dates and numbers are few, so that many tie. */
const versionsNear = (time: number) =>
  fc
    .array(
      fc.record({
        course: fc.constantFrom(1, 2),
        activation: fc.oneof(
          near(time, 2),
          near(time, 2),
          near(time, 30),
          fc.constantFrom(time - 90 * day, time - 30 * day, time + 30 * day),
        ),
        Version: fc.integer({ min: 1, max: 4 }),
        IsActive: fc.boolean(),
      }),
      { maxLength: 8 },
    )
    .map((drafts) =>
      drafts.map(({ course, activation, ...given }, place) =>
        version(course, {
          ...given,
          ID: version(100 + place).ID,
          ActivationDate: compact(activation),
        } as Partial<CourseVersion>),
      ),
    );

const cases = fc.constantFrom(...moments).chain(({ zone, wall, instant }) =>
  fc.record({
    zone: fc.constant(zone),
    /** What the clocks of the zone show at the start of a round. */
    clock: near(wall, 2),
    now: near(instant, 2),
    versions: versionsNear(instant),
  }),
);

const ofCourse = (versions: readonly CourseVersion[], course: number) =>
  versions.filter(({ TemplateID }) => TemplateID === version(course).TemplateID);

/**
 * The rule in plain words: of the candidates the one with the latest ActivationDate, and of several with that date the one
 * with the highest Version.
 */
function latestOf(versions: readonly CourseVersion[]): CourseVersion[] {
  return versions.filter((one) =>
    versions.every(
      (other) =>
        other.ActivationDate < one.ActivationDate ||
        (other.ActivationDate === one.ActivationDate && Number(other.Version) <= Number(one.Version)),
    ),
  );
}

/** Instants at which clocks of a zone show a wall clock, by the platform's own calendar. */
function instantsShowing(wallClock: number, timeZone: string): number[] {
  const calendar = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const wanted = new Date(wallClock).toISOString().slice(0, 19).replace("T", " ");
  const candidates = Array.from({ length: 121 }, (_, quarter) => wallClock + (quarter - 60) * 15 * minute);
  return candidates.filter((instant) => calendar.format(instant) === wanted);
}

/** The last instant at which clocks show it; of an hour that is skipped, as if clocks were not put forward yet. */
function latestShowing(wallClock: number, timeZone: string): number {
  const shown = instantsShowing(wallClock, timeZone);
  if (shown.length > 0) return Math.max(...shown);
  const dayBefore = Math.max(...instantsShowing(wallClock - day, timeZone));
  return dayBefore + day;
}

describe("the course to use on a given day", () => {
  test("is of the active versions the one with the latest ActivationDate that is not in the future", () => {
    fc.assert(
      fc.property(cases, ({ versions, now }) => {
        for (const course of [1, 2]) {
          const mine = ofCourse(versions, course);
          const expected = latestOf(
            mine.filter(({ IsActive, ActivationDate }) => IsActive && ActivationDate <= compact(now)),
          );
          const chosen = courseInForce(mine, new Date(now));
          if (expected.length === 0) expect(chosen).toBeUndefined();
          else expect(expected).toContain(chosen);
        }
      }),
      { numRuns: 600 },
    );
  });

  test("is chosen for each course by itself", () => {
    fc.assert(
      fc.property(cases, ({ versions, now }) => {
        const each = [1, 2].flatMap(
          (course) => courseInForce(ofCourse(versions, course), new Date(now)) ?? [],
        );
        const all = coursesInForce(versions, new Date(now));
        expect(new Set(all)).toEqual(new Set(each));
        expect(all).toHaveLength(each.length);
      }),
      { seed: 7 },
    );
  });
});

describe("the course that a round was played on", () => {
  test("is the one in force when clocks of the union showed its start, then an inactive one, then one of that day", () => {
    fc.assert(
      fc.property(cases, ({ versions, clock, zone }) => {
        const mine = ofCourse(versions, 1);
        const start = compact(latestShowing(clock, zone));
        const endOfDay = Math.floor(clock / day) * day + day - 15 * minute;
        const midnight = compact(latestShowing(endOfDay, zone) + 15 * minute - 1);
        const begun = mine.filter(({ ActivationDate }) => ActivationDate <= start);
        const active = begun.filter(({ IsActive }) => IsActive);
        const thatDay = mine.filter(({ ActivationDate }) => ActivationDate <= midnight);
        const [chosen, among] =
          active.length > 0
            ? ["in_force", active]
            : begun.length > 0
              ? ["inactive", begun]
              : ["later_that_day", thatDay];
        const round = versionForRound(latestFirst(mine), clock, zone);
        if (among.length === 0) expect(round).toBeUndefined();
        else {
          expect(round?.chosen).toBe(chosen);
          expect(latestOf(among)).toContain(round?.version);
        }
      }),
      { numRuns: 600 },
    );
  });

  test.each([
    ["02:59, the first time or the second", "20251026T025900", "20251026T015800", "in_force"],
    ["01:59, before the hour is repeated", "20251026T015900", "20251026T003000", "later_that_day"],
    ["03:00, after the repeated hour", "20251026T030000", "20251026T020000", "in_force"],
    ["02:30 of the hour that is skipped", "20250330T023000", "20250330T012900", "in_force"],
  ])("in Denmark at %s, counts what had been activated by then", (_, start, activation, chosen) => {
    const wallClock = Date.parse(start.replace(/(....)(..)(..)T(..)(..)(..)/, "$1-$2-$3T$4:$5:$6Z"));
    const one = version(1, { ActivationDate: activation as CourseVersion["ActivationDate"] });
    expect(versionForRound([one], wallClock, "Europe/Copenhagen")?.chosen).toBe(chosen);
  });
});
