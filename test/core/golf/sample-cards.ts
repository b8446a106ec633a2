import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import type { AssessmentContext } from "../../../core/golf/assessed-card.ts";
import type { CourseVersion, Tee } from "../../../core/golf/course.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import type { Scorecard } from "../../../core/golf/scorecard.ts";
import { smallestCard } from "../../../unions/conformance/smallest-card.ts";

/** JSON that a test may change as it likes. */
// biome-ignore lint/suspicious/noExplicitAny: tests spoil cards in ways that no type allows
export type Json = any;

export const pars = [4, 4, 3, 5, 4, 4, 3, 4, 5, 4, 3, 4, 5, 4, 4, 3, 4, 5];
export const indexes = [7, 3, 15, 9, 1, 11, 17, 5, 13, 8, 16, 4, 12, 2, 10, 18, 6, 14];

export const templateId = "CA1636A2-0000-4078-AD38-D7F8BD23D76C";
export const clubId = "7AABAF90-0000-4552-889B-553D5CE75FC6";
export const versionIds = [
  "36D33C80-0000-4175-BC53-0E2957556305",
  "4FC90CA7-0000-4EB8-8A5E-290DAC67C77E",
  "5AD0B3F1-0000-4C11-9D55-7C1B2F3A4D5E",
];
export const yellowId = "629BDEEC-0000-4309-861E-08B072D9509A";
export const redId = "73ACEFFD-0000-4410-972F-19C183EA610B";
const loopTemplateId = "D1B2C3D4-0000-4A5B-8C6D-7E8F90A1B2C3";
const loopTeeId = "84BDF00E-0000-4521-A830-2AD294FB721C";

/** A tee of 18 holes, par 72. */
export function tee(changes: Partial<Tee> = {}): Tee {
  return {
    ID: yellowId,
    Name: "Yellow",
    Gender: 2,
    TotalLength: 6109,
    CourseRating: 718000,
    SlopeRating: 119,
    IsNineHole: false,
    Holes: pars.map((Par, hole) => ({
      Number: hole + 1,
      Par,
      Index: indexes[hole] ?? null,
      Length: 100 * Par - hole,
    })),
    ...changes,
  };
}

export const red = () => tee({ ID: redId, Name: "Red", Gender: 1, CourseRating: "735000", SlopeRating: 127 });

/** A version of the course, activated at local midnight on 1 April 2024 and still active. */
export function version(changes: Partial<CourseVersion> = {}): CourseVersion {
  return {
    ID: versionIds[0] ?? "",
    TemplateID: templateId,
    ClubID: clubId,
    ClubNames: { [guidKey(changes.ClubID ?? clubId)]: "Test Club" },
    Name: "Old Course",
    NumberOfHoles: 18,
    ActivationDate: "20240331T220000",
    IsActive: true,
    IsHcpQualifying: true,
    IsVisible: true,
    Version: 1,
    Tees: [tee(), red()],
    ...changes,
  };
}

/** A nine-hole loop, a course of its own, with odd stroke indexes only. */
function loop(): CourseVersion {
  const holes = tee().Holes.slice(0, 9);
  const Holes = holes.map((hole, place) => ({
    ...hole,
    Index: [7, 3, 15, 9, 1, 11, 17, 5, 13][place] ?? null,
  }));
  return version({
    TemplateID: loopTemplateId,
    ID: "E2C3D4E5-0000-4B6C-9D7E-8F90A1B2C3D4",
    Name: "Loop",
    NumberOfHoles: 9,
    Tees: [tee({ ID: loopTeeId, CourseRating: 356000, SlopeRating: 121, IsNineHole: true, Holes })],
  });
}

/** The union's smallest card, of a round on 22 June 2025. */
export function minimalCard(changes: Json = {}): Json {
  const card = smallestCard({
    externalId: "1016-1-22062025-Yellow-18",
    course: { CourseID: templateId, ClubID: clubId, TeeID: yellowId },
    handicapIndex: "90000",
    courseHandicap: 9,
    player: "1016-1",
    strokes: [5, 5, 4, 6, 5, 5, 4, 5, 6, 5, 4, 5, 6, 5, 5, 4, 5, 6],
    startTime: "20250622T145700",
    createdAt: "20250622T190200",
  });
  return { ...card, ...changes };
}

/** A card with every field of the union's document. */
export function fullCard(changes: Json = {}): Json {
  const { card } = accepted(minimalCard());
  return structuredClone({
    ...card,
    Comment: "A fine day",
    Course: { ...card.Course, ExternalID: "course-1" },
    Round: { ...card.Round, RoundType: 2, TournamentName: "Cup", TournamentRoundNumber: 1 },
    Player: {
      FullName: "Player One",
      HomeClubName: "Test Club",
      HomeClubCountry: "DK",
      LifeTimeID: "160575-026",
      UnionID: "1016-1",
    },
    Marker: { ...card.Marker, HomeClubName: "Test Club" },
    ...changes,
  });
}

/** A card of a course abroad, which it describes itself. */
export function cardAbroad(changes: Json = {}): Json {
  const { CourseID, ClubID, TeeID, ClubName, ...course } = fullCard().Course;
  return fullCard({ Course: { ...course, Name: "Links", Country: "SE", TeeName: "57" }, ...changes });
}

/** A card of nine holes on the nine-hole loop. */
export function nineHoleCard(changes: Json = {}): Json {
  return minimalCard({
    CourseHandicap: 4,
    Course: { CourseID: loopTemplateId, ClubID: clubId, TeeID: loopTeeId },
    Result: { Strokes: [5, 5, 4, 6, 5, 5, 4, 5, 6], IsQualifying: true },
    Round: { HolesPlayed: 9, RoundType: 1, StartTime: "20250622T145700" },
    ...changes,
  });
}

/** The union's register of a test: one course and a nine-hole loop, unless it says otherwise. */
export function register(...versions: CourseVersion[]): AssessmentContext["courses"] {
  const all = versions.length > 0 ? versions : [version(), loop()];
  return (id) => {
    const named = all.find(({ ID, TemplateID, Tees }) =>
      [ID, TemplateID, ...Tees.map((one) => one.ID)].some((one) => one?.toUpperCase() === id),
    );
    const found = all.filter(({ TemplateID }) => TemplateID === named?.TemplateID);
    return found.length > 0 ? found : undefined;
  };
}

export function context(changes: Partial<AssessmentContext> = {}): AssessmentContext {
  return {
    apiSet: "acme" as ApiSet,
    now: new Date("2025-07-01T12:00:00Z"),
    timeZone: "Europe/Copenhagen",
    country: "DK",
    highestHandicapIndex: 72,
    courses: register(),
    ...changes,
  };
}

/** Assesses one card. */
export function assess(card: unknown, changes: Partial<AssessmentContext> = {}): Assessment {
  const [assessment] = assessSubmission([card], context(changes));
  if (assessment === undefined) throw new Error("A card got no assessment.");
  return assessment;
}

/** Assesses one card that must be good. */
export function accepted(
  card: unknown,
  changes: Partial<AssessmentContext> = {},
): { card: Scorecard; contentHash: string; warnings: readonly Finding[] } {
  const assessment = assess(card, changes);
  if (!assessment.good) throw new Error(`Refused: ${JSON.stringify(assessment.faults)}`);
  return assessment;
}

/** The faults of one card that must be bad. */
export function faultsOf(card: unknown, changes: Partial<AssessmentContext> = {}): readonly Finding[] {
  const assessment = assess(card, changes);
  if (assessment.good) throw new Error("A bad card was accepted.");
  return assessment.faults;
}

/** Codes with pointers, for short comparisons. */
export function short(findings: readonly Finding[]): string[] {
  return findings.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** Strokes of another round: most holes differ from those of another number. */
export const strokesOfRound = (strokes: readonly number[], round: number): number[] => {
  const random = seededRandom(round, "strokes of a round");
  return strokes.map((taken) => taken + random.whole(0, 3));
};
