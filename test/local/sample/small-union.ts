import type { TournamentOptions } from "../../../local/sample/tournament.ts";
import type {
  SampleClub,
  SampleCourseVersion,
  SampleMember,
  SampleTee,
} from "../../../local/sample/union-types.ts";

const guid = (kind: string, number: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, "0")}`;
const pars = [4, 4, 3, 5, 4, 4, 3, 4, 5, 4, 5, 3, 4, 4, 4, 3, 5, 4];
const indexes = [7, 1, 15, 11, 3, 13, 17, 5, 9, 8, 12, 18, 2, 14, 6, 16, 10, 4];

/** A tee of 18 holes. */
export function tee(number: number, given: Partial<SampleTee> = {}): SampleTee {
  return {
    ID: guid("e", number),
    Name: "Yellow",
    Gender: 2,
    CourseRating: 714_000,
    SlopeRating: 127,
    Holes: pars.map((Par, hole) => ({ Number: hole + 1, Par, Index: indexes[hole] ?? 0, Length: 100 * Par })),
    ...given,
  };
}

/** A version of a course, of a club of its own. */
export function version(course: number, given: Partial<SampleCourseVersion> = {}): SampleCourseVersion {
  const number = course * 10 + (given.Version ?? 1);
  return {
    ID: guid("c", number),
    TemplateID: guid("d", course),
    ClubID: guid("b", course),
    Name: `Course ${course}`,
    ActivationDate: "20250331T220000",
    IsActive: true,
    IsHcpQualifying: true,
    Version: 1,
    Tees: [tee(course * 10 + 1), tee(course * 10 + 2, { Gender: 1, CourseRating: "731000" })],
    ...given,
  };
}

/** Clubs with a course each. */
const clubs: readonly SampleClub[] = Array.from({ length: 6 }, (_, number) => ({
  ID: guid("b", number),
  Name: `Club ${number}`,
}));

/** Course 3 got a new version lately, course 4 has nine holes, course 5 nobody can play yet. */
export const courses: readonly SampleCourseVersion[] = [
  version(0),
  version(1, { IsActive: false }),
  version(1, { Version: 2, ActivationDate: "20260314T230000" }),
  version(2),
  version(3),
  version(3, { Version: 2, ActivationDate: "20260601T220000" }),
  version(4, { Tees: [tee(41, { Holes: tee(41).Holes.slice(0, 9) })] }),
  version(5, { ActivationDate: "20990331T220000" }),
];

/** Plus players and beginners among them. */
export const members: readonly SampleMember[] = Array.from({ length: 160 }, (_, number) => ({
  LifeTimeID: `0101${String(50 + (number % 40))}-${String(number + 1).padStart(3, "0")}`,
  FirstName: "Player",
  LastName: `Number ${number}`,
  Gender: number % 3 === 0 ? "Female" : "Male",
  Handicap: String((number * 4 - 30) * 1_000),
  Memberships: [
    { IsHomeClub: true, UnionID: `${number % 6}-${number}`, Club: clubs[number % 6] as SampleClub },
  ],
}));

/** A tournament on the Tuesday and Wednesday before a Thursday in June; its first day is that of a new version. */
export function tournamentOptions(given: Partial<TournamentOptions> = {}): TournamentOptions {
  const now = new Date("2026-06-04T07:15:00Z");
  const union = { timeZone: "Europe/Copenhagen", country: "DK" };
  return { clubs, courses, members, seed: 7, run: "one", now, ...union, ...given };
}
