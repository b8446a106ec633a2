import { createHash } from "node:crypto";
import { timestampOf } from "../../core/formats/union-time.ts";
import { readVersion } from "../../core/golf/course.ts";
import { registerFaults } from "../../core/golf/register-faults.ts";
import type { CourseVersion } from "../../packages/stand-in/register/records.ts";
import type { StandIn } from "../../packages/stand-in/stand-in.ts";
import { minimalCard } from "../../test/end-to-end/good-card.ts";

/** A card in the union's minimal shape, and whatever else is in it. */
type LargeCard = { readonly ExternalID: string } & Record<string, unknown>;

/** How the cards of a submission are. */
export interface CardShape {
  /** Begins every ExternalID. */
  readonly name: string;
  readonly cards: number;
  /** A field that is not the union's, and is kept. */
  readonly Padding?: unknown;
  /** Another one has the same ExternalIDs and other strokes: a correction. */
  readonly revision?: number;
}

const holes = 18;

const day = 86_400_000;

/** Versions on which a card is good, each of another course, since a submission may name as many courses as cards. */
export function playableCourses({ courses }: StandIn, count: number): CourseVersion[] {
  const before = timestampOf(Date.now() - 2 * day);
  const playable = new Map<string, CourseVersion>();
  for (const course of courses) {
    const { TemplateID, IsActive, NumberOfHoles, ActivationDate } = course;
    if (playable.size === count) break;
    if (IsActive && NumberOfHoles === holes && ActivationDate < before && isComplete(course))
      playable.set(TemplateID, course);
  }
  return [...playable.values()];
}

const isComplete = (course: CourseVersion) =>
  registerFaults(readVersion(JSON.stringify(course))).length === 0;

/** Cards on as many courses as there are; the names in them take two bytes a character in V8. */
export function largeCards(
  standIn: StandIn,
  courses: readonly CourseVersion[],
  { name, cards, Padding, revision = 0 }: CardShape,
): LargeCard[] {
  const [first] = courses;
  if (first === undefined) throw new Error("There is no course to play.");
  return Array.from({ length: cards }, (_, card) => {
    const { ID: CourseID, ClubID, Tees } = courses[card % courses.length] ?? first;
    const [tee] = Tees;
    const Strokes = tee?.Holes.map(({ Par }, hole) => Par + ((card + hole + revision) % 3));
    return minimalCard(standIn, {
      ExternalID: `${name}-${card}`,
      Course: { CourseID, ClubID, TeeID: tee?.ID },
      Marker: { FullName: "Łucja 🏌", UnionID: "1016-100" },
      Result: { Strokes, IsQualifying: true },
      ...(Padding !== undefined && { Padding }),
    });
  });
}

/** Text that no one can compress below three quarters; the same each time. */
export function incompressible(characters: number): string {
  return createHash("shake256", { outputLength: Math.ceil((characters * 3) / 4) })
    .digest("base64")
    .slice(0, characters);
}

/** Empty objects: three bytes of JSON each, and twenty times that in memory. */
export function emptyObjects(bytes: number): object[] {
  return Array.from({ length: Math.floor(bytes / 3) }, () => ({}));
}

/** Cards in which every field that is checked has a fault, each with a value to show. */
export function faultyCards(cards: number): LargeCard[] {
  const wrong = "x".repeat(18);
  const everyHole = <T>(value: T): T[] => Array.from({ length: holes }, () => value);
  return Array.from({ length: cards }, (_, card) => ({
    ID: wrong,
    CreateDateTime: wrong,
    ExternalID: `faulty-${card}-Ł`,
    HCP: wrong,
    CourseHandicap: wrong,
    PHCP: wrong,
    Course: {
      CourseID: wrong,
      ExternalID: 1,
      ClubID: wrong,
      ClubName: 1,
      Name: 1,
      Country: wrong,
      TeeID: wrong,
      TeeName: 1,
      TeePar: wrong,
      TeeRating: wrong,
      TeeSlope: wrong,
      Holes: everyHole({ Number: wrong, Par: wrong, Index: wrong, Length: wrong, SPH: wrong }),
    },
    Marker: { FullName: 1, LifeTimeID: wrong, UnionID: wrong },
    Player: { FullName: 1, LifeTimeID: wrong, UnionID: wrong },
    Result: {
      Strokes: everyHole(wrong),
      Points: everyHole(wrong),
      TotalPoints: wrong,
      TotalStrokes: wrong,
      NetDoubleBogeyGross: wrong,
      IsQualifying: wrong,
    },
    Round: { HolesPlayed: wrong, RoundType: wrong, StartTime: wrong, TournamentRoundNumber: wrong },
  }));
}
