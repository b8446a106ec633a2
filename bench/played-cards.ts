import { smallestCard } from "../sample/smallest-card.ts";
import type { UnionReady } from "./union-process.ts";

/** A card in the union's minimal shape. */
export type PlayedCard = { readonly ExternalID: string } & Record<string, unknown>;

/** A round of so many cards on a course of the stand-in, by golfers who all score differently. */
export function playedCards(union: UnionReady, name: string, count: number): PlayedCard[] {
  const { clubId, courseId, teeId, pars, unionIds } = union;
  return Array.from({ length: count }, (_, card) => {
    const minute = String(card % 60).padStart(2, "0");
    const hour = String(8 + (Math.floor(card / 60) % 9)).padStart(2, "0");
    return smallestCard({
      externalId: `${name}-${card}`,
      course: { CourseID: courseId, ClubID: clubId, TeeID: teeId },
      handicapIndex: String(180_000 + (card % 100) * 1_000),
      courseHandicap: 18 + (card % 10),
      player: unionIds[card % unionIds.length] ?? "",
      marker: {
        FullName: `Marker ${card}`,
        LifeTimeID: "010156-012",
        UnionID: unionIds[(card + 1) % unionIds.length] ?? "",
      },
      strokes: pars.map((par, hole) => par + ((card * 7 + hole * 5) % 4)),
      roundType: 2,
      startTime: `20260801T${hour}${minute}00`,
      createdAt: `20260801T${hour}${minute}30`,
    });
  });
}
