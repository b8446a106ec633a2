import { expect, onTestFinished, test, vi } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { reassessRefused } from "../../../core/cards/reassess-refused.ts";
import { assessmentContext } from "../../../core/cards/submit.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { courseLookup } from "../../../core/register/course-lookup.ts";
import { minimalCard } from "../golf/sample-cards.ts";
import { tee, yellowId } from "../golf/sample-courses.ts";
import { club, recordOf, unionInMemory, version } from "./union-in-memory.ts";

const second = version(1, { ID: version(11).ID, Version: 2 });

/** A look-up over a mirror that holds the given versions, and a union that holds others. */
function lookup(
  mirrored: readonly CourseVersion[],
  atUnion = [version(2)],
  clubsOfUnion = [club(1), club(2)],
  mirroredClubs = [club(1), club(2)],
) {
  const union = unionInMemory(clubsOfUnion, atUnion);
  const reads: string[] = [];
  const kept = mirrored.map((one) => ({
    version: one,
    text: recordOf(one).text,
    changedAt: 0,
    clubs: [guidKey(one.ClubID)],
  }));
  const courses = courseLookup({
    courses: {
      async course(id) {
        reads.push(id);
        const named = kept.find(({ version: { ID } }) => ID === id);
        const templateId = named?.version.TemplateID ?? id;
        return kept.filter(({ version: { TemplateID } }) => TemplateID === templateId);
      },
      coursesOfTee: async (teeId) =>
        kept.flatMap(({ version: { TemplateID, Tees } }) =>
          Tees.some(({ ID }) => ID === teeId) ? guidKey(TemplateID) : [],
        ),
      club: async (clubId) => kept.filter(({ clubs }) => clubs.includes(guidKey(clubId))),
      clubNumbers: async () => [1, 2],
    },
    clubs: { club: async (id) => mirroredClubs.map(recordOf).find((one) => one.id === id) },
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

type Named = ReturnType<typeof named>;

const ids = (versions: readonly { ID: string }[] | undefined) => versions?.map(({ ID }) => ID);

test("a course is read once for many cards that ask at the same time, and kept", async () => {
  const { courses, reads } = lookup([version(1)]);
  const reference = named(version(1).ID);
  await Promise.all(Array.from({ length: 20 }, () => courses.find([reference])));
  await courses.find([reference]);
  expect(reads).toHaveLength(1);
});

/** Looks again for courses as cards name them that are about to be refused. */
async function lookAgain(
  { courses }: ReturnType<typeof lookup>,
  references: readonly ReturnType<typeof named>[],
) {
  const all = references.map((reference) => ({ key: JSON.stringify(reference), ...reference }));
  const { found, unanswered } = await courses.lookAgain(all, performance.now());
  return { found: [...found.values()].map(ids), unanswered: unanswered.size };
}

test("a course that is not mirrored yet is fetched from the union once, for all cards that name its club", async () => {
  const looked = lookup([]);
  const reference = named(version(2).TemplateID, club(2).ID);
  const many = Array.from({ length: 50 }, (_, n) => named(version(500 + n).ID, club(2).ID));
  const found = { found: [[version(2).ID]], unanswered: 0 };
  const both = [lookAgain(looked, [reference, ...many]), lookAgain(looked, [reference])];
  expect(await Promise.all(both)).toEqual([found, found]);
  expect(await lookAgain(looked, [reference])).toEqual(found);
  expect(looked.asked).toHaveLength(1);
});

test("a course that the union has not either is unknown, and not asked for with every card", async () => {
  const looked = lookup([]);
  const reference = named(version(9).ID, club(2).ID);
  for (let time = 0; time < 2; time++) expect((await lookAgain(looked, [reference])).found).toEqual([]);
  expect(looked.asked).toHaveLength(1);
});

test("a course cannot be called unknown while the union does not answer", async () => {
  const looked = lookup([]);
  looked.failing.add(club(2).ID);
  const reference = named(version(2).ID, club(2).ID);
  expect(await lookAgain(looked, [reference])).toEqual({ found: [], unanswered: 1 });
  looked.failing.clear();
  expect(await lookAgain(looked, [reference])).toEqual({ found: [[version(2).ID]], unanswered: 0 });
});

test("a wrong club of one card does not hide the course from another card", async () => {
  const looked = lookup([]);
  const [wrong, right] = [club(1).ID, club(2).ID].map((id) => named(version(2).TemplateID, id)) as [
    Named,
    Named,
  ];
  expect((await lookAgain(looked, [wrong])).found).toEqual([]);
  expect((await lookAgain(looked, [wrong, right])).found).toEqual([[version(2).ID]]);
});

test("a submission full of made-up clubs costs the union one request, for its list of clubs", async () => {
  const looked = lookup([]);
  const references = Array.from({ length: 200 }, (_, n) => named(version(1000 + n).ID, club(1000 + n).ID));
  for (let time = 0; time < 2; time++) expect((await lookAgain(looked, references)).found).toEqual([]);
  expect([looked.asked.length, looked.listings.count]).toEqual([0, 1]);
});

test("a course of a club that was opened at the union a moment ago is found", async () => {
  const looked = lookup([], [version(3)], [club(1), club(2), club(3)]);
  expect((await lookAgain(looked, [named(version(3).ID, club(3).ID)])).found).toEqual([[version(3).ID]]);
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

test("a course that is not mirrored yet comes with the club that lists it, whichever its own ClubID is", async () => {
  const { courses, register } = lookup([version(1)], []);
  register.courses = async () => ({ entries: [recordOf(version(3))], skipped: [] });
  const unmirrored = { key: "", ...named(version(3).ID, club(2).ID) };
  const { found } = await courses.lookAgain([unmirrored], performance.now());
  expect(found.get(unmirrored.courseId)?.map(({ ListedBy }) => ListedBy)).toEqual([[club(2).ID]]);
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

test("a version that the union has just added to a mirrored course is found, and the club is asked again only after ten seconds, for the same card after a minute", async () => {
  const { courses, asked } = lookup([version(1)], [version(1), second]);
  const { now } = performance;
  let late = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + late);
  onTestFinished(() => clock.mockRestore());
  const look = async (key: string, seconds: number) => {
    late = 1000 * seconds;
    const { found } = await courses.lookAgain([refused(key)], performance.now());
    return [ids(found.get(refused("").courseId)), asked.length];
  };
  const both = [version(1).ID, second.ID];
  expect(await look("a new tee", 0)).toEqual([both, 1]);
  expect(await look("another", 9)).toEqual([both, 1]);
  // The cache reads the clock once in a millisecond.
  await expect.poll(() => look("a third", 11)).toEqual([both, 2]);
  await expect.poll(() => look("a new tee", 22)).toEqual([both, 3]);
  expect(await look("a new tee", 61)).toEqual([both, 3]);
  await expect.poll(() => look("a new tee", 83)).toEqual([both, 4]);
});

test("a card waits at most ten minutes for a union that does not answer for its club", async () => {
  const { courses, failing } = lookup([version(1)], [version(1)]);
  failing.add(guidKey(club(1).ID));
  const now = performance.now();
  const look = async (minutes: number) => {
    const { found, unanswered } = await courses.lookAgain([refused("one")], now + minutes * 60_000);
    expect(ids(found.get(refused("").courseId))).toEqual([version(1).ID]);
    return unanswered.size;
  };
  expect([await look(0), await look(9), await look(10), await look(11)]).toEqual([1, 1, 0, 0]);
});

/** 500 cards on the courses of 100 clubs: of each two good ones, two with a wrong rating and one with an unknown club. */
function cardsOfManyClubs(clubs: readonly ReturnType<typeof club>[], wrongRating: string) {
  return clubs.flatMap((_, place) => {
    const { ID, ClubID } = version(place + 1);
    const card = (Course: object, number: number) =>
      minimalCard({
        ExternalID: `${place}-${number}`,
        Course: { CourseID: ID, ClubID, TeeID: yellowId, ...Course },
      });
    const wrong = { TeeRating: wrongRating };
    return [{}, {}, wrong, wrong, { ClubID: club(place + 1000).ID }].map(card);
  });
}

test.each([
  ["at once", 0, 100],
  ["late", 250, 36],
])(
  "500 cards of 100 clubs whose ratings change are answered for good by the first request, if the union answers %s",
  async (_, delay, maxAsked) => {
    const clubs = Array.from({ length: 100 }, (__, place) => club(place + 1));
    const rated = (CourseRating: number) =>
      clubs.map((__, place) => version(place + 1, { Tees: [tee({ CourseRating })] }));
    const { courses, asked, register } = lookup(rated(718000), rated(719000), clubs, clubs);
    const { now } = performance;
    let late = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + late);
    const ofUnion = register.courses;
    register.courses = (...request) => {
      late += delay;
      return ofUnion(...request);
    };
    const union = { timeZone: "Europe/Copenhagen", country: "DK", highestHandicapIndex: 72 };
    const given = { courses, now: () => new Date("2025-07-01T12:00:00Z"), ...union };
    for (const wrongRating of ["700000", "701000"]) {
      const cards = cardsOfManyClubs(clubs, wrongRating);
      const begunAt = performance.now();
      const context = await assessmentContext("green" as ApiSet, cards, given);
      const first = assessSubmission(cards, context);
      const { assessments: answers } = await reassessRefused(cards, first, context, courses, begunAt);
      const codes = answers.map((one) => (one.good ? "good" : one.faults.map(({ code }) => code).join()));
      const ofClub = ["good", "good", "tee_rating_mismatch", "tee_rating_mismatch", "club_mismatch"];
      expect(codes).toEqual(clubs.flatMap(() => ofClub));
    }
    expect(asked.length).toBeLessThanOrEqual(2 * maxAsked);
    clock.mockRestore();
  },
);
