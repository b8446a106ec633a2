import type { UnionClub, UnionCourseVersion, UnionMember } from "@scorecard-pipeline/stand-in";
import { describe, expect, test } from "vitest";
import { courseProperties } from "../../core/register/course-query.ts";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);
const vendor = pipeline.vendor(0);
const { clubs, courses: all, members } = pipeline.standIn;
const coursesOf = ({ ID }: UnionClub) => all.filter(({ ClubID }) => ClubID === ID);
/** A club whose courses have tees that differ, and all its course versions as the union has them. */
const club = clubs.toSorted((one, other) => coursesOf(other).length - coursesOf(one).length)[0] as UnionClub;
const courses = coursesOf(club);
const member = members.find(({ Memberships }) => Memberships.length > 1) as UnionMember;

const ask = async (path: string) => {
  const { status, body } = await vendor.ask("GET", path);
  expect(status).toBe(200);
  return body;
};
const coursesBy = (query: string): Promise<UnionCourseVersion[]> => ask(`clubs/${club.ID}/courses?${query}`);
const ids = (versions: readonly UnionCourseVersion[]) => versions.map(({ ID }) => ID);
const sorted = (values: readonly string[]) => values.toSorted();

describe("the endpoint", () => {
  test.each(["Clubs", "clubs"])("GET %s lists all clubs", async (path) => {
    expect(sorted(ids(await ask(path)))).toEqual(sorted(ids(pipeline.standIn.clubs as never)));
  });

  test.each(["Clubs", "clubs"])("GET %s/<club_id> is one club", async (path) => {
    expect(await ask(`${path}/${club.ID}`)).toEqual(club);
    expect(await ask(`${path}/${club.ID.toLowerCase()}`)).toEqual(club);
  });

  test.each(["clubs", "Clubs"])(
    "GET %s/<club_id>/courses lists the course versions of a club",
    async (path) => {
      expect(sorted(ids(await ask(`${path}/${club.ID}/courses`)))).toEqual(sorted(ids(courses)));
    },
  );

  test("GET clubs/<club_id>/courses/<course_id> takes the ID of a version and a TemplateID", async () => {
    for (const { ID, TemplateID } of courses) {
      expect((await ask(`clubs/${club.ID}/courses/${ID}`)).ID).toBe(ID);
      expect((await ask(`clubs/${club.ID}/courses/${TemplateID}`)).TemplateID).toBe(TemplateID);
    }
  });

  test("GET Clubs/Golfer finds a member by lifetimeID, by unionID, and by both after a second question mark", async () => {
    const lifetimeID = `lifetimeID=${member.LifeTimeID}`;
    const unionID = `unionID=${member.Memberships[0]?.UnionID}`;
    for (const query of [lifetimeID, unionID, `${lifetimeID}&${unionID}`, `${lifetimeID}?${unionID}`]) {
      expect((await ask(`Clubs/Golfer?${query}`)).ID).toBe(member.ID);
    }
  });
});

describe("the parameter", () => {
  test("changedsince returns what changed after that moment", async () => {
    expect(sorted(ids(await coursesBy("changedsince=20000101T000000")))).toEqual(sorted(ids(courses)));
    expect(await coursesBy("changedsince=29991231T235959")).toEqual([]);
  });

  test.each([0, 1])("active=%i returns what is so by IsActive", async (active) => {
    const wanted = courses.filter(({ IsActive }) => IsActive === (active === 1));
    expect(sorted(ids(await coursesBy(`active=${active}`)))).toEqual(sorted(ids(wanted)));
  });

  test.each(courseProperties)("sort takes %s in both directions", async (property) => {
    const values = (versions: readonly UnionCourseVersion[]) => versions.map((version) => version[property]);
    const ascending = values(await coursesBy(`sort=${property}:0`));
    expect(ascending).toEqual(values(courses).toSorted(byValue));
    expect(values(await coursesBy(`sort=${property}:1`))).toEqual(ascending.toReversed());
  });

  test("excludeParams=tees leaves the tees out", async () => {
    for (const { Tees } of await coursesBy("excludeParams=tees")) expect(Tees).toEqual([]);
  });
});

test("a course that is not there, and an ID longer than any key, is 404", async () => {
  const long = "x".repeat(2049);
  const course = `clubs/${club.ID}/courses/${crypto.randomUUID()}`;
  for (const path of [course, `Clubs/${long}`, `clubs/${long}/courses`, `clubs/${club.ID}/courses/${long}`])
    expect((await vendor.ask("GET", path)).status).toBe(404);
});

/** Numbers by value, also those sent as text; texts by their characters; false before true. */
function byValue(one: unknown, other: unknown): number {
  const numeric = [one, other].every((value) => value !== "" && !Number.isNaN(Number(value)));
  const [first, second] = numeric ? [Number(one), Number(other)] : [String(one), String(other)];
  return first < second ? -1 : Number(first > second);
}
