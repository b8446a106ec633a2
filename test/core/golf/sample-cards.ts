import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import type { AssessmentContext } from "../../../core/golf/assessed-card.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import type { Scorecard } from "../../../core/golf/scorecard.ts";
import { smallestCard } from "../../../unions/conformance/smallest-card.ts";
import { clubId, loopTeeId, loopTemplateId, register, templateId, yellowId } from "./sample-courses.ts";

/** JSON that a test may change as it likes. */
// biome-ignore lint/suspicious/noExplicitAny: tests spoil cards in ways that no type allows
export type Json = any;

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
