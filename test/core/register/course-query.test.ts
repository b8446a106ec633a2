import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CourseVersion, Tee } from "../../../core/golf/course.ts";
import {
  type ChangedVersion,
  type CourseQuery,
  courseProperties,
  readCourseQuery,
  selectCourses,
  teeProperties,
  withTees,
} from "../../../core/register/course-query.ts";

const zone = "Europe/Copenhagen";
function reading(query: string) {
  const byName = Map.groupBy(new URLSearchParams(query), ([name]) => name.toLowerCase());
  const values = Array.from(byName, ([name, pairs]) => [name, pairs.map(([, value]) => value)] as const);
  return readCourseQuery(new Map(values), zone);
}

function queryOf(query: string): CourseQuery {
  const read = reading(query);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.query;
}

const everything: CourseQuery = { sort: [], sortTees: [], withTees: true };

describe("a query", () => {
  test("of nothing asks for everything", () => {
    for (const query of ["", "active=&sort=&sortTee=&excludeParams=&changedsince=&inforce=", "colour=red"]) {
      expect(queryOf(query)).toEqual(everything);
    }
  });

  test("is read whole, whatever the case of its names", () => {
    const wanted = {
      active: true,
      changedSince: Date.parse("2025-06-01T10:00:00Z"),
      inForceAt: Date.parse("2025-06-01T10:00:00Z"),
      sort: [
        { property: "IsActive", descending: false },
        { property: "ActivationDate", descending: true },
      ],
      sortTees: [{ property: "LastUpdateDate", descending: true }],
      withTees: false,
    };
    expect(
      queryOf(
        "ACTIVE=1&ChangedSince=20250601T120000&InForce=20250601T120000&SORT=isactive:0,ACTIVATIONDATE:1&sorttee=lastUpdateDate:1&excludeparams=Tees",
      ),
    ).toEqual(wanted);
  });

  test("joins a parameter that is given twice", () => {
    expect(queryOf("sort=Name:0&sort=Version:1").sort).toEqual([
      { property: "Name", descending: false },
      { property: "Version", descending: true },
    ]);
    expect(queryOf("excludeParams=tees&excludeParams=tees").withTees).toBe(false);
  });

  test("has each property to sort by once, as it is named first", () => {
    const read = readCourseQuery(
      new Map([["sort", ["Name:1,Version:0,Name:0", "Version:1"]]]),
      "Europe/Copenhagen",
    );
    const sort = [
      { property: "Name", descending: true },
      { property: "Version", descending: false },
    ];
    expect(read).toMatchObject({ query: { sort } });
  });

  test("asks since the earliest of what its time can mean, in zones before and behind UTC", () => {
    const since = (timeZone: string, time = "20250115T120000") => {
      const read = readCourseQuery(new Map([["changedsince", [time]]]), timeZone);
      return "query" in read ? read.query.changedSince : undefined;
    };
    expect(since("Europe/Copenhagen")).toBe(Date.parse("2025-01-15T11:00:00Z"));
    expect(since("America/New_York")).toBe(Date.parse("2025-01-15T12:00:00Z"));
    // Clocks in Copenhagen show this twice: at 00:30 and at 01:30 by UTC.
    expect(since("Europe/Copenhagen", "20251026T023000")).toBe(Date.parse("2025-10-26T00:30:00Z"));
  });

  test.each([
    ["active=2", "active", "0 or 1"],
    ["active=yes", "active", "0 or 1"],
    ["active=constructor", "active", "0 or 1"],
    ["active=1&active=0", "active", "0 or 1"],
    ["changedsince=2025-01-01", "changedsince", "yyyymmddThhmmss"],
    ["changedsince=20250230T000000", "changedsince", "real date"],
    ["inforce=now", "inforce", "yyyymmddThhmmss"],
    ["sort=Colour:0", "sort", courseProperties.join(", ")],
    ["sort=Name", "sort", "0 (ascending) or 1 (descending)"],
    ["sort=Name:2", "sort", "0 (ascending) or 1 (descending)"],
    ["sort=Name:0:1", "sort", "PropName:Direction"],
    ["sort=Name:0,", "sort", "PropName:Direction"],
    ["sortTee=Version:0", "sortTee", teeProperties.join(", ")],
    ["excludeParams=holes", "excludeParams", "tees"],
    ["excludeParams=tees,holes", "excludeParams", "tees"],
  ])("of %s is told what is allowed", (query, parameter, allowed) => {
    const read = reading(query);
    expect(read).toMatchObject({ faults: [{ parameter, detail: expect.stringContaining(allowed) }] });
  });

  test("is told of every value that is not allowed", () => {
    const read = reading("active=2&sort=x&sortTee=y&changedsince=z&inforce=z&excludeParams=w");
    expect("faults" in read && read.faults.map(({ parameter }) => parameter).sort()).toEqual(
      ["active", "changedsince", "excludeParams", "inforce", "sort", "sortTee"].sort(),
    );
  });
});

const tee = (change: Partial<Tee>): Tee => ({
  Name: "Yellow",
  Gender: 2,
  TotalLength: 6000,
  CourseRating: "710000",
  SlopeRating: 125,
  IsNineHole: false,
  Holes: [],
  ...change,
});
let made = 0;
const version = (change: Partial<CourseVersion> = {}, changedAt = 1000): ChangedVersion => {
  const number = String(++made).padStart(12, "0");
  const course = {
    ID: `00000000-0000-0000-0000-${number}`,
    TemplateID: "CA1636A2-0000-4078-AD38-D7F8BD23D76C",
    ClubID: "7AABAF90-0000-4552-889B-553D5CE75FC6",
    Name: "Skoven",
    NumberOfHoles: 18,
    ActivationDate: "20250331T220000",
    IsActive: true,
    IsHcpQualifying: true,
    IsVisible: true,
    Version: 1,
    Tees: [tee({})],
    ...change,
  };
  return { text: JSON.stringify(course), version: course as CourseVersion, changedAt };
};
const select = (query: string, versions: readonly ChangedVersion[]): CourseVersion[] =>
  selectCourses(queryOf(query), versions).map((one) => JSON.parse(withTees(queryOf(query), one)));

describe("the selection", () => {
  test("takes what changed after a moment, and not at it", () => {
    const moment = Date.parse("2025-06-01T10:00:00Z");
    const versions = [version({ Version: 1 }, moment), version({ Version: 2 }, moment + 1)];
    expect(select("changedsince=20250601T120000", versions).map(({ Version }) => Version)).toEqual([2]);
  });

  test("takes what was in force at a moment, by all versions and not those selected alone", () => {
    const versions = [
      version({ Version: 1, ActivationDate: "20240331T220000" }, 5000),
      version({ Version: 2, ActivationDate: "20250331T220000" }, 1000),
      version({ Version: 3, ActivationDate: "29990331T220000" }, 5000),
    ];
    const numbers = (query: string) => select(query, versions).map(({ Version }) => Version);
    expect(numbers("inforce=20250401T000000")).toEqual([2]);
    expect(numbers("inforce=20250331T235959")).toEqual([1]);
    expect(numbers("inforce=20250401T000000&changedsince=19700101T010002")).toEqual([]);
    expect(numbers("inforce=20200101T000000")).toEqual([]);
  });

  test("orders tees by rating whether it is a number or a text, and by when they were updated", () => {
    const tees = [
      tee({ Name: "a", CourseRating: "710000", LastUpdateDate: "20250101T000000" }),
      tee({ Name: "b", CourseRating: 95000, LastUpdateDate: "20230101T000000" }),
      tee({ Name: "c", CourseRating: "690000" }),
    ];
    const names = (sortTee: string) =>
      select(`sortTee=${sortTee}`, [version({ Tees: tees })])[0]
        ?.Tees.map(({ Name }) => Name)
        .join("");
    expect(names("CourseRating:0")).toBe("bca");
    expect(names("CourseRating:1")).toBe("acb");
    expect(names("LastUpdateDate:0")).toBe("cba");
    expect(names("LastUpdateDate:1")).toBe("abc");
    expect(tees.map(({ Name }) => Name).join("")).toBe("abc");
  });

  test("keeps what the document does not name, and leaves out no more than the tees where asked", () => {
    const known = version({ Pro: "Shop" } as object);
    expect(select("", [known])[0]).toEqual(known.version);
    expect(select("excludeParams=tees", [known])[0]).toEqual({ ...known.version, Tees: [] });
  });

  test("of a dirty register still is one", () => {
    const dirty = [
      version({ Tees: null } as object),
      version({ Name: null, Version: 2, Tees: [null, tee({})] } as object),
    ];
    expect(select("sort=Name:0,NumberOfHoles:1", dirty)).toHaveLength(2);
    expect(select("sort=IsActive:1&excludeParams=tees", dirty)).toHaveLength(2);
    expect(select("sortTee=TotalLength:1,Name:0", dirty)).toHaveLength(2);
  });
});

test("all that is not asked to be changed is answered as the union wrote it", () => {
  const tees = ['{"Name":"b", "Par":1.50}', '{"Name":"a","\\u0050ar":1e400}'];
  const others = '"Number":12345678901234567890,"Zero":-0,"__proto__":{"a":1},"Tricky":"]},\\"Tees\\":[\\\\"';
  const known = version({ Tees: [tee({ Name: "b" }), tee({ Name: "a" })] });
  const sent = { ...known, text: ` {${others},"T\\u0065es" : [${tees.join(" , ")}], "Last":[1,{"a":[]}]}` };
  const answer = (query: string) => withTees(queryOf(query), sent);
  expect(answer("")).toBe(sent.text);
  expect(answer("excludeParams=tees")).toBe(`{${others},"Tees":[],"Last":[1,{"a":[]}]}`);
  expect(answer("sortTee=Name:0")).toBe(
    `{${others},"Tees":[${tees.toReversed().join()}],"Last":[1,{"a":[]}]}`,
  );
  expect(withTees(queryOf("excludeParams=tees"), { ...sent, text: "{ }" })).toBe('{"Tees":[]}');
});

test("any order of a list gives the same order of its keys, and the opposite direction the opposite", () => {
  const name = fc.oneof(fc.constantFrom("9", "10", "1a", "9a", "", "Å", "a"), fc.string({ maxLength: 3 }));
  const anyVersion = fc.record({ Name: name, Version: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(fc.array(anyVersion, { maxLength: 12 }), (changes) => {
      const versions = changes.map((change) => version(change));
      const keys = (query: string, list: readonly ChangedVersion[]) =>
        select(query, list).map(({ Name, Version }) => `${Name} ${Version}`);
      const sorted = keys("sort=Name:0,Version:0", versions);
      expect(keys("sort=Name:0,Version:0", versions.toReversed())).toEqual(sorted);
      expect(keys("sort=Name:1,Version:1", versions)).toEqual(sorted.toReversed());
    }),
    { seed: 1 },
  );
});
