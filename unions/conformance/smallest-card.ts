import type { UnionMember } from "@scorecard-pipeline/stand-in";

/** Who marked a round. */
export interface NamedMarker {
  readonly FullName: string;
  readonly LifeTimeID: string;
  readonly UnionID: string;
}

/** A member of a club as a marker: with the union's own name and LifeTimeID, or the card would be of a doubtful person. */
export const markerOf = ({
  FirstName,
  LastName,
  LifeTimeID,
  Memberships: [home],
}: UnionMember): NamedMarker => ({
  FullName: `${FirstName} ${LastName}`,
  LifeTimeID,
  UnionID: home?.UnionID ?? "",
});

/** A round, with the data that the smallest card has. */
export interface MinimalRound {
  readonly externalId: string;
  readonly course: { readonly CourseID: string; readonly ClubID: string; readonly TeeID: string };
  /** Handicap Index times 10,000. */
  readonly handicapIndex: string | number;
  readonly courseHandicap: number;
  readonly player: string;
  /** An invented golfer if left out. */
  readonly marker?: NamedMarker;
  /** One per hole of the tee, 0 picked up. */
  readonly strokes: readonly number[];
  readonly isQualifying?: boolean;
  /** 1 general play, 2 tournament. */
  readonly roundType?: 1 | 2;
  /** yyyymmddThhmmss, local. */
  readonly startTime: string;
  /** yyyymmddThhmmss, local; the start of the round if left out. */
  readonly createdAt?: string;
}

const inventedMarker = { FullName: "Marker One", LifeTimeID: "010156-012", UnionID: "1016-100" };

/** The smallest card that the union accepts. @see union-api, Minimal scorecard shape */
export function smallestCard({
  marker = inventedMarker,
  isQualifying = true,
  roundType = 1,
  startTime,
  createdAt = startTime,
  ...round
}: MinimalRound) {
  return {
    CreateDateTime: createdAt,
    ExternalID: round.externalId,
    HCP: round.handicapIndex,
    CourseHandicap: round.courseHandicap,
    Course: round.course,
    Marker: marker,
    Result: { Strokes: round.strokes, IsQualifying: isQualifying },
    Round: { HolesPlayed: round.strokes.length, RoundType: roundType, StartTime: startTime },
    Player: { UnionID: round.player },
  };
}
