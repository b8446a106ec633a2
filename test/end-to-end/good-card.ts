import type { StandIn } from "@scorecard-pipeline/stand-in";
import { smallestCard } from "../../sample/smallest-card.ts";

/** Fields of a card that a test sets for itself. */
export interface CardChange {
  readonly ExternalID: string;
  readonly [field: string]: unknown;
}

const day = 86_400_000;

/** A round of yesterday in the union's format, at ten in the morning. */
const yesterday = () => `${new Date(Date.now() - day).toISOString().slice(0, 10).replaceAll("-", "")}T100000`;

/** A course of 18 holes at the stand-in that could be played yesterday, and a tee of it. */
export function playableTee(standIn: StandIn) {
  const now = new Date(Date.now() - 2 * day).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const course = standIn.courses.find(
    ({ IsActive, ActivationDate, NumberOfHoles, Tees }) =>
      IsActive &&
      NumberOfHoles === 18 &&
      ActivationDate < now &&
      Tees.every(({ Holes }) => Holes.every(({ Index }) => Index !== null)),
  );
  const tee = course?.Tees[0];
  if (course === undefined || tee === undefined) throw new Error("The stand-in has no course to play.");
  return { course, tee };
}

/** The minimal card of the union's document, on a course of the stand-in: bogeys all the way. */
export function minimalCard(standIn: StandIn, { ExternalID, ...change }: CardChange) {
  const { course, tee } = playableTee(standIn);
  const player = standIn.members[0]?.Memberships[0]?.UnionID ?? "1001-1";
  const card = smallestCard({
    externalId: ExternalID,
    course: { CourseID: course.ID, ClubID: course.ClubID, TeeID: tee.ID },
    handicapIndex: "158000",
    courseHandicap: 16,
    player,
    marker: { FullName: "Marker One", LifeTimeID: "010156-012", UnionID: player.replace(/-.*/, "-9999") },
    strokes: tee.Holes.map(({ Par }) => Par + 1),
    startTime: yesterday(),
  });
  return { ...card, ...change };
}
