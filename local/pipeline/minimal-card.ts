import { hash } from "node:crypto";
import type { StandIn } from "@scorecard-pipeline/stand-in";
import type { PlayableTee } from "../../core/smoke-test/playable-tee.ts";
import { handicapsFor } from "../../local/sample/score.ts";
import { markerOf, smallestCard } from "../../unions/conformance/smallest-card.ts";

/** Fields of a card that a test sets for itself. */
export interface CardFields {
  readonly ExternalID: string;
  readonly [field: string]: unknown;
}

const day = 86_400_000;

/** A round of yesterday in the union's format, at ten in the morning. */
const yesterday = () => `${new Date(Date.now() - day).toISOString().slice(0, 10).replaceAll("-", "")}T100000`;

/** A course of 18 holes at the stand-in that could be played from a time on, by default yesterday, and a tee of it. */
export function playableTee(
  standIn: StandIn,
  since = new Date(Date.now() - 2 * day).toISOString().slice(0, 19).replaceAll(/[-:]/g, ""),
) {
  const course = standIn.courses.find(
    ({ IsActive, ActivationDate, NumberOfHoles, Tees }) =>
      IsActive &&
      NumberOfHoles === 18 &&
      ActivationDate < since &&
      Tees.every(({ Holes }) => Holes.every(({ Index }) => Index !== null)),
  );
  const tee = course?.Tees[0];
  if (course === undefined || tee === undefined) throw new Error("The stand-in has no course to play.");
  return { course, tee };
}

const sum = (holes: readonly { readonly Par: number }[]) => holes.reduce((total, { Par }) => total + Par, 0);

/** Handicap Index, times 10,000, up to which a bogey on every hole is no exceptional round. */
const maxIndex = 240_000;

/** Members from whom bogeys are to be expected, and for whom the union calculates handicaps from rounds on tees of this Gender. */
function findPlayers(standIn: StandIn, gender: number) {
  const known = knownPlayers.get(standIn) ?? readPlayers(standIn, gender);
  knownPlayers.set(standIn, known);
  return known;
}

/** As they were first: a card must not change because the union has processed another one. */
const knownPlayers = new WeakMap<StandIn, ReturnType<typeof readPlayers>>();

function readPlayers({ members }: StandIn, gender: number) {
  return members.flatMap((member) => {
    const { Gender, Handicap, HandicapStatus, RightToPlay } = member;
    const isRated = (Gender === "Female" ? 1 : 2) === gender && HandicapStatus === 3 && RightToPlay;
    const isExpected = isRated && Number(Handicap) <= maxIndex;
    const named = markerOf(member);
    return isExpected && named.UnionID !== "" ? [{ ...named, handicap: Handicap }] : [];
  });
}

/** The minimal card of the union's document, on a course of the stand-in: bogeys all the way. */
export function minimalCard(standIn: StandIn, { ExternalID, ...change }: CardFields) {
  const { course, tee } = playableTee(standIn);
  const players = findPlayers(standIn, tee.Gender);
  const place = Number.parseInt(hash("sha256", ExternalID).slice(0, 8), 16);
  const { UnionID: player = "1001-1", handicap = "158000" } = players[place % players.length] ?? {};
  const { handicap: _, ...marker } = players[(place + 1) % players.length] ?? {};
  const rated = { rating: Number(tee.CourseRating), slope: tee.SlopeRating, par: sum(tee.Holes) };
  const card = smallestCard({
    externalId: ExternalID,
    course: { CourseID: course.ID, ClubID: course.ClubID, TeeID: tee.ID },
    handicapIndex: handicap,
    courseHandicap: handicapsFor(Number(handicap), rated as PlayableTee).courseHandicap,
    player,
    ...("UnionID" in marker && { marker }),
    strokes: tee.Holes.map(({ Par }) => Par + 1),
    startTime: yesterday(),
  });
  return { ...card, ...change };
}
