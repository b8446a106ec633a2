import { handicapsFor, netPars } from "../local/sample/score.ts";
import { smallestCard } from "../unions/conformance/smallest-card.ts";
import type { UnionReady } from "./union-process.ts";

/** A card in the union's minimal shape. */
export type PlayedCard = { readonly ExternalID: string } & Record<string, unknown>;

/** Takes the next cards of a season. @param name what their ExternalIDs begin with */
export type NextCards = (name: string, count: number) => PlayedCard[];

const firstDay = Date.UTC(2026, 4, 1);
const millisecondsOfDay = 86_400_000;

/**
 * A season on a course of the stand-in, by golfers who all score differently. Each of the union's members plays one round a day, and
 * other strokes each day, none far better than the handicap: a card with a warning costs more than others.
 */
export function seasonOf(union: UnionReady): NextCards {
  const { clubId, courseId, tee, members } = union;
  let playedBefore = 0;
  return (name, count) => {
    const first = playedBefore;
    playedBefore += count;
    return Array.from({ length: count }, (_, card) => {
      const round = first + card;
      const days = Math.floor(round / members.length);
      const day = new Date(firstDay + days * millisecondsOfDay);
      const date = day.toISOString().slice(0, 10).replaceAll("-", "");
      const minute = String(card % 60).padStart(2, "0");
      const hour = String(8 + (Math.floor(card / 60) % 9)).padStart(2, "0");
      const marker = members[(round + 1) % members.length];
      const handicapIndex = 180_000 + (card % 100) * 1_000;
      const { courseHandicap } = handicapsFor(handicapIndex, tee);
      return smallestCard({
        externalId: `${name}-${card}`,
        course: { CourseID: courseId, ClubID: clubId, TeeID: tee.id },
        handicapIndex: String(handicapIndex),
        courseHandicap,
        player: members[round % members.length]?.UnionID ?? "",
        ...(marker !== undefined && { marker }),
        strokes: netPars(courseHandicap, tee).map(
          (netPar, hole) => netPar + ((round * 7 + days * (hole + 1) + hole * 5) % 3),
        ),
        roundType: 2,
        startTime: `${date}T${hour}${minute}00`,
        createdAt: `${date}T${hour}${minute}30`,
      });
    });
  };
}
