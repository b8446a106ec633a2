import type { CourseToPlay } from "./course-to-play.ts";

/** Names a run's two cards, and when their round was played. */
export interface SmokeRound {
  /** What the ExternalIDs begin with. */
  readonly name: string;
  /** yyyymmddThhmmss, local. */
  readonly startTime: string;
  /** UnionID of the player. */
  readonly player: string;
}

/** What the bad card is refused for. */
export const expectedFault = "strokes_count";

/** A minimal card that nothing is wrong with; no handicap is calculated from it. */
export function goodCard({ clubId, versionId, tee }: CourseToPlay, { name, startTime, player }: SmokeRound) {
  return {
    CreateDateTime: startTime,
    ExternalID: `${name}-good`,
    HCP: "180000",
    CourseHandicap: 18,
    Course: { CourseID: versionId, ClubID: clubId, TeeID: tee.id },
    Marker: { FullName: "Smoke Test" },
    Result: { Strokes: tee.holes.map(({ par }) => par + 1), IsQualifying: false },
    Round: { HolesPlayed: tee.holes.length, RoundType: 1, StartTime: startTime },
    Player: { UnionID: player },
  };
}

/** The same with the strokes of the last hole left out, which the exchange would swallow. */
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
