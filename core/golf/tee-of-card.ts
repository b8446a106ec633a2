import { guidKey } from "../formats/identifiers.ts";
import { readTenThousandths } from "../formats/ten-thousandths.ts";
import { type CourseVersion, courseName, type Tee } from "./course.ts";
import { latestFirst, versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import type { CardReading } from "./read-card.ts";
import { findMismatches, type RegisterMismatch } from "./register-match.ts";
import { courseHandicapsByRule } from "./rules/course-handicap.ts";
import type { ReadableCard } from "./scorecard.ts";
import { type TeeNumbers, teeNumbers } from "./tee-numbers.ts";

type CourseField = ReadableCard["Course"];

/** A tee of the register that a card may have been played from. */
export interface RegisteredTee {
  readonly version: CourseVersion;
  readonly tee: Tee;
  readonly numbers: TeeNumbers;
  /** The card's own numbers that differ from these. */
  readonly mismatches: readonly RegisterMismatch[];
}

/** Whether two names are the same, apart from case and from blanks around them. */
export function sameName(one: unknown, other: unknown): boolean {
  return one === other || String(one).trim().toLowerCase() === String(other).trim().toLowerCase();
}

/**
 * The tee that a card was played from: the one it names and, if several fit, the one whose numbers it brings.
 *
 * @param ofRound the version that the round was played on, if there is one
 * @param all every version of the course
 * @returns undefined if no tee fits, or if several do; a fault says so
 */
export function teeOfCard(
  reading: CardReading,
  ofRound: CourseVersion | undefined,
  all: readonly CourseVersion[],
  findings: Findings,
): RegisteredTee | undefined {
  const course = reading.card.Course;
  const [usual, another] = ofRound === undefined ? [] : namedTees(course, [ofRound]);
  if (usual !== undefined && another === undefined && agrees(usual)) return usual;

  const others = latestFirst(all.filter((version) => version !== ofRound));
  const versions = ofRound === undefined ? others : [ofRound, ...others];
  const named = namedTees(course, versions);
  if (named.length === 0) {
    reportUnknownTee(reading, versions, findings);
    return undefined;
  }
  const agreeing = named.filter(agrees);
  if (agreeing.length > 1) return tellApart(agreeing, reading, findings);
  const tees = named.map(({ tee }) => tee);
  return agreeing[0] ?? teesLike(tees, course, versions).find(agrees) ?? closest(named);
}

const agrees = (tee: RegisteredTee) => tee.mismatches.length === 0;

function registered(course: CourseField, version: CourseVersion, tee: Tee): RegisteredTee {
  const numbers = teeNumbers(tee);
  return { version, tee, numbers, mismatches: findMismatches(course, numbers) };
}

/** The tees with the card's TeeID or, if it has none, with its TeeName: those of the first version that has any. */
function namedTees(course: CourseField, versions: readonly CourseVersion[]): RegisteredTee[] {
  const { TeeID, TeeName } = course;
  const key = typeof TeeID === "string" ? guidKey(TeeID) : undefined;
  for (const version of versions) {
    const { tees, teesById } = versionFacts(version);
    const byId = key === undefined ? undefined : teesById.get(key);
    if (byId !== undefined) return [registered(course, version, byId)];
    const byName = key === undefined && TeeName ? tees.filter(({ Name }) => sameName(Name, TeeName)) : [];
    if (byName.length > 0) return byName.map((tee) => registered(course, version, tee));
  }
  return [];
}

/**
 * The same tees in all versions of the course: with the same ID or else with the same name. Gender decides only if
 * several have that name, because the register's Gender is not reliable.
 */
export function teesLike(
  tees: readonly Tee[],
  course: CourseField,
  versions: readonly CourseVersion[],
): RegisteredTee[] {
  return tees.flatMap((tee) =>
    versions.flatMap((version) => {
      const facts = versionFacts(version);
      const same = typeof tee.ID === "string" ? facts.teesById.get(guidKey(tee.ID)) : undefined;
      const namesakes = facts.tees.filter(({ Name }) => sameName(Name, tee.Name));
      const namesake =
        namesakes.length === 1 ? namesakes[0] : namesakes.find(({ Gender }) => Gender === tee.Gender);
      const counterpart = same ?? namesake;
      return counterpart === undefined ? [] : registered(course, version, counterpart);
    }),
  );
}

function closest(tees: readonly RegisteredTee[]): RegisteredTee | undefined {
  return tees.toSorted((one, other) => one.mismatches.length - other.mismatches.length)[0];
}

/**
 * Chooses among tees that all have the name and the numbers of a card, men's and women's for instance: by the number
 * of holes, then by the Course Handicap. Gender cannot decide: the register's is not reliable, and a card has none.
 */
function tellApart(
  tees: readonly RegisteredTee[],
  { card, strokesSent }: CardReading,
  findings: Findings,
): RegisteredTee | undefined {
  const asLong = preferred(tees, ({ numbers }) => numbers.holes.length === strokesSent);
  const [tee, ...others] = preferred(asLong, ({ numbers }) => givesCourseHandicap(numbers, card));
  if (tee === undefined || others.every((other) => sameNumbers(other.numbers, tee.numbers))) return tee;
  findings.fault(
    "/Course/TeeName",
    "tee_ambiguous",
    `The course has several tees of this name with other numbers. Send TeeID, or TeeRating and TeeSlope.`,
    {
      expected: [tee, ...others].map(({ tee: { ID, Name, Gender } }) => ({
        TeeID: ID,
        TeeName: Name,
        Gender,
      })),
    },
  );
  return undefined;
}

function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred);
  return some.length > 0 ? some : all;
}

function givesCourseHandicap({ rating, slope, par, holes }: TeeNumbers, card: ReadableCard): boolean {
  const handicapIndex = readTenThousandths(card.HCP);
  if (handicapIndex === undefined || rating === undefined || slope === undefined || par === undefined)
    return false;
  const ruled = courseHandicapsByRule({ handicapIndex, rating, slope, par }, holes.length);
  return card.CourseHandicap !== undefined && ruled.includes(card.CourseHandicap);
}

function sameNumbers(one: TeeNumbers, other: TeeNumbers): boolean {
  const figures = ({ rating, slope, pars, indexes }: TeeNumbers) =>
    JSON.stringify([rating, slope, pars, indexes]);
  return figures(one) === figures(other);
}

function reportUnknownTee(
  { card, unreadable }: CardReading,
  versions: readonly CourseVersion[],
  findings: Findings,
) {
  const { TeeID, TeeName } = card.Course;
  if (unreadable.has("/Course/TeeID") || unreadable.has("/Course/TeeName")) return;
  const tees = versions[0] === undefined ? [] : versionFacts(versions[0]).tees;
  const expected = tees.map(({ ID, Name }) => ({ TeeID: ID, TeeName: Name }));
  const named = versions[0] === undefined ? "the course" : courseName(versions[0]);
  if (tees.length === 0) {
    const detail =
      "The union's register has no tees for this course. Its club has to complete it; nothing is to be corrected in the card. Send it again when that is done.";
    findings.fault("/Course/CourseID", "course_register_incomplete", detail);
  } else if (typeof TeeID === "string") {
    const detail = `No version of ${named} has a tee with this TeeID. Send one that it has.`;
    findings.fault("/Course/TeeID", "tee_unknown", detail, { expected, received: TeeID });
  } else if (TeeName) {
    const detail = `No version of ${named} has a tee of this name. Send one that it has, or better its TeeID.`;
    findings.fault("/Course/TeeName", "tee_unknown", detail, { expected, received: TeeName.slice(0, 100) });
  } else {
    const detail = "Course/TeeID is missing. Send the ID of the tee that was played, or TeeName.";
    findings.fault("/Course/TeeID", "required", detail, { expected });
  }
}
