import { oneStroke } from "../formats/ten-thousandths.ts";
import { readTypedTexts } from "../formats/typed-texts.ts";
import type { Tee } from "../golf/course.ts";
import { type VersionFacts, versionFacts } from "../golf/course-versions.ts";
import { documentedCourseVersion } from "../golf/documented-course.ts";
import { isRoundLength, teeNumbers } from "../golf/tee-numbers.ts";
import { type RegisterRecord, readVersion } from "./record.ts";

/** Something in an active version of a course that its club should correct. */
export interface RegisterFinding {
  readonly course: string;
  /** ID of the version. */
  readonly version: string;
  readonly finding: string;
}

/** What a club should correct in its courses: what keeps cards from being scored, and what is most likely a mistake. */
export function registerFindings(records: readonly Pick<RegisterRecord, "text">[]): RegisterFinding[] {
  const active = records
    .map(({ text }) => ({ text, version: readVersion(text) }))
    .filter(({ version }) => versionFacts(version).active);
  const allFacts = active.map(({ version }) => versionFacts(version));
  return active.flatMap(({ text, version }) => {
    const facts = versionFacts(version);
    const { tees, activatedAt } = facts;
    const texts = new Set(readTypedTexts(documentedCourseVersion, JSON.parse(text)));
    const found = [
      ...(activatedAt === Number.POSITIVE_INFINITY ? ["it has no activation date"] : []),
      ...(texts.size > 0 ? [`these texts should be numbers or Booleans: ${[...texts].join(", ")}`] : []),
      ...tees.flatMap((tee) => findInTee(tee).map((one) => `tee ${tee.Name}: ${one}`)),
      ...findGenders(tees),
      ...findOverlaps(facts, allFacts),
    ];
    return found.map((finding) => ({ course: String(version.Name), version: version.ID, finding }));
  });
}

function findInTee(tee: Tee): string[] {
  const { fault, ratingFault, lengths, holes } = teeNumbers(tee);
  const rating = Number(tee.CourseRating);
  const sum = lengths.reduce<number>((total, length) => total + (length ?? 0), 0);
  const isSum = lengths.includes(undefined) || !isRoundLength(holes.length) || sum === tee.TotalLength;
  const reason =
    rating > 0 && rating < 2 * oneStroke
      ? `its CourseRating ${rating} is not times 10,000`
      : holes.length === 9 && rating >= 50 * oneStroke
        ? `its CourseRating of nine holes, ${rating / oneStroke}, is that of eighteen`
        : ratingFault;
  return [
    ...[fault, reason].filter((one) => one !== undefined),
    ...(isSum ? [] : [`its holes have ${sum} m, and TotalLength is ${tee.TotalLength}`]),
  ];
}

/** A tee needs a rating for each gender, which is a tee of its own. */
function findGenders(tees: readonly Tee[]): string[] {
  if (tees.length === 0) return ["it has no tees"];
  const genders = new Set(tees.map(({ Gender }) => Gender));
  if (tees.length === 1 || genders.size > 1) return [];
  return [`all tees have Gender ${[...genders].join()}: the other gender has no rating`];
}

/** Versions of a course that are active from the same time on: which one counts is decided by Version alone. */
function findOverlaps(own: VersionFacts, active: readonly VersionFacts[]): string[] {
  const { templateId, activatedAt } = own;
  const others = active.filter((one) => one.templateId === templateId && one.activatedAt === activatedAt);
  const numbers = others.filter((one) => one !== own).map(({ version }) => version);
  return numbers.length === 0 ? [] : [`it is active from the same time as version ${numbers.join(", ")}`];
}
