import { adjustedGrossScore } from "@scorecard-pipeline/whs";
import * as z from "zod";
import { dayOf, localTimestamp, readTimestamp } from "../base/union-time.ts";
import type { Round } from "../handicap/scoring-record.ts";
import type { UnionCourseVersion, UnionMember, UnionTee } from "../register/records.ts";
import type { Register } from "../register/register.ts";

const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);
const text = z.string().min(1);

const holeSchema = z.object({ Par: z.int().min(3).max(6), Index: z.int() });

/**
 * The fields of a card that processing reads. It ignores other fields, and also accepts numbers as text.
 *
 * @see union-api, Minimal scorecard shape
 */
const readableCardSchema = z.object({
  CourseHandicap: wholeNumber,
  Course: z.object({
    CourseID: text.nullish(),
    TeeID: text.nullish(),
    TeeRating: wholeNumber.nullish().catch(undefined),
    TeeSlope: z
      .union([z.number(), z.string().transform(Number)])
      .nullish()
      .catch(undefined),
    Holes: z.array(holeSchema).nullish().catch(undefined),
  }),
  Round: z.object({ StartTime: z.string().regex(/^\d{8}T\d{6}$/) }),
  Result: z.object({ Strokes: z.array(z.int().min(-1)), IsQualifying: z.boolean() }),
  Player: z.object({ UnionID: text.nullish(), LifeTimeID: text.nullish() }),
});

/** @see readableCardSchema */
type ProcessableCard = z.infer<typeof readableCardSchema>;

/** A round from which a handicap can be calculated, with its player. */
export interface CalculableRound extends Round {
  readonly member: UnionMember;
  /** Timestamp, local: rounds are processed in its order. */
  readonly startTime: string;
}

interface RatedHoles {
  /** Times 10,000. */
  readonly courseRating: number;
  readonly slope: number;
  readonly holes: readonly { readonly par: number; readonly index: number }[];
}

/** Why no handicap is calculated from a card. The union does not report it. */
export type Vanished =
  | "unreadable"
  | "player_unknown"
  | "course_unknown"
  | "tee_unknown"
  | "strokes"
  | "too_short"
  /** Not meant for a handicap: it is in the player's record, without a Score Differential. */
  | "not_qualifying"
  /** By a fault on command. */
  | "unprocessed";

const wholeRound = 18;
const halfRound = 9;
/** @see Rules of Handicapping 2024, 2.2a */
const minOfWholeRound = 10;

/** Of the versions with the tee, the one that the card names, else the one in force when the round began. */
function teePlayed(
  versions: readonly UnionCourseVersion[],
  { CourseID: courseId, TeeID: teeId }: ProcessableCard["Course"],
  startTime: string,
  timeZone: string,
): { readonly version: UnionCourseVersion; readonly tee: UnionTee } | undefined {
  const choices = versions.flatMap((version) => {
    const tee = version.Tees.find(({ ID }) => ID.toUpperCase() === teeId?.toUpperCase());
    return tee === undefined ? [] : [{ version, tee }];
  });
  if (choices.length < 2) return choices[0];
  const named = choices.find(({ version }) => version.ID.toUpperCase() === courseId?.toUpperCase());
  if (named !== undefined) return named;
  const activated = choices
    .filter(
      ({ version }) =>
        localTimestamp(readTimestamp(version.ActivationDate) ?? new Date(0), timeZone) <= startTime,
    )
    .toSorted(
      ({ version: one }, { version: other }) =>
        one.ActivationDate.localeCompare(other.ActivationDate) || one.Version - other.Version,
    );
  return activated.at(-1) ?? choices[0];
}

function findRatedHoles(register: Register, { Course, Round }: ProcessableCard): RatedHoles | Vanished {
  const versions = register.versions(Course.CourseID ?? "").map(({ version }) => version);
  if (versions.length === 0) return "course_unknown";
  const played = teePlayed(versions, Course, Round.StartTime, register.timeZone);
  if (played === undefined) return "tee_unknown";
  if (!played.version.IsHcpQualifying) return "course_unknown";
  const holes = played.tee.Holes.flatMap(({ Par: par, Index: index }) =>
    index === null ? [] : [{ par, index }],
  );
  if (holes.length < played.tee.Holes.length) return "tee_unknown";
  return { courseRating: Number(played.tee.CourseRating), slope: played.tee.SlopeRating, holes };
}

/** The course data of a card for a course outside the union, which cannot be checked. */
function onCourseElsewhere({ Course }: ProcessableCard): RatedHoles | Vanished {
  const { TeeRating, TeeSlope, Holes } = Course;
  if (!TeeRating || !TeeSlope || !Holes) return "course_unknown";
  const holes = Holes.map(({ Par: par, Index: index }) => ({ par, index }));
  return { courseRating: TeeRating, slope: TeeSlope, holes };
}

/**
 * Reads the round on a card, if a handicap can be calculated from it.
 *
 * A round of 10 to 17 of 18 holes counts with the expected score for the rest; its Course Rating is prorated, which is
 * invented.
 *
 * @returns the reason if it cannot
 * @see union-api, Errors, 3
 */
export function calculableRound(card: unknown, register: Register): CalculableRound | Vanished {
  const { data } = readableCardSchema.safeParse(card);
  if (data === undefined) return "unreadable";
  const { Course, Round, Result, CourseHandicap } = data;
  const day = dayOf(Round.StartTime);
  if (Number.isNaN(day)) return "unreadable";
  const member = findMember(data, register);
  if (member === undefined) return "player_unknown";
  if (!Result.IsQualifying) return "not_qualifying";
  const rated = Course.CourseID ? findRatedHoles(register, data) : onCourseElsewhere(data);
  if (typeof rated === "string") return rated;

  const { holes, courseRating, slope } = rated;
  if (Result.Strokes.length !== holes.length) return "strokes";
  const score = {
    pars: holes.map(({ par }) => par),
    strokeIndexes: holes.map(({ index }) => index),
    strokes: Result.Strokes.map((taken) => Math.max(-1, taken)),
  };
  const played = score.strokes.filter((taken) => taken >= 0).length;
  if (!isLongEnough(played, holes.length)) return "too_short";
  return {
    member,
    startTime: Round.StartTime,
    day,
    slope,
    courseRating: Math.round((courseRating * played) / holes.length),
    holesExpected: wholeRound - played,
    adjustedGross: adjustedGrossScore({ ...score, courseHandicap: CourseHandicap }).value,
    adjustedGrossWithoutIndex: adjustedGrossScore({ ...score, courseHandicap: null }).value,
  };
}

function findMember({ Player }: ProcessableCard, register: Register): UnionMember | undefined {
  return register.member(
    Player.UnionID ? { unionId: Player.UnionID } : { lifeTimeId: Player.LifeTimeID ?? "" },
  );
}

/** The player of a card that can be read. */
export function playerOf(card: unknown, register: Register): UnionMember | undefined {
  const { data } = readableCardSchema.safeParse(card);
  return data && findMember(data, register);
}

/** All of nine holes, or at least 10 of 18. */
function isLongEnough(played: number, holes: number): boolean {
  if (holes === wholeRound) return played >= minOfWholeRound;
  return holes === halfRound && played === halfRound;
}
