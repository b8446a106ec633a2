import type { CourseToPlay } from "./course-to-play.ts";

/** What the two cards of a run have in common. */
interface SmokeRound {
  /** Prefix of the ExternalIDs. */
  readonly name: string;
  /** yyyymmddThhmmss, local. */
  readonly startTime: string;
  /** UnionID of the player. */
  readonly player: string;
}

/** The fault code of the bad card. */
export const expectedFault = "strokes_count";

/** A minimal valid card; no handicap is calculated from it. */
export function goodCard({ clubId, versionId, tee }: CourseToPlay, { name, startTime, player }: SmokeRound) {
  return {
    CreateDateTime: startTime,
    ExternalID: `${name}-good`,
    HCP: "180000",
    CourseHandicap: 18,
    Course: { CourseID: versionId, ClubID: clubId, TeeID: tee.id },
    Marker: { FullName: "Smoke Test" },
    Result: { Strokes: tee.holes.map(({ par }) => par + 1), IsQualifying: false },
    Round: { HolesPlayed: tee.holes.length, RoundType: 1 as const, StartTime: startTime },
    Player: { UnionID: player },
  };
}

/** The same card without the strokes of the last hole, a fault that the exchange accepts and does not report. */
export function badCard(course: CourseToPlay, round: SmokeRound) {
  const card = goodCard(course, round);
  const Strokes = card.Result.Strokes.slice(0, -1);
  return {
    ...card,
    ExternalID: `${round.name}-bad`,
    Result: { ...card.Result, Strokes },
    Round: { ...card.Round, HolesPlayed: Strokes.length },
  };
}
