import { dayMilliseconds } from "../formats/days.ts";
import { oneStroke } from "../formats/ten-thousandths.ts";
import {
  type CourseVersion,
  type RegisterRecord,
  readVersion,
  readVersionTexts,
  type Tee,
} from "../golf/course.ts";
import { versionFacts } from "../golf/course-versions.ts";
import { isRoundLength, teeNumbers } from "../golf/tee-numbers.ts";
import { registerFaults } from "./register-faults.ts";

/** Something in a club's courses that the club should look at. */
export interface RegisterFinding {
  readonly course: string;
  /** ID of the version. */
  readonly version: string;
  readonly finding: string;
}

/** What a club should look at in the courses that it lists: what keeps cards from being scored, and what is most likely a mistake. */
export function registerFindings(records: readonly Pick<RegisterRecord, "text">[]): RegisterFinding[] {
  const read = records.map(({ text }) => ({ text, version: readVersion(text) }));
  const versions = read.map(({ version }) => version);
  return read.flatMap(({ text, version }) => {
    const texts = [...new Set(readVersionTexts(JSON.parse(text)))];
    const found = [
      ...registerFaults(version),
      ...(texts.length > 0 ? [`${texts.join(", ")} as text`] : []),
      ...versionFacts(version).tees.flatMap((tee) => findInTee(tee).map((one) => `tee ${tee.Name}: ${one}`)),
      ...findGenders(version),
      ...findOverlaps(version, versions),
    ];
    return found.map((finding) => ({ course: String(version.Name), version: version.ID, finding }));
  });
}

function findInTee(tee: Tee): string[] {
  const { lengths, holes } = teeNumbers(tee);
  const rating = Number(tee.CourseRating);
  const sum = lengths.reduce<number>((total, length) => total + (length ?? 0), 0);
  const isShort = !lengths.includes(undefined) && isRoundLength(holes.length) && sum !== tee.TotalLength;
  return [
    ...(isShort ? [`its holes have ${sum} m, and TotalLength is ${tee.TotalLength}`] : []),
    ...(rating > 0 && rating < 2 * oneStroke ? [`its Course Rating ${rating} is not times 10,000`] : []),
    ...(holes.length === 9 && rating >= 55 * oneStroke
      ? [`its Course Rating of nine holes, ${rating / oneStroke}, is that of eighteen`]
      : []),
    ...((holes.length === 9) !== (tee.IsNineHole === true) && isRoundLength(holes.length)
      ? [`it has ${holes.length} holes, and IsNineHole is ${tee.IsNineHole}`]
      : []),
  ];
}

/** A tee needs a rating for each gender, which is a tee of its own. */
function findGenders(version: CourseVersion): string[] {
  const { tees, active } = versionFacts(version);
  const genders = new Set(tees.map(({ Gender }) => Gender));
  return active && tees.length > 1 && genders.size === 1
    ? [`all tees have Gender ${[...genders].join()}: the other gender has no rating`]
    : [];
}

/** Active versions of a course that were activated on the same day: which one counts is decided by Version alone. */
function findOverlaps(version: CourseVersion, all: readonly CourseVersion[]): string[] {
  const facts = versionFacts(version);
  const dayOf = (at: number) => Math.floor(at / dayMilliseconds);
  const others = all.filter((other) => {
    const { id, templateId, active, activatedAt } = versionFacts(other);
    const isSameCourse = id !== facts.id && templateId === facts.templateId;
    return isSameCourse && active && dayOf(activatedAt) === dayOf(facts.activatedAt);
  });
  const numbers = others.map(({ Version }) => Version);
  return facts.active && numbers.length > 0
    ? [`version ${version.Version} is active from the same day as version ${numbers.join(", ")}`]
    : [];
}
