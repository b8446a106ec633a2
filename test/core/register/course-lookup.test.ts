import { expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { courseLookup, courseReferences } from "../../../core/register/course-lookup.ts";
import { club, recordOf, unionInMemory, version } from "./union-in-memory.ts";

const second = version(1, { ID: version(11).ID, Version: 2 });

/** A look-up over a mirror that holds the given versions, and a union that holds others. */
function lookup(
  mirrored: readonly CourseVersion[],
  atUnion = [version(2)],
  clubsOfUnion = [club(1), club(2)],
  goneIds: readonly string[] = [],
) {
  const union = unionInMemory(clubsOfUnion, atUnion);
  const reads: string[] = [];
  const kept = mirrored.map((one) => ({
    version: one,
    text: recordOf(one).text,
    clubs: goneIds.includes(one.ID) ? [] : [guidKey(one.ClubID)],
    changedAt: 0,
  }));
  const courses = courseLookup({
    courses: {
      async course(id) {
        reads.push(id);
        const named = kept.find(({ version: { ID } }) => ID === id);
        const templateId = named?.version.TemplateID ?? id;
        return kept.filter(({ version: { TemplateID } }) => TemplateID === templateId);
      },
      courseOfTee: async (teeId) =>
        kept.flatMap(({ version: { TemplateID, Tees } }) =>
          Tees.some(({ ID }) => ID === teeId) ? guidKey(TemplateID) : [],
        )[0],
      clubNumbers: async () => [1, 2],
    },
    clubs: { club: async (id) => [club(1), club(2)].map(recordOf).find((one) => one.id === id) },
    union: union.register,
    account: async () => ({ username: "", password: "", unionApiSet: "", token: "" }),
  });
  return { courses, reads, ...union };
}

/** A course as a card names it. */
const named = (courseId: string, clubId?: string) => ({
  courseId: guidKey(courseId),
  ...(clubId !== undefined && { clubId: guidKey(clubId) }),
});

const ids = (versions: readonly { ID: string }[] | undefined) => versions?.map(({ ID }) => ID);

test.each([
  ["a version's ID", version(1).ID],
  ["another version's ID", second.ID],
  ["the TemplateID", version(1).TemplateID],
])("by %s all versions of the course are found, with the club's name", async (_, id) => {
  const { courses } = lookup([version(1), second]);
  const reference = named(id);
  const found = (await courses.find([reference])).get(reference.courseId);
  expect(ids(found)).toEqual([version(1).ID, second.ID]);
  expect(found?.[0]?.ClubName).toBe("Club 1");
});

test("a version that the union no longer shows is found, but is not active any more", async () => {
  const { courses } = lookup([version(1), second], [], [], [second.ID]);
  const reference = named(version(1).TemplateID);
  const found = (await courses.find([reference])).get(reference.courseId);
  expect(found?.map(({ ID, IsActive }) => [ID, IsActive])).toEqual([
    [version(1).ID, true],
    [second.ID, false],
  ]);
});

test("a course is read once for many cards that ask at the same time, and kept", async () => {
  const { courses, reads } = lookup([version(1)]);
  const reference = named(version(1).ID);
  await Promise.all(Array.from({ length: 20 }, () => courses.find([reference])));
  await courses.find([reference]);
  expect(reads).toHaveLength(1);
});

test("a course that is not mirrored yet is fetched from the union once", async () => {
  const { courses, asked } = lookup([]);
  const reference = named(version(2).TemplateID, club(2).ID);
  const [found] = await Promise.all([courses.find([reference]), courses.find([reference])]);
  expect(ids(found.get(reference.courseId))).toEqual([version(2).ID]);
  await courses.find([reference]);
  expect(asked).toHaveLength(1);
});

test("a course that the union has not either is unknown, and not asked for with every card", async () => {
  const { courses, asked } = lookup([]);
  const reference = named(version(9).ID, club(2).ID);
  expect((await courses.find([reference])).size).toBe(0);
  await courses.find([reference]);
  expect(asked).toHaveLength(1);
});

test("a course cannot be called unknown while the union does not answer", async () => {
  const { courses, failing } = lookup([]);
  failing.add(club(2).ID);
  const reference = named(version(2).ID, club(2).ID);
  await expect(courses.find([reference])).rejects.toThrow("down");
  failing.clear();
  expect((await courses.find([reference])).size).toBe(1);
});

test("a wrong club sent by one vendor does not hide the course from the next", async () => {
  const { courses } = lookup([]);
  const courseId = version(2).TemplateID;
  expect((await courses.find([named(courseId, club(1).ID)])).size).toBe(0);
  expect((await courses.find([named(courseId, club(2).ID)])).size).toBe(1);
});

test("a wrong club of one card does not hide the course from another card of the submission", async () => {
  const { courses } = lookup([]);
  const naming = (ClubID: string) => ({ Course: { CourseID: version(2).TemplateID, ClubID } });
  const references = courseReferences([naming(club(1).ID), naming(club(2).ID)]);
  expect((await courses.find(references)).size).toBe(1);
});

test("a submission full of made-up clubs costs the union one request, for its list of clubs", async () => {
  const { courses, asked, listings } = lookup([]);
  const references = Array.from({ length: 200 }, (_, n) => named(version(1000 + n).ID, club(1000 + n).ID));
  expect((await courses.find(references)).size).toBe(0);
  expect((await courses.find(references)).size).toBe(0);
  expect([asked.length, listings.count]).toEqual([0, 1]);
});

test("a course of a club that was opened at the union a moment ago is found", async () => {
  const { courses } = lookup([], [version(3)], [club(1), club(2), club(3)]);
  const reference = named(version(3).ID, club(3).ID);
  expect(ids((await courses.find([reference])).get(reference.courseId))).toEqual([version(3).ID]);
});

test("many unknown courses of one club are asked for with one request", async () => {
  const { courses, asked } = lookup([]);
  const references = Array.from({ length: 50 }, (_, n) =>
    named(version(n === 0 ? 2 : 500 + n).ID, club(2).ID),
  );
  expect([...(await courses.find(references)).keys()]).toEqual([version(2).ID]);
  expect(asked).toHaveLength(1);
});

test("a tee finds all versions of its course, and one that no course has nothing, without asking the union", async () => {
  const teeId = guidKey("629bdeec-0000-4309-861e-08b072d9509a");
  const Tees = [{ ID: teeId }] as unknown as CourseVersion["Tees"];
  const { courses, asked, listings } = lookup([version(1, { Tees }), second]);
  const other = guidKey(version(7).ID);
  const found = await courses.find([{ teeId }, { teeId: other }]);
  expect([...found.keys()]).toEqual([teeId]);
  expect(ids(found.get(teeId))).toEqual([version(1).ID, second.ID]);
  expect([asked.length, listings.count]).toEqual([0, 0]);
});

test("a course comes with the clubs that list it, whichever its own ClubID is, mirrored or not", async () => {
  const { courses, register } = lookup([version(1)], []);
  const mirrored = named(version(1).ID);
  expect((await courses.find([mirrored])).get(mirrored.courseId)?.map(({ ListedBy }) => ListedBy)).toEqual([
    [club(1).ID],
  ]);
  register.courses = async () => ({ entries: [recordOf(version(3))], skipped: [] });
  const unmirrored = named(version(3).ID, club(2).ID);
  expect(
    (await courses.find([unmirrored])).get(unmirrored.courseId)?.map(({ ListedBy }) => ListedBy),
  ).toEqual([[club(2).ID]]);
});

test("the numbers of all clubs are known, and which of the clubs that are asked for is mirrored", async () => {
  const { courses } = lookup([]);
  const known = await courses.clubs([guidKey(club(2).ID), guidKey(club(9).ID)]);
  expect(known).toEqual({ numbers: new Set([1, 2]), ids: new Set([guidKey(club(2).ID)]) });
});

/** A course to look again for, with whatever else the card says. */
const refused = (key: string) => ({
  key,
  courseId: guidKey(version(1).TemplateID),
  clubId: guidKey(club(1).ID),
});

test("of a course that is mirrored, a version that the union has just added is found when it is looked for again", async () => {
  const { courses, asked } = lookup([version(1)], [version(1), second]);
  const { found, unsettled } = await courses.lookAgain([refused("a new tee")], performance.now());
  expect(ids(found.get(refused("").courseId))).toEqual([version(1).ID, second.ID]);
  expect([asked.length, unsettled.size]).toEqual([1, 0]);
});

test("the union is asked once a minute at most, and meanwhile says when it can be asked if the course is changing", async () => {
  const { courses, asked } = lookup([version(1)], [version(1), second]);
  await courses.lookAgain([refused("one")], performance.now());
  const later = await courses.lookAgain([refused("another"), refused("one")], performance.now());
  expect(asked).toHaveLength(1);
  expect([...later.unsettled.keys()]).toEqual(["another"]);
  expect(later.unsettled.get("another")).toBeGreaterThan(50);
  const quiet = lookup([version(1)], [version(1)]);
  for (const key of ["one", "another"])
    expect((await quiet.courses.lookAgain([refused(key)], performance.now())).unsettled.size).toBe(0);
});

test("a reference for which the union does not answer is told apart", async () => {
  const { courses, failing } = lookup([version(1)], [version(1)]);
  failing.add(guidKey(club(1).ID));
  const { found, unanswered } = await courses.lookAgain([refused("one")], performance.now());
  expect(unanswered).toEqual(new Set(["one"]));
  expect(ids(found.get(refused("").courseId))).toEqual([version(1).ID]);
});
