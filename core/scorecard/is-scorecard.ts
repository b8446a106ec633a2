import { mostHoles } from "../courses/round-length.ts";
import { isLongNumber } from "../formats/exact-json.ts";
import { isGarbled } from "../formats/garbled-text.ts";
import { isGuid } from "../formats/guid.ts";
import { isLifeTimeId, isUnionId } from "../formats/person-identifiers.ts";
import { isTenThousandths } from "../formats/ten-thousandths.ts";
import { isTimestamp } from "../formats/timestamp.ts";
import { isExternalId } from "./external-id.ts";
import {
  bounds,
  isCountry,
  isHandicapIndex,
  isIdentified,
  isMarkersLifeTimeId,
  isMarkersUnionId,
  isSlope,
  type Scorecard,
} from "./schema.ts";

type Bound = readonly [least: number, most: number];
type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLongNumber(value);
}

const isText = (value: unknown): value is string => typeof value === "string";

function isWhole(value: unknown, bound: Bound): value is number {
  return Number.isSafeInteger(value) && (value as number) >= bound[0] && (value as number) <= bound[1];
}

const maybeText = (value: unknown) => value === undefined || isText(value);
const maybeNullText = (value: unknown) => value === undefined || value === null || isText(value);
const maybeWhole = (value: unknown, bound: Bound) => value === undefined || isWhole(value, bound);
const maybeNullGuid = (value: unknown) =>
  value === undefined || value === null || (isText(value) && isGuid(value));

function isPerHole(list: unknown, bound: Bound): boolean {
  if (!Array.isArray(list) || list.length > mostHoles) return false;
  for (const entry of list) if (!isWhole(entry, bound)) return false;
  return true;
}

function isHole(hole: unknown): boolean {
  return (
    isObject(hole) &&
    maybeWhole(hole.Number, bounds.holeNumber) &&
    maybeWhole(hole.Par, bounds.par) &&
    maybeWhole(hole.Index, bounds.strokeIndex) &&
    maybeWhole(hole.Length, bounds.length) &&
    maybeWhole(hole.SPH, bounds.handicap)
  );
}

function areHoles(holes: unknown): boolean {
  return Array.isArray(holes) && holes.length <= mostHoles && holes.every(isHole);
}

function isCourse(course: Fields): boolean {
  const { Country, TeeRating, TeeSlope, Holes } = course;
  return (
    maybeNullGuid(course.CourseID) &&
    maybeNullText(course.ExternalID) &&
    maybeNullGuid(course.ClubID) &&
    maybeNullText(course.ClubName) &&
    maybeText(course.Name) &&
    (Country === undefined || (isText(Country) && isCountry(Country))) &&
    maybeNullGuid(course.TeeID) &&
    maybeText(course.TeeName) &&
    maybeWhole(course.TeePar, bounds.count) &&
    (TeeRating === undefined || isTenThousandths(TeeRating)) &&
    (TeeSlope === undefined || isSlope(TeeSlope)) &&
    (Holes === undefined || areHoles(Holes))
  );
}

function isRound(round: Fields): boolean {
  const { RoundType, StartTime, TournamentRoundNumber } = round;
  return (
    isWhole(round.HolesPlayed, bounds.count) &&
    (RoundType === 1 || RoundType === 2) &&
    isText(StartTime) &&
    isTimestamp(StartTime) &&
    maybeNullText(round.TournamentName) &&
    (TournamentRoundNumber === null || maybeWhole(TournamentRoundNumber, bounds.count))
  );
}

function isResult(result: Fields): boolean {
  const { Points, NetDoubleBogeyGross } = result;
  return (
    (Points === undefined || isPerHole(Points, bounds.points)) &&
    isPerHole(result.Strokes, bounds.strokes) &&
    maybeWhole(result.TotalPoints, bounds.count) &&
    maybeWhole(result.TotalStrokes, bounds.count) &&
    (NetDoubleBogeyGross === null || maybeWhole(NetDoubleBogeyGross, bounds.count)) &&
    typeof result.IsQualifying === "boolean"
  );
}

function isPlayer(player: Fields): boolean {
  const { LifeTimeID, UnionID } = player;
  return (
    maybeText(player.FullName) &&
    maybeText(player.HomeClubName) &&
    maybeText(player.HomeClubCountry) &&
    (LifeTimeID === undefined || (isText(LifeTimeID) && isLifeTimeId(LifeTimeID))) &&
    isText(UnionID) &&
    isUnionId(UnionID)
  );
}

function isMarker(marker: Fields): boolean {
  const { LifeTimeID, UnionID } = marker;
  return (
    maybeText(marker.FullName) &&
    maybeText(marker.HomeClubName) &&
    maybeNullText(LifeTimeID) &&
    maybeNullText(UnionID) &&
    (!isText(LifeTimeID) || isMarkersLifeTimeId(LifeTimeID)) &&
    (!isText(UnionID) || isMarkersUnionId(UnionID)) &&
    isIdentified(marker)
  );
}

/**
 * Whether a card is of the form that `scorecardSchema` defines.
 *
 * The schema also says what is wrong with a card, but takes ten times as long, and nearly all cards are of their form.
 * A property test checks that the two agree.
 */
export function isScorecard(card: unknown): card is Scorecard {
  if (!isObject(card)) return false;
  const { ID, CreateDateTime, ExternalID, HCP, Course, Round, Result, Player, Marker } = card;
  return (
    (ID === undefined || (isText(ID) && isGuid(ID))) &&
    isText(CreateDateTime) &&
    isTimestamp(CreateDateTime) &&
    isText(ExternalID) &&
    isExternalId(ExternalID) &&
    !isGarbled(ExternalID) &&
    isTenThousandths(HCP) &&
    isHandicapIndex(HCP) &&
    isWhole(card.CourseHandicap, bounds.handicap) &&
    maybeWhole(card.PHCP, bounds.handicap) &&
    maybeText(card.Comment) &&
    isObject(Course) &&
    isCourse(Course) &&
    isObject(Round) &&
    isRound(Round) &&
    isObject(Result) &&
    isResult(Result) &&
    isObject(Player) &&
    isPlayer(Player) &&
    isObject(Marker) &&
    isMarker(Marker)
  );
}
