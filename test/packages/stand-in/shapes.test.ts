import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import type { CourseVersion } from "../../../core/golf/course.ts";
import {
  documentedClub,
  documentedCourseVersion,
  documentedHole,
  documentedTee,
} from "../../../core/golf/documented-course.ts";
import {
  documentedMember,
  documentedMembership,
  documentedMembershipClub,
} from "../../../core/union/documented-member.ts";
import type { UnionMember } from "../../../packages/stand-in/register/records.ts";
import { smallestCard } from "../../../unions/conformance/smallest-card.ts";
import { ask, playedCourse, post, provideUnion } from "./start-union.ts";

const union = await provideUnion({ clubs: 40, members: 500 });

const timestamp = /^\d{8}T\d{6}$/;

/** Expects that a thing is as the union's document says, that its GUIDs are in upper case, and that it has these other fields only. */
function expectDocumented(schema: z.ZodMiniObject, value: object, others: readonly string[]): void {
  expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  expect(Object.keys(value).sort()).toEqual([...Object.keys(schema.shape), ...others].sort());
  for (const [name, text] of Object.entries(value)) {
    if (/^(ID|TemplateID|ClubID)$/.test(name)) expect(text).toBe(String(text).toUpperCase());
    if (/^(LastUpdateDate|RatedOn)$/.test(name)) expect(text).toMatch(timestamp);
  }
}

function expectMember(member: UnionMember): void {
  expectDocumented(documentedMember, member, []);
  for (const membership of member.Memberships) {
    expectDocumented(documentedMembership, membership, []);
    for (const club of [membership.Club, membership.HomeClub])
      expectDocumented(documentedMembershipClub, club, ["Union"]);
  }
}

describe("every field of the document, and those it names in passing, with its type", () => {
  test("of a club", async () => {
    const clubs = (await ask(union, "/acme/Clubs")).body as object[];
    expect(clubs).toHaveLength(40);
    for (const club of clubs) expectDocumented(documentedClub, club, ["Union"]);
  });

  test("of a course version, its tees and their holes", async () => {
    for (const { ID } of union.clubs) {
      const courses = (await ask(union, `/acme/Clubs/${ID}/Courses`)).body as CourseVersion[];
      expect(courses).not.toEqual([]);
      for (const course of courses) {
        expectDocumented(documentedCourseVersion, course, []);
        for (const { Holes, ...tee } of course.Tees) {
          expectDocumented(documentedTee, { ...tee, Holes }, ["BogeyRating", "RatedOn", "LastUpdateDate"]);
          for (const hole of Holes) expectDocumented(documentedHole, hole, ["ID", "LastUpdateDate"]);
        }
      }
    }
  });

  test("of a member and its memberships", async () => {
    for (const { LifeTimeID } of union.members.slice(0, 100)) {
      expectMember((await ask(union, `/acme/Clubs/Golfer?lifetimeID=${LifeTimeID}`)).body as UnionMember);
    }
    expect(union.members).toHaveLength(500);
    for (const member of union.members) expectMember(member);
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
