import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import {
  documentedClub,
  documentedCourseVersion,
  documentedHole,
  documentedTee,
} from "../../../core/golf/documented-course.ts";
import { documentedMember, documentedMembership } from "../../../core/union/documented-member.ts";

/** Of a field: values that must be kept as they are, and values that must be refused. */
interface Field {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  /** The object may be without it. */
  readonly optional?: true;
}

const id = "7a59ca0a-525b-4884-8161-94572c2de3a2";
const guid: Field = { good: [id, id.toUpperCase()], bad: ["", "7a59ca0a", `{${id}}`, 7, null] };
const text: Field = { good: ["", "Søhøjlandet"], bad: [7, null, true, {}, []] };
const nullableText: Field = { good: ["", "Bagsværd", null], bad: [7, true, {}, []], optional: true };
const yes: Field = { good: [true, false], bad: ["true", 1, null] };
const time: Field = {
  good: ["20250531T220000", "20240229T235959"],
  bad: ["20250230T120000", "2025-05-31T22:00:00", "20250531", "", 20250531, null],
};
const count: Field = { good: [0, 18], bad: [-1, 1.5, "18", null, 1e20] };
const counted: Field = { good: [1, 18], bad: [0, -1, 1.5, "18", null] };
const tenThousandths: Field = {
  good: ["718000", 718000, "-21000", 0],
  bad: ["71.8", 71.8, "", "high", null, true],
};
const oneOf = (values: readonly unknown[], others: readonly unknown[]): Field => ({
  good: values,
  bad: [...others, null],
});
const optional = (field: Field): Field => ({ ...field, optional: true });

const hole = { Name: null, Number: 1, Par: 4, Index: 7, Length: 352, IdealTime: 14 };
const tee = {
  ID: id,
  Name: "Yellow",
  Gender: 2,
  TotalLength: 6109,
  CourseRating: 718000,
  SlopeRating: 119,
  IsNineHole: false,
  Holes: [hole],
};
const club = { ID: id, UnionNumber: 1016, Name: "Søhøjlandet Golfklub", ShortName: "SHG" };
const membershipClub = { ...club };
const membership = {
  ID: id,
  IsHomeClub: true,
  LocalRightToPlay: true,
  Type: 1,
  UnionID: "1016-1",
  Club: membershipClub,
  HomeClub: membershipClub,
};

/** Every table of union-api but Scorecard's: an object that is good, and what its fields may be. */
const tables: Readonly<
  Record<string, { schema: z.ZodMiniType; object: object; fields: Readonly<Record<string, Field>> }>
> = {
  Club: {
    schema: documentedClub,
    object: club,
    fields: {
      ID: guid,
      UnionNumber: count,
      Name: text,
      ShortName: { good: ["", "SHG", "TSTA"], bad: ["Søhøj", 7, null] },
      AddressLine1: nullableText,
      AddressLine2: nullableText,
      StreetNumber: nullableText,
      Floor: nullableText,
      Side: nullableText,
      ZipCode: nullableText,
      City: nullableText,
      PrimaryPhone: nullableText,
      PrimaryEmail: nullableText,
      Homepage: nullableText,
    },
  },
  Course: {
    schema: documentedCourseVersion,
    object: {
      TemplateID: id,
      ClubID: id,
      Name: "Sø-banen",
      NumberOfHoles: 18,
      ActivationDate: "20250531T220000",
      IsActive: true,
      IsHcpQualifying: true,
      IsVisible: true,
      Version: 1,
      ID: id,
      Tees: [tee],
    },
    fields: {
      TemplateID: guid,
      ClubID: guid,
      Name: text,
      NumberOfHoles: count,
      ActivationDate: time,
      IsActive: yes,
      IsHcpQualifying: yes,
      IsVisible: yes,
      Version: count,
      ID: guid,
      Tees: { good: [[], [tee]], bad: [null, {}, "x"] },
      ExternalID: nullableText,
      RatedCourse: nullableText,
      Created: { ...optional(time), good: [...time.good, null], bad: time.bad.filter((bad) => bad !== null) },
    },
  },
  Tee: {
    schema: documentedTee,
    object: tee,
    fields: {
      ID: optional(guid),
      Name: text,
      Gender: oneOf([1, 2], [0, 3, "1", "Male"]),
      TotalLength: count,
      CourseRating: tenThousandths,
      SlopeRating: count,
      IsNineHole: yes,
      Holes: { good: [[], [hole]], bad: [null, {}, "x"] },
    },
  },
  Hole: {
    schema: documentedHole,
    object: hole,
    fields: {
      Name: nullableText,
      Number: counted,
      Par: counted,
      Index: { good: [1, 18, null], bad: [0, "7", 1.5] },
      Length: count,
      IdealTime: { good: [0, 14, null], bad: [-1, "14", 1.5], optional: true },
    },
  },
  Member: {
    schema: documentedMember,
    object: {
      ID: id,
      LifeTimeID: "160575-026",
      FirstName: "Karen",
      LastName: "Player",
      Gender: "Female",
      BirthDate: "19750516T000000",
      RightToPlay: true,
      Status: 1,
      Handicap: "125000",
      HandicapStatus: 3,
      Memberships: [membership],
    },
    fields: {
      ID: guid,
      LifeTimeID: { good: ["160575-026", "160575000026"], bad: ["160575026", "", 160575026, null] },
      FirstName: text,
      LastName: text,
      Gender: oneOf(["Male", "Female"], ["male", 1, ""]),
      BirthDate: time,
      RightToPlay: yes,
      Status: oneOf([1, 2], [0, 3, "1"]),
      Handicap: tenThousandths,
      HandicapStatus: oneOf([1, 2, 3, 4, 5, 6, 8, 9], [0, 7, 10, true, "3"]),
      Memberships: { good: [[], [membership]], bad: [null, {}, "x"] },
      PlayerStatus: { good: [0, 1], bad: ["1", 1.5], optional: true },
      Email: nullableText,
      HandicapDato: { ...optional(time), good: [...time.good, null], bad: ["20250230T120000", ""] },
    },
  },
  Membership: {
    schema: documentedMembership,
    object: membership,
    fields: {
      ID: guid,
      IsHomeClub: yes,
      LocalRightToPlay: yes,
      Type: oneOf([1, 2, 3, 4, 5, 6, 7], [0, 8, "1"]),
      UnionID: { good: ["1016-1", "7-12345"], bad: ["1016", "-1", "1016/1", "", 1016, null] },
      Club: { good: [membershipClub], bad: [null, "x", {}] },
      HomeClub: { good: [membershipClub], bad: [null, "x", {}] },
    },
  },
};

const name = (value: unknown) => JSON.stringify(value)?.slice(0, 40);

/** JSON pointers of the wrong values. */
function wrong(schema: z.ZodMiniType, object: unknown): string[] {
  const { error } = schema.safeParse(object);
  return (error?.issues ?? []).map(({ path }) => `/${path.join("/")}`);
}

describe.each(Object.entries(tables))("%s", (_table, { schema, object, fields }) => {
  describe.each(Object.entries(fields))("%s", (field, { good, bad, optional: mayBeLeftOut }) => {
    test.each(good.map((value) => [name(value), value]))("is kept as it was sent: %s", (_name, value) => {
      expect(schema.parse({ ...object, [field]: value })).toEqual({ ...object, [field]: value });
    });

    test.each(bad.map((value) => [name(value), value]))(
      "is refused, with its pointer: %s",
      (_name, value) => {
        const pointers = wrong(schema, { ...object, [field]: value });
        expect(pointers.length).toBeGreaterThan(0);
        for (const pointer of pointers) expect(pointer.split("/")[1]).toBe(field);
      },
    );

    test(mayBeLeftOut ? "may be left out" : "may not be left out", () => {
      const { [field]: _, ...without } = object as Record<string, unknown>;
      expect(wrong(schema, without)).toEqual(mayBeLeftOut ? [] : [`/${field}`]);
    });
  });

  test("is kept with fields that the union's document does not name", () => {
    const more = { ...object, BogeyRating: "986000" };
    expect(schema.parse(more)).toEqual(more);
  });

  test("has no other fields than these", () => {
    expect(Object.keys((schema as z.ZodMiniObject).shape).sort()).toEqual(Object.keys(fields).sort());
  });
});
