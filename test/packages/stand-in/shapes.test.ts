import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { StandIn } from "../../../packages/stand-in/stand-in.ts";
import { smallestCard } from "../../../unions/conformance/smallest-card.ts";
import { ask, playedCourse, post, startUnion } from "./start-union.ts";

let union: StandIn;
beforeAll(async () => {
  union = await startUnion({ clubs: 40, members: 500 });
});
afterAll(() => union.stop());

const guid = z.guid().uppercase();
const text = z.string();
const nullable = z.string().nullable();
const timestamp = z.string().regex(/^\d{8}T\d{6}$/);
/** A value times 10,000, as a number or a text. */
const carried = z.union([z.int(), z.string().regex(/^-?\d+$/)]);

const club = z.strictObject({
  ID: guid,
  UnionNumber: z.int(),
  Name: text.regex(/\S/),
  ShortName: text.regex(/^\p{Lu}{0,4}$/u),
  AddressLine1: nullable,
  AddressLine2: nullable,
  StreetNumber: nullable,
  Floor: nullable,
  Side: nullable,
  ZipCode: nullable,
  City: nullable,
  PrimaryPhone: nullable,
  PrimaryEmail: nullable,
  Homepage: nullable,
  Union: z.literal(1),
});

const hole = z.strictObject({
  ID: guid,
  Name: nullable,
  Number: z.int(),
  Par: z.literal([3, 4, 5]),
  Index: z.int().nullable(),
  Length: z.int(),
  IdealTime: z.int().nullable(),
  LastUpdateDate: timestamp,
});

const tee = z.strictObject({
  ID: guid,
  Name: text.min(1),
  Gender: z.literal([1, 2]),
  TotalLength: z.int(),
  CourseRating: carried.refine((rating) => Number(rating) % 1_000 === 0),
  BogeyRating: z.number(),
  SlopeRating: z.int().min(55).max(155),
  IsNineHole: z.boolean(),
  RatedOn: timestamp,
  LastUpdateDate: timestamp,
  Holes: z.array(hole).min(1),
});

const course = z.strictObject({
  ID: guid,
  TemplateID: guid,
  ClubID: guid,
  ExternalID: nullable,
  Name: text.min(1),
  NumberOfHoles: z.literal([9, 18]),
  ActivationDate: timestamp,
  IsActive: z.boolean(),
  IsHcpQualifying: z.boolean(),
  IsVisible: z.boolean(),
  Version: z.int().min(1),
  RatedCourse: text,
  Created: timestamp,
  Tees: z.array(tee).min(1),
});

const membershipClub = z.strictObject({
  ID: guid,
  Name: text,
  ShortName: text,
  UnionNumber: z.int(),
  Union: z.int(),
});

const member = z.strictObject({
  ID: guid,
  LifeTimeID: text.regex(/^\d{6}-\d{3}$/),
  FirstName: text.min(1),
  LastName: text.min(1),
  Gender: z.literal(["Male", "Female"]),
  BirthDate: timestamp,
  Email: text.endsWith(".example"),
  RightToPlay: z.boolean(),
  Status: z.literal([1, 2]),
  PlayerStatus: z.int(),
  Handicap: z.string().regex(/^-?\d+$/),
  HandicapStatus: z.literal([1, 2, 3, 4, 5, 6, 8, 9]),
  HandicapDato: timestamp,
  Memberships: z
    .array(
      z.strictObject({
        ID: guid,
        IsHomeClub: z.boolean(),
        LocalRightToPlay: z.boolean(),
        Type: z.literal([1, 2, 3, 4, 5, 6, 7]),
        UnionID: text.regex(/^\d+-\d+$/),
        Club: membershipClub,
        HomeClub: membershipClub,
      }),
    )
    .min(1),
});

describe("every field of the document, and those it names in passing, with its type", () => {
  test("of a club", async () => {
    z.array(club)
      .length(40)
      .parse((await ask(union, "/acme/Clubs")).body);
  });

  test("of a course version, its tees and their holes", async () => {
    for (const { ID } of union.clubs) {
      z.array(course)
        .min(1)
        .parse((await ask(union, `/acme/Clubs/${ID}/Courses`)).body);
    }
  });

  test("of a member and its memberships", async () => {
    for (const { LifeTimeID } of union.members.slice(0, 100)) {
      member.parse((await ask(union, `/acme/Clubs/Golfer?lifetimeID=${LifeTimeID}`)).body);
    }
    z.array(member).length(500).parse(union.members);
  });
});

test("no two things have the same GUID", () => {
  const ids = [
    ...union.clubs.map(({ ID }) => ID),
    ...union.courses.map(({ ID }) => ID),
    ...new Set(union.courses.map(({ TemplateID }) => TemplateID)),
    ...union.members.map(({ ID }) => ID),
    ...union.members.flatMap(({ Memberships }) => Memberships.map(({ ID }) => ID)),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test("a card with every field of the document is taken as the smallest is, and counts as much", async () => {
  const version = playedCourse(union);
  const [played] = version.Tees;
  const [player, marker] = union.members;
  if (played === undefined || player === undefined || marker === undefined) {
    throw new Error("The register lacks something.");
  }
  const Strokes = played.Holes.map(({ Par }) => Par + 1);
  const numbers = ({ LifeTimeID, Memberships }: typeof player) => ({
    LifeTimeID,
    UnionID: Memberships[0]?.UnionID ?? "",
  });
  const minimal = smallestCard({
    externalId: "minimal",
    course: { CourseID: version.ID, ClubID: version.ClubID, TeeID: played.ID },
    handicapIndex: "158000",
    courseHandicap: 18,
    player: numbers(player).UnionID,
    marker: { FullName: "A Marker", ...numbers(marker) },
    strokes: Strokes,
    startTime: "20260610T090000",
    createdAt: "20260610T140000",
  });
  const full = {
    ...minimal,
    ID: crypto.randomUUID(),
    ExternalID: "full",
    HCP: 158_000,
    PHCP: 17,
    Comment: "",
    Course: {
      ...minimal.Course,
      ExternalID: "local",
      ClubName: "The club",
      Name: version.Name,
      Country: "DK",
      TeeName: played.Name,
      TeePar: played.Holes.reduce((sum, { Par }) => sum + Par, 0),
      TeeRating: String(played.CourseRating),
      TeeSlope: played.SlopeRating,
      Holes: played.Holes.map(({ Number: number, Par, Index, Length }) => ({
        ...{ Number: number, Par, Index, Length },
        SPH: 1,
      })),
    },
    Round: { ...minimal.Round, RoundType: 2, TournamentName: "The Sample Open", TournamentRoundNumber: 1 },
    Result: {
      Points: Strokes.map(() => 2),
      Strokes,
      TotalPoints: 36,
      TotalStrokes: Strokes.reduce((sum, strokes) => sum + strokes, 0),
      NetDoubleBogeyGross: 90,
      IsQualifying: true,
    },
    Player: { FullName: "A Player", HomeClubName: "The club", HomeClubCountry: "DK", ...numbers(player) },
    Marker: { HomeClubName: "The club", ...minimal.Marker },
  };
  expect((await post(union, [full, minimal])).body).toEqual([full, minimal]);
  await union.process();
  const differentials = union.playerRecord(numbers(player).UnionID).map(({ differential }) => differential);
  expect(differentials).toHaveLength(2);
  expect(differentials[0]).toBe(differentials[1]);
});
