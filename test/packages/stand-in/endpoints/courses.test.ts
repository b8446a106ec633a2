import { describe, expect, test } from "vitest";
import type { UnionCourseVersion } from "../../../../packages/stand-in/register/records.ts";
import { ask, provideUnion } from "../start-union.ts";

const union = await provideUnion({ clubs: 40 });
/** A club with versions both active and inactive. */
const clubId = union.courses.find(({ IsActive }) => !IsActive)?.ClubID ?? "";

const versionsOf = (ofClub: string) => union.courses.filter(({ ClubID }) => ClubID === ofClub);
const list = async (query = "", ofClub = clubId): Promise<UnionCourseVersion[]> =>
  (await ask(union, `/acme/clubs/${ofClub}/courses${query}`)).body;

/** All versions of all clubs, as the endpoint gives them. */
async function everything(): Promise<UnionCourseVersion[]> {
  return (await Promise.all(union.clubs.map(({ ID }) => list("", ID)))).flat();
}

describe("a club's courses", () => {
  test("are listed version by version, past, present and future", async () => {
    expect(await list()).toEqual(versionsOf(clubId));
    const all = await everything();
    expect(all.some(({ ActivationDate }) => ActivationDate > "20260617T090000")).toBe(true);
    expect(all.some(({ IsActive }) => !IsActive)).toBe(true);
  });

  test("number their versions from 1, each with an ID of its own", async () => {
    const all = await everything();
    expect(new Set(all.map(({ ID }) => ID)).size).toBe(all.length);
    for (const versions of Map.groupBy(all, ({ TemplateID }) => TemplateID).values()) {
      expect(versions.map(({ Version }) => Version)).toEqual(versions.map((_, place) => place + 1));
    }
  });

  test("have tees with as many holes as the course, numbered from 1, and the sum of their lengths", async () => {
    for (const { Tees, NumberOfHoles } of await everything()) {
      for (const tee of Tees) {
        expect(tee.Holes).toHaveLength(NumberOfHoles);
        expect(tee.TotalLength).toBe(tee.Holes.reduce((sum, { Length }) => sum + Length, 0));
        expect(tee.IsNineHole).toBe(NumberOfHoles === 9);
        expect(tee.Holes.map(({ Number: number }) => number)).toEqual(tee.Holes.map((_, place) => place + 1));
      }
    }
  });

  test("have a Course Rating now as a number, now as a text", async () => {
    const ratings = (await everything()).flatMap(({ Tees }) => Tees.map(({ CourseRating }) => CourseRating));
    expect(new Set(ratings.map((rating) => typeof rating))).toEqual(new Set(["number", "string"]));
  });

  test("have a hole index that is null on courses without stroke indexes", async () => {
    const holes = (await everything()).flatMap(({ Tees }) => Tees.flatMap(({ Holes }) => Holes));
    expect(holes.some(({ Index }) => Index === null)).toBe(true);
    expect(holes.some(({ Index }) => Index !== null)).toBe(true);
  });

  test("are activated at local midnight, written in UTC", async () => {
    const hours = (await everything()).map(({ ActivationDate }) => ActivationDate.slice(9));
    expect(new Set(hours)).toEqual(new Set(["220000", "230000"]));
  });

  test("have versions that share an activation date", async () => {
    const groups = Map.groupBy(await everything(), ({ TemplateID }) => TemplateID);
    const dates = [...groups.values()].map((versions) => versions.map((one) => one.ActivationDate));
    expect(dates.some((ofCourse) => new Set(ofCourse).size < ofCourse.length)).toBe(true);
  });

  test("of a club that is none are 404", async () => {
    expect((await ask(union, `/acme/clubs/${crypto.randomUUID()}/courses`)).status).toBe(404);
  });
});

describe("the parameter", () => {
  test("active=1 returns active courses, active=0 inactive ones, anything else both", async () => {
    expect((await list("?active=1")).map(({ IsActive }) => IsActive)).not.toContain(false);
    expect((await list("?active=0")).map(({ IsActive }) => IsActive)).not.toContain(true);
    const [active, inactive] = [await list("?active=1"), await list("?active=0")];
    expect(active.length + inactive.length).toBe(versionsOf(clubId).length);
    expect(await list("?active=perhaps")).toEqual(versionsOf(clubId));
  });

  test("changedsince returns the courses that changed after that moment", async () => {
    const [version] = versionsOf(clubId);
    if (version === undefined) throw new Error("no version");
    expect(await list("?changedsince=20260617T085959")).toEqual([]);
    union.publish({ ...version, Name: "Renamed" });
    expect((await list("?changedsince=20260617T085959")).map(({ Name }) => Name)).toEqual(["Renamed"]);
    expect(await list("?changedsince=20260617T090000")).toEqual([]);
    expect(await list("?changedsince=19700101T000000")).toHaveLength(versionsOf(clubId).length);
  });

  test("changedsince that is no timestamp is broken syntax", async () => {
    expect((await ask(union, `/acme/clubs/${clubId}/courses?changedsince=yesterday`)).status).toBe(500);
  });

  test.each([
    "Name",
    "NumberOfHoles",
    "ActivationDate",
    "IsActive",
    "IsHcpQualifying",
    "IsVisible",
    "Version",
  ] as const)("sort takes %s, ascending and descending", async (name) => {
    const [up, down] = [await list(`?sort=${name}:0`), await list(`?sort=${name}:1`)];
    const values = up.map((version) => version[name]);
    const inOrder = values.toSorted((one, other) => (one === other ? 0 : one < other ? -1 : 1));
    if (name !== "Name") expect(values).toEqual(inOrder);
    expect(down.map((version) => version[name])).toEqual(values.toReversed());
    expect(values.toSorted()).toEqual(
      versionsOf(clubId)
        .map((version) => version[name])
        .toSorted(),
    );
  });

  test("sort takes several properties, the first counting most", async () => {
    const sorted = await list("?sort=IsActive:0,ActivationDate:1");
    const keys = sorted.map(({ IsActive, ActivationDate }) => [Number(IsActive), ActivationDate] as const);
    for (const [place, [active, date]] of keys.entries()) {
      const next = keys[place + 1];
      if (next === undefined) continue;
      expect(active).toBeLessThanOrEqual(next[0]);
      if (active === next[0]) expect(date >= next[1]).toBe(true);
    }
  });

  test.each([
    "Name",
    "Gender",
    "TotalLength",
    "CourseRating",
    "SlopeRating",
    "IsNineHole",
    "LastUpdateDate",
  ] as const)("sortTee takes %s", async (name) => {
    const figure = (value: unknown) => (Number.isNaN(Number(value)) ? String(value) : Number(value));
    for (const { Tees } of await list(`?sortTee=${name}:1`)) {
      const values = Tees.map((tee) => figure(tee[name]));
      expect(values).toEqual(values.toSorted((one, other) => (one === other ? 0 : one < other ? 1 : -1)));
    }
  });

  test("sort by what is no property changes nothing, as input is not validated", async () => {
    expect(await list("?sort=Colour:1")).toEqual(versionsOf(clubId));
  });

  test("excludeParams=tees empties the list of tees", async () => {
    for (const version of await list("?excludeParams=tees")) expect(version).toMatchObject({ Tees: [] });
  });

  test("names are taken in any case, and values that are names too", async () => {
    expect(await list("?ACTIVE=1&SORT=version:1&excludeparams=Tees")).toEqual(
      await list("?active=1&sort=Version:1&excludeParams=tees"),
    );
  });
});

describe("one course", () => {
  const one = async (ofClub: string, courseId: string, query = "") =>
    ask(union, `/acme/Clubs/${ofClub}/Courses/${courseId}${query}`);

  test("is found by the ID of a version", async () => {
    for (const version of versionsOf(clubId)) {
      expect((await one(clubId, version.ID)).body).toEqual(version);
    }
  });

  test("found by its TemplateID is the version to use today: active, activated, the latest", async () => {
    const today = "20260617T090000";
    for (const [template, versions] of Map.groupBy(union.courses, ({ TemplateID }) => TemplateID)) {
      const inForce = versions
        .filter(({ IsActive, ActivationDate }) => IsActive && ActivationDate <= today)
        .toSorted((a, b) =>
          a.ActivationDate === b.ActivationDate
            ? a.Version - b.Version
            : a.ActivationDate < b.ActivationDate
              ? -1
              : 1,
        )
        .at(-1);
      const answer = await one(versions[0]?.ClubID ?? "", template, "?excludeParams=tees");
      if (inForce !== undefined) expect(answer.body.ID).toBe(inForce.ID);
      else expect(versions.map(({ ID }) => ID)).toContain(answer.body.ID);
    }
  });

  test("takes the same parameters as the list", async () => {
    const inactive = versionsOf(clubId).find(({ IsActive }) => !IsActive);
    const answer = await one(clubId, inactive?.TemplateID ?? "", "?active=0&excludeParams=tees");
    expect([answer.body.ID, answer.body.Tees]).toEqual([inactive?.ID, []]);
  });

  test("of another club, or of none, is 404", async () => {
    const [version] = versionsOf(clubId);
    const other = union.clubs.find(({ ID }) => ID !== clubId)?.ID ?? "";
    expect((await one(other, version?.ID ?? "")).status).toBe(404);
    expect((await one(clubId, crypto.randomUUID())).status).toBe(404);
  });
});
