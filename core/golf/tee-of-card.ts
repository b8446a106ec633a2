import { rankHoles } from "@scorecard-pipeline/whs";
import { guidKey } from "../formats/identifiers.ts";
import { readTenThousandths } from "../formats/ten-thousandths.ts";
import { type CourseVersion, courseName, isShown, sameName, type Tee } from "./course.ts";
import { preferred } from "./course-of-round.ts";
import { versionFacts } from "./course-versions.ts";
import type { FaultCode, Findings } from "./findings.ts";
import type { CardHole, CardReading, ReadableCard } from "./scorecard.ts";
import {
  type CompleteHoles,
  courseHandicapsByRule,
  isRepeated,
  isRoundLength,
  repeatedIndex,
  type TeeNumbers,
  teeNumbers,
} from "./tee-numbers.ts";

type CourseField = ReadableCard["Course"];

/** A number of a card that differs from the register's. */
export interface RegisterMismatch {
  readonly pointer: string;
  readonly code: FaultCode;
  readonly expected: number;
  readonly received: number | string;
}

/** A tee of the register that a card may have been played from. */
export interface RegisteredTee {
  readonly version: CourseVersion;
  readonly tee: Tee;
  readonly numbers: TeeNumbers;
  /** The card's own numbers that differ from these. */
  readonly mismatches: readonly RegisterMismatch[];
}

/**
 * The tee that a card was played from: the one it names and, if several fit, the one whose numbers it brings.
 *
 * @param ofRound the version that the round was played on, if there is one
 * @param all every version of the course that the union had at the time, the one activated last first
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

  const others = all.filter((version) => version !== ofRound);
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

/** The tee of any of the versions that a card names, with the numbers nearest to the card's. */
export const closestTee = (course: CourseField, versions: readonly CourseVersion[]) =>
  closest(versions.flatMap((version) => namedTees(course, [version])));

/** A tee of the register, with the numbers of a card that differ from it. */
export function compareWithTee(course: CourseField, version: CourseVersion, tee: Tee): RegisteredTee {
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
    if (byId !== undefined) return [compareWithTee(course, version, byId)];
    const byName = key === undefined && TeeName ? tees.filter(({ Name }) => sameName(Name, TeeName)) : [];
    if (byName.length > 0) return byName.map((tee) => compareWithTee(course, version, tee));
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
      return counterpart === undefined ? [] : compareWithTee(course, version, counterpart);
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
  const { CourseID, TeeID, TeeName } = card.Course;
  if (unreadable.has("/Course/TeeID") || unreadable.has("/Course/TeeName")) return;
  // The round's version or, if there is none, the one activated last.
  const [version] = versions;
  const tees = version === undefined ? [] : versionFacts(version).tees;
  const shown = new Set(
    versions.filter(isShown).flatMap((version) => versionFacts(version).tees.map(({ ID }) => ID)),
  );
  const expected = tees
    .filter(({ ID }) => shown.has(ID))
    // Other courses may have the same tee.
    .map(({ ID, Name }) => ({
      ...(CourseID === undefined && { CourseID: version?.TemplateID }),
      ...{ TeeID: ID, TeeName: Name },
    }));
  const named = version === undefined ? "the course" : courseName(version);
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

/** The numbers of a card that differ from the register's; a number that either leaves out does not differ. */
function findMismatches(course: CourseField, tee: TeeNumbers): readonly RegisterMismatch[] {
  const found: RegisterMismatch[] = [];
  const compare = (
    code: FaultCode,
    received: number | string | undefined,
    expected: number | undefined,
    field: string,
    hole?: number,
  ) => {
    if (received === undefined || expected === undefined || Number(received) === expected) return;
    const pointer = hole === undefined ? `/Course/${field}` : `/Course/Holes/${hole}/${field}`;
    found.push({ pointer, code, expected, received });
  };
  compare("total_mismatch", course.TeePar, tee.par, "TeePar");
  compare("tee_rating_mismatch", course.TeeRating, tee.rating, "TeeRating");
  compare("tee_slope_mismatch", course.TeeSlope, tee.slope, "TeeSlope");
  // A tee with neither 9 nor 18 holes is the register's mistake, so the card's list may differ.
  if (course.Holes === undefined || !isRoundLength(tee.holes.length)) return found;
  compare("holes_count", course.Holes.length, tee.holes.length, "Holes");
  if (course.Holes.length !== tee.holes.length) return found;
  const places = placesInRegister(course.Holes, tee);
  const isRenumbered = haveOrderOf(course.Holes, tee);
  const indexes =
    tee.complete?.indexes ?? tee.indexes.map((index) => (isRepeated(index, tee.indexes) ? undefined : index));
  let hole = 0;
  for (const { Par, Index } of course.Holes) {
    const place = places?.[hole] ?? hole;
    compare("hole_par_mismatch", Par, tee.pars[place], "Par", hole);
    if (!isRenumbered) compare("hole_index_mismatch", Index, indexes[place], "Index", hole);
    hole++;
  }
  return found;
}

/**
 * Whether the stroke indexes of nine holes are in the register's order: 1 to 9 for the odd or the even ones up to 18, or the other way
 * round. Only the order counts, and a committee may number them so.
 *
 * @see Rules of Handicapping, appendix E
 */
function haveOrderOf(holes: readonly CardHole[], { complete }: TeeNumbers): boolean {
  if (complete === undefined || holes.length !== 9) return false;
  const indexes = holes.flatMap(({ Index }) => Index ?? []);
  return indexes.length === 9 && rankHoles(indexes).every((rank, hole) => rank === complete.ranks[hole]);
}

/** Whether a card's holes have these numbers, in this order. A hole that the card gives no number fits every number. */
function haveNumbers(holes: readonly CardHole[], numbers: TeeNumbers["numbers"]): boolean {
  let place = 0;
  for (const { Number: number } of holes) {
    if (number !== undefined && number !== numbers[place]) return false;
    place++;
  }
  return true;
}

/**
 * The place in the register of each hole of a card that lists them in another order, from the tenth on for instance.
 *
 * @returns undefined if the order is the same, or if the two have different hole numbers
 */
export function placesInRegister(holes: readonly CardHole[], tee: TeeNumbers): readonly number[] | undefined {
  if (haveNumbers(holes, tee.numbers)) return undefined;
  const places = holes.map((hole) => (hole.Number === undefined ? -1 : tee.numbers.indexOf(hole.Number)));
  return !places.includes(-1) && new Set(places).size === tee.holes.length ? places : undefined;
}

/**
 * Pars and stroke indexes of the holes that a round was played on: the card's own and, for what it leaves out, the
 * register's. They are in the card's order where it lists its holes, else by number.
 *
 * @param sent the card's own holes; where they disagree with the register, a fault has been collected
 * @param tee undefined on a course that is not the union's
 * @returns undefined if one is missing, a stroke index is on two holes, or there are not 9 or 18 holes
 */
export function holesOfRound(
  sent: readonly CardHole[] | undefined,
  tee: TeeNumbers | undefined,
): CompleteHoles | undefined {
  if (sent === undefined) return tee?.complete;
  // If the register has more holes or fewer than the card, it is not known which of the card's holes each is.
  const registered = tee?.holes.length === sent.length ? tee : undefined;
  const places = registered && placesInRegister(sent, registered);
  if (registered?.complete !== undefined && places === undefined) return registered.complete;
  const pars: number[] = [];
  const indexes: number[] = [];
  for (const [hole, { Par, Index }] of sent.entries()) {
    const place = places?.[hole] ?? hole;
    const par = Par ?? registered?.pars[place];
    const index = Index ?? registered?.indexes[place];
    if (par === undefined || index === undefined) return undefined;
    pars.push(par);
    indexes.push(index);
  }
  const countable = isRoundLength(pars.length) && repeatedIndex(indexes) === undefined;
  return countable ? { pars, indexes, ranks: rankHoles(indexes) } : undefined;
}
