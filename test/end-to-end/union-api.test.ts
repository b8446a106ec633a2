import type {
  UnionClub,
  UnionCourseVersion,
  UnionHole,
  UnionMember,
  UnionTee,
} from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answeredFields, sortProperties } from "../documentation/fields.ts";
import { type Pipeline, sharedPipeline, type Vendor } from "./pipeline.ts";

let pipeline: Pipeline;
let vendor: Vendor;
/** A club whose courses have tees that differ, and all its course versions as the union has them. */
let club: UnionClub;
let courses: UnionCourseVersion[];
let member: UnionMember;

beforeAll(async () => {
  pipeline = await sharedPipeline();
  vendor = pipeline.vendor(0);
  const { clubs, courses: all, members } = pipeline.standIn;
  const coursesOf = ({ ID }: UnionClub) => all.filter(({ ClubID }) => ClubID === ID);
  club = clubs.toSorted((one, other) => coursesOf(other).length - coursesOf(one).length)[0] as UnionClub;
  courses = coursesOf(club);
  member = members.find(({ Memberships }) => Memberships.length > 1) as UnionMember;
});
afterAll(() => pipeline.stop());

const ask = async (path: string) => {
  const { status, body } = await vendor.ask("GET", path);
  expect(status).toBe(200);
  return body;
};
const coursesBy = (query: string): Promise<UnionCourseVersion[]> => ask(`clubs/${club.ID}/courses?${query}`);
const byId = <Entry extends { ID: string }>(entries: readonly Entry[]) =>
  new Map(entries.map((entry) => [entry.ID, entry]));
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

describe("a club", () => {
  test.each(answeredFields.Club)("has %s as the union gives it", async (field) => {
    const answered = byId<UnionClub>(await ask("Clubs"));
    for (const known of pipeline.standIn.clubs) {
      expect(answered.get(known.ID)?.[field as keyof UnionClub]).toEqual(known[field as keyof UnionClub]);
    }
  });
});

describe("a course", () => {
  test.each(answeredFields.Course)("has %s as the union gives it", async (field) => {
    const answered = byId<UnionCourseVersion>(await coursesBy(""));
    for (const known of courses) expect(answered.get(known.ID)).toHaveProperty(field, known[field as "Name"]);
  });
});

describe("a tee", () => {
  const tees = (versions: readonly UnionCourseVersion[]) =>
    versions.toSorted((one, other) => (one.ID < other.ID ? -1 : 1)).flatMap(({ Tees }) => Tees);

  test.each(answeredFields.Tee)("has %s as the union gives it", async (field) => {
    const [answered, known] = [tees(await coursesBy("")), tees(courses)];
    expect(answered.map((tee) => tee[field as keyof UnionTee])).toEqual(
      known.map((tee) => tee[field as keyof UnionTee]),
    );
    expect(known.some((tee) => field in tee)).toBe(true);
  });

  test.each(answeredFields.Hole)("has %s of each hole as the union gives it", async (field) => {
    const valuesOf = (all: readonly UnionTee[]) =>
      all.flatMap(({ Holes }) => Holes.map((hole) => hole[field as keyof UnionHole]));
    const known = valuesOf(tees(courses));
    expect(valuesOf(tees(await coursesBy("")))).toEqual(known);
    expect(known.some((value) => value !== undefined)).toBe(true);
  });
});

describe("a member", () => {
  test.each(answeredFields.Member)("has %s as the union gives it", async (field) => {
    const answered = await ask(`Clubs/Golfer?lifetimeID=${member.LifeTimeID}`);
    expect(answered).toHaveProperty(field, member[field as keyof UnionMember]);
  });

  test.each(answeredFields.Membership)("has %s of each membership as the union gives it", async (field) => {
    const answered: UnionMember = await ask(`Clubs/Golfer?lifetimeID=${member.LifeTimeID}`);
    const valuesOf = ({ Memberships }: UnionMember) =>
      Memberships.map((membership) => (membership as unknown as Readonly<Record<string, unknown>>)[field]);
    expect(valuesOf(answered)).toEqual(valuesOf(member));
    expect(valuesOf(member)).toHaveLength(2);
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

  test.each(sortProperties.sort)("sort takes %s in both directions", async (property) => {
    const values = (versions: readonly UnionCourseVersion[]) =>
      versions.map((version) => version[property as keyof UnionCourseVersion]);
    const ascending = values(await coursesBy(`sort=${property}:0`));
    const descending = values(await coursesBy(`sort=${property}:1`));
    expect(ascending).toEqual(values(courses).toSorted(byValue));
    expect(descending).toEqual(ascending.toReversed());
  });

  test.each(sortProperties.sortTee)("sortTee takes %s in both directions", async (property) => {
    const values = ({ Tees }: UnionCourseVersion) =>
      Tees.map((tee) => (tee as unknown as Readonly<Record<string, unknown>>)[property]);
    const known = byId(courses);
    for (const version of await coursesBy(`sortTee=${property}:0`)) {
      expect(values(version)).toEqual(values(known.get(version.ID) as UnionCourseVersion).toSorted(byValue));
    }
    for (const version of await coursesBy(`sorttee=${property}:1`)) {
      const wanted = values(known.get(version.ID) as UnionCourseVersion).toSorted(byValue);
      expect(values(version)).toEqual(wanted.toReversed());
    }
  });

  test("sort takes several properties, with commas between", async () => {
    const answered = await coursesBy("sort=IsActive:0,ActivationDate:1");
    const wanted = courses.toSorted(
      (one, other) =>
        byValue(one.IsActive, other.IsActive) || byValue(other.ActivationDate, one.ActivationDate),
    );
    const keys = (versions: readonly UnionCourseVersion[]) =>
      versions.map(({ IsActive, ActivationDate }) => `${IsActive} ${ActivationDate}`);
    expect(keys(answered)).toEqual(keys(wanted));
  });

  test("excludeParams=tees leaves the tees out", async () => {
    for (const { Tees } of await coursesBy("excludeParams=tees")) expect(Tees).toEqual([]);
  });

  test.each(["active=2", "sort=Colour:0", "sortTee=Name:2", "changedsince=yesterday", "excludeParams=holes"])(
    "%s is refused with what is allowed",
    async (query) => {
      const { status, body } = await vendor.ask("GET", `clubs/${club.ID}/courses?${query}`);
      expect(status).toBe(400);
      expect(body.parameters).toHaveLength(1);
      expect(body.parameters[0].parameter).toBe(query.split("=")[0]);
    },
  );
});

describe("what is not there", () => {
  const nobody = "00000000-0000-4000-8000-000000000000";

  test.each([`Clubs/${nobody}`, `clubs/${nobody}/courses`, `clubs/${nobody}/courses/${nobody}`, "Clubs/x"])(
    "%s is 404",
    async (path) => {
      expect((await vendor.ask("GET", path)).status).toBe(404);
    },
  );

  test("an ID longer than any key is 404", async () => {
    const long = "x".repeat(2049);
    for (const path of [`Clubs/${long}`, `clubs/${long}/courses`, `clubs/${club.ID}/courses/${long}`])
      expect((await vendor.ask("GET", path)).status).toBe(404);
  });
});

/** Numbers by value, also those sent as text; texts by their characters; false before true. */
function byValue(one: unknown, other: unknown): number {
  const numeric = [one, other].every((value) => value !== "" && !Number.isNaN(Number(value)));
  const [first, second] = numeric ? [Number(one), Number(other)] : [String(one), String(other)];
  return first < second ? -1 : Number(first > second);
}
