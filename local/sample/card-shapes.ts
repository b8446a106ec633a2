import type { UnionClub, UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { v5 as uuidV5 } from "uuid";
import type { PlayableTee } from "../../core/smoke-test/playable-tee.ts";
import { smallestCard } from "../../unions/conformance/smallest-card.ts";
import type { Golfer } from "./golfer.ts";
import { netDoubleBogeyGross, pointsFor, strokesReceived, totalStrokes } from "./score.ts";

/** A played round, from which a card of any shape can be written. */
export interface SampleRound {
  readonly externalId: string;
  readonly player: Golfer;
  readonly marker: Golfer;
  readonly club: UnionClub;
  readonly version: UnionCourseVersion;
  /** The union's, ISO 3166. */
  readonly country: string;
  /** The ID of the version or, as some apps send it, of the course. */
  readonly courseId: string;
  readonly tee: PlayableTee;
  /** 1 or 2 of the tournament. */
  readonly round: number;
  /** yyyymmddThhmmss, local. */
  readonly startTime: string;
  /** yyyymmddThhmmss, local. */
  readonly createdAt: string;
  readonly courseHandicap: number;
  readonly playingHandicap: number;
  readonly strokes: readonly number[];
}

const tournamentName = "The Sample Open";
const idNamespace = "b0f3a3f6-6f5d-4f0e-8a1c-2a9f5d0c7e41";

/** A scorecard as a vendor sends it, as far as every shape has it. */
export type SampleScorecard = ReturnType<typeof smallestCard>;

/** The smallest card that the union accepts, and the tournament that it is of. */
export function minimalCard(played: SampleRound) {
  const { player, marker } = played;
  const card = smallestCard({
    ...played,
    handicapIndex: String(player.handicapIndex),
    course: { CourseID: played.courseId, ClubID: played.club.ID, TeeID: played.tee.id },
    player: player.unionId,
    marker: { FullName: marker.fullName, LifeTimeID: marker.lifeTimeId, UnionID: marker.unionId },
    isQualifying: played.version.IsHcpQualifying,
    roundType: 2,
  });
  return {
    ...card,
    Round: { ...card.Round, TournamentName: tournamentName, TournamentRoundNumber: played.round },
  };
}

/** A card with names and totals, as a typical app sends it. */
export function typicalCard(played: SampleRound) {
  const card = minimalCard(played);
  return {
    ...card,
    PHCP: played.playingHandicap,
    Course: { ...card.Course, Name: played.version.Name, TeeName: played.tee.name, TeePar: played.tee.par },
    Result: { ...card.Result, TotalStrokes: totalStrokes(played.strokes) },
    Player: { ...card.Player, FullName: played.player.fullName, LifeTimeID: played.player.lifeTimeId },
  };
}

/** A card with every field that the union's document has. */
export function fullCard(played: SampleRound) {
  const { player, marker, country, tee, strokes, playingHandicap, courseHandicap } = played;
  const card = typicalCard(played);
  const points = pointsFor(strokes, playingHandicap, tee);
  const received = strokesReceived(playingHandicap, tee.holes);
  return {
    ID: uuidV5(played.externalId, idNamespace),
    ...card,
    HCP: player.handicapIndex,
    Comment: "",
    Course: {
      ...card.Course,
      ClubName: played.club.Name,
      Country: country,
      TeeRating: String(tee.rating),
      TeeSlope: tee.slope,
      Holes: tee.holes.map(({ number, par, index, length }, hole) => ({
        Number: number,
        Par: par,
        Index: index,
        Length: length,
        SPH: received[hole] ?? 0,
      })),
    },
    Result: {
      ...card.Result,
      Points: points,
      TotalPoints: points.reduce((sum, point) => sum + point, 0),
      NetDoubleBogeyGross: netDoubleBogeyGross(strokes, courseHandicap, tee),
    },
    Player: { ...card.Player, HomeClubName: player.homeClubName, HomeClubCountry: country },
    Marker: { ...card.Marker, HomeClubName: marker.homeClubName },
  };
}
