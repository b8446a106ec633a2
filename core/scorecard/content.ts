import { hash } from "node:crypto";
import { fieldNames } from "./field-names.ts";
import { deepestNesting, isDeeperThan } from "./nesting.ts";
import { cardParts, isCompleteHole, type Scorecard } from "./schema.ts";

/**
 * Stands for a null that was sent, since JSON writes null for whatever a list leaves out. No known field is ever an
 * empty object.
 */
const sentNull = {};
const orNull = (value: unknown) => (value === null ? sentNull : value);

/** A field that the schema does not name: the part of the card it is in, its name and its value. */
type UnknownField = readonly [place: string, name: string, value: unknown];

/**
 * The content of a card as a text: the same text for the same fields in any order, another one for other fields.
 *
 * It is JSON of the known fields' values, in a fixed order and without their names, which is shorter than the card's
 * own JSON and so faster to make. Unknown fields follow with their names.
 *
 * @returns undefined where an unknown field is nested too deep
 */
export function contentText(card: Scorecard): string | undefined {
  const { Course: course } = card;
  const parts = [cardValues(card), courseValues(course), roundValues(card.Round), resultValues(card.Result)];
  parts.push(playerValues(card.Player), markerValues(card.Marker));
  const holes = course.Holes === undefined ? undefined : holeValues(course.Holes);
  if (!hasUnknownFields(card, parts)) return JSON.stringify([parts, holes]);
  if (isDeeperThan(card, deepestNesting)) return undefined;
  const unknown = unknownFields(card).map((field) => JSON.stringify(field, inOrder));
  return JSON.stringify([parts, holes, unknown.sort()]);
}

/** A short text that stands for the content of a card. @param text from `contentText` */
export function contentHash(text: string): string {
  return hash("sha256", text, "base64url");
}

function cardValues(card: Scorecard): unknown[] {
  return [
    card.ID,
    card.CreateDateTime,
    card.ExternalID,
    card.HCP,
    card.CourseHandicap,
    card.PHCP,
    card.Comment,
  ];
}

function courseValues(course: Scorecard["Course"]): unknown[] {
  return [
    orNull(course.CourseID),
    orNull(course.ExternalID),
    orNull(course.ClubID),
    orNull(course.ClubName),
    course.Name,
    course.Country,
    orNull(course.TeeID),
    course.TeeName,
    course.TeePar,
    course.TeeRating,
    course.TeeSlope,
  ];
}

function holeValues(holes: NonNullable<Scorecard["Course"]["Holes"]>): unknown[] {
  const values: unknown[] = [];
  for (const hole of holes) values.push(hole.Number, hole.Par, hole.Index, hole.Length, hole.SPH);
  return values;
}

function roundValues(round: Scorecard["Round"]): unknown[] {
  const { HolesPlayed, RoundType, StartTime } = round;
  return [
    HolesPlayed,
    RoundType,
    StartTime,
    orNull(round.TournamentName),
    orNull(round.TournamentRoundNumber),
  ];
}

function resultValues(result: Scorecard["Result"]): unknown[] {
  const { Points, Strokes, TotalPoints, TotalStrokes, IsQualifying } = result;
  return [Points, Strokes, TotalPoints, TotalStrokes, orNull(result.NetDoubleBogeyGross), IsQualifying];
}

function playerValues(player: Scorecard["Player"]): unknown[] {
  return [player.FullName, player.HomeClubName, player.HomeClubCountry, player.LifeTimeID, player.UnionID];
}

function markerValues(marker: Scorecard["Marker"]): unknown[] {
  return [marker.FullName, marker.HomeClubName, orNull(marker.LifeTimeID), orNull(marker.UnionID)];
}

/**
 * Whether a card may have unknown fields, by counting, which is faster than looking up every name. If a hole leaves
 * something out, the card may.
 */
function hasUnknownFields(card: Scorecard, values: readonly (readonly unknown[])[]): boolean {
  const { Course, Round, Result, Player, Marker } = card;
  const parts = [card, Course, Round, Result, Player, Marker];
  const fields = parts.reduce((sum, part) => sum + Object.keys(part).length, 0);
  const apart = cardParts.length + (Course.Holes === undefined ? 0 : 1);
  if (fields > apart + values.reduce((sum, part) => sum + countOf(part), 0)) return true;
  return (
    Course.Holes?.some(
      (hole) => !isCompleteHole(hole) || Object.keys(hole).length > fieldNames.hole.length,
    ) === true
  );
}

function countOf(values: readonly unknown[]): number {
  let count = 0;
  for (const value of values) if (value !== undefined) count++;
  return count;
}

/** The fields that the schema does not name, from all parts and holes of a card. */
function unknownFields({ Course, Round, Result, Player, Marker, ...card }: Scorecard): UnknownField[] {
  return [
    ...unknownOf("", card, fieldNames.card),
    ...unknownOf("Course", Course, fieldNames.course),
    ...unknownOf("Round", Round, fieldNames.round),
    ...unknownOf("Result", Result, fieldNames.result),
    ...unknownOf("Player", Player, fieldNames.player),
    ...unknownOf("Marker", Marker, fieldNames.marker),
    ...(Course.Holes ?? []).flatMap((hole, place) => unknownOf(`Holes/${place}`, hole, fieldNames.hole)),
  ];
}

function unknownOf(place: string, part: object, known: readonly string[]): UnknownField[] {
  return Object.entries(part).flatMap(([name, value]) =>
    known.includes(name) || value === undefined ? [] : [[place, name, value] as const],
  );
}

/** Makes `JSON.stringify` write the fields of every object in the order of their names. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // There is nothing to sort, and a copy of each would be dear: a card may be full of empty objects.
  if (Object.keys(value).length < 2) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
