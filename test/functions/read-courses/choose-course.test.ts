import { expect, test } from "vitest";
import type { CourseVersion } from "../../../core/golf/course.ts";
import type { ChangedVersion, CourseQuery } from "../../../core/register/course-query.ts";
import { chooseCourse } from "../../../functions/read-courses/choose-course.ts";

const templateId = "CA1636A2-0000-4078-AD38-D7F8BD23D76C";
const now = new Date("2025-06-22T12:00:00Z");
const everything: CourseQuery = { sort: [], sortTees: [], withTees: true };

const version = (Version: number, change: Partial<CourseVersion> = {}): ChangedVersion => ({
  text: "",
  version: {
    ID: `00000000-0000-0000-0000-00000000000${Version}`,
    TemplateID: templateId,
    ClubID: "7AABAF90-0000-4552-889B-553D5CE75FC6",
    Name: "Skoven",
    NumberOfHoles: 18,
    ActivationDate: `202${Version}0331T220000` as CourseVersion["ActivationDate"],
    IsActive: true,
    IsHcpQualifying: true,
    IsVisible: true,
    Version,
    Tees: [],
    ...change,
  } as CourseVersion,
  changedAt: 1000 * Version,
});
const other = version(9, {
  TemplateID: "CA1636A2-0000-4078-AD38-D7F8BD23D76D" as CourseVersion["TemplateID"],
});
const chosen = (id: string, versions: readonly ChangedVersion[], query: Partial<CourseQuery> = {}) =>
  chooseCourse({ ...everything, ...query }, [...versions, other], id, now)?.version.Version;

const three = [version(3), version(4), version(6)];

test("by a TemplateID it is the version in force today, in any case of the ID", () => {
  expect(chosen(templateId, three)).toBe(4);
  expect(chosen(templateId.toLowerCase(), three)).toBe(4);
});

test("where none is in force it is the newest", () => {
  expect(chosen(templateId, [version(6), version(7)])).toBe(7);
  expect(chosen(templateId, [version(3, { IsActive: false }), version(2, { IsActive: false })])).toBe(3);
});

test("by the ID of a version it is that version, in force or not", () => {
  for (const { version: one } of three) {
    expect(chosen(one.ID.toLowerCase(), three)).toBe(one.Version);
  }
});

test("among those that the query asks for", () => {
  const some = [version(3, { IsActive: false }), version(4), version(6)];
  expect(chosen(templateId, some, { active: false })).toBe(3);
  expect(chosen(templateId, some, { inForceAt: Date.parse("2026-06-01") })).toBe(6);
  expect(chosen(templateId, some, { changedSince: 5000 })).toBe(6);
  expect(chosen(templateId, some, { changedSince: 9000 })).toBeUndefined();
});

test("by the ID of a version and a day it is the version of the course that was in force on that day", () => {
  const inForceAt = Date.parse("2025-06-01");
  expect(chosen("00000000-0000-0000-0000-000000000004", three, { inForceAt })).toBe(4);
  expect(chosen("00000000-0000-0000-0000-000000000003", three, { inForceAt })).toBe(4);
});

test("an ID that the club has not names nothing", () => {
  expect(chosen("nothing", three)).toBeUndefined();
});
