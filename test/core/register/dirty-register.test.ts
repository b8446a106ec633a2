import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Club, CourseVersion, Hole } from "../../../core/golf/course.ts";
import { registerFindings } from "../../../core/register/register-findings.ts";
import { syncMirror } from "../../../core/register/sync.ts";
import { plenty, provideMirrors } from "./mirror-under-test.ts";
import { club, recordOf, version } from "./union-in-memory.ts";

const { mirror } = await provideMirrors();

const holes = (indexes: readonly (number | null)[]): Hole[] =>
  indexes.map((Index, place) => ({ Number: place + 1, Par: 4, Index, Length: 300 }));
const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** A version with one tee of the given holes. */
function withTee(number: number, Holes: Hole[]): CourseVersion {
  const tee = {
    Name: "Yellow",
    Gender: 2 as const,
    TotalLength: 300 * Holes.length,
    CourseRating: Holes.length === 9 ? "350000" : "700000",
    SlopeRating: 120,
    IsNineHole: Holes.length === 9,
    Holes,
  };
  return version(number, { Tees: [tee] as unknown as CourseVersion["Tees"] });
}

test.each<[string, CourseVersion, string[]]>([
  ["8 holes", withTee(1, holes(upTo(8))), ["tee Yellow: it has 8 holes, not 9 or 18"]],
  ["no tees", version(1), ["it has no tees"]],
  ["tees that are null", version(1, { Tees: null as unknown as [] }), ["it has no tees"]],
  [
    "no activation date",
    { ...withTee(1, holes(upTo(18))), ActivationDate: "soon" } as CourseVersion,
    ["it has no activation date"],
  ],
])("a course with %s is mirrored as it is, and its fault is reported", async (_, dirty, faults) => {
  const { dependencies, courses } = await mirror([club(1)], [dirty]);
  expect(await syncMirror(dependencies, "changes", plenty)).toMatchObject({ changedVersions: 1 });
  const mirrored = await courses.club(club(1).ID);
  expect(mirrored.map((one) => one.version)).toEqual([dirty]);
  expect(registerFindings(mirrored).map(({ finding }) => finding)).toEqual(faults);
});

test.each([
  ["18 holes", upTo(18)],
  ["9 holes, indexed 1 to 9", upTo(9)],
  ["9 holes, odd indexes only", upTo(9).map((place) => 2 * place - 1)],
  ["9 holes, even indexes only", upTo(9).map((place) => 2 * place)],
])("a course with %s is complete", (_, indexes) => {
  expect(registerFindings([recordOf(withTee(1, holes(indexes)))])).toEqual([]);
});

test("a version larger than an item of the table is mirrored with the others of its club", async () => {
  // Text that cannot be packed: 1.2 MB, three times what an item holds.
  const huge = version(1, { Story: randomBytes(900_000).toString("base64") } as Partial<CourseVersion>);
  const other = version(1, { ID: version(11).ID, TemplateID: version(11).TemplateID });
  const { dependencies, courses, clock } = await mirror([club(1)], [huge, other]);
  expect(await syncMirror(dependencies, "changes", plenty)).toMatchObject({ failed: 0, changedVersions: 2 });
  expect((await courses.version(huge.ID))?.version).toEqual(huge);
  expect((await courses.course(huge.TemplateID))[0]?.version).toEqual(huge);
  expect(await courses.club(club(1).ID)).toHaveLength(2);
  clock.now += 900_000;
  expect(await syncMirror(dependencies, "full", plenty)).toMatchObject({ failed: 0, changedVersions: 0 });
});

test("a club larger than an item of the table does not keep the others from being mirrored", async () => {
  const huge = club(1, { Logo: randomBytes(900_000).toString("base64") } as Partial<Club>);
  const { dependencies, courses } = await mirror([huge, club(2)], [version(1), version(2)]);
  expect(await syncMirror(dependencies, "changes", plenty)).toMatchObject({
    failed: 0,
    mirrored: 2,
    skippedEntries: 1,
    examples: {
      skipped: [{ club: "the list of clubs", count: 1, reason: expect.stringContaining("400 KB") }],
    },
  });
  expect(await dependencies.clubs.all()).toEqual([recordOf(club(2))]);
  expect(await courses.club(huge.ID)).toHaveLength(1);
});

test("a club whose UnionNumber is a text or missing is mirrored with its courses", async () => {
  const odd = club(1, { UnionNumber: "777" as unknown as number });
  const { UnionNumber: _, ...without } = club(2);
  const { dependencies, courses } = await mirror([odd, without as Club], [version(1), version(2)]);
  expect(await syncMirror(dependencies, "changes", plenty)).toMatchObject({ mirrored: 2, skippedEntries: 0 });
  expect(await dependencies.clubs.all()).toEqual([recordOf(odd), recordOf(without as Club)]);
  for (const { ID } of [odd, without]) expect(await courses.club(ID)).toHaveLength(1);
  expect(await courses.clubNumbers()).toEqual([777]);
});
