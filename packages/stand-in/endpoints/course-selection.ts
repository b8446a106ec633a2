import { readTimestamp } from "../base/union-time.ts";
import type { UnionCourseVersion, UnionTee } from "../register/records.ts";
import type { RegisteredVersion } from "../register/register.ts";
import type { Query } from "./query.ts";
import { RefusalError } from "./refusal.ts";

type Comparison<T> = (one: T, other: T) => number;

/** Compares numbers by value, even if a record has one as text, and everything else as text. */
function compareValues(one: unknown, other: unknown, language: string): number {
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference)) return difference;
  return String(one).localeCompare(String(other), language);
}

/** The names of properties, by their names in lower case. */
const named = <T>(names: readonly (keyof T & string)[]): ReadonlyMap<string, keyof T> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

const courseProperties = named<UnionCourseVersion>([
  "Name",
  "NumberOfHoles",
  "ActivationDate",
  "IsActive",
  "IsHcpQualifying",
  "IsVisible",
  "Version",
]);

const teeProperties = named<UnionTee>([
  "Name",
  "Gender",
  "TotalLength",
  "CourseRating",
  "SlopeRating",
  "IsNineHole",
  "LastUpdateDate",
]);

/**
 * Parses `PropName:Direction` pairs, separated by commas. Unknown properties are ignored, because the union does not
 * validate its input.
 */
function readSort<T>(
  text: string,
  properties: ReadonlyMap<string, keyof T>,
  language: string,
): Comparison<T> {
  const steps = text.split(",").flatMap((pair) => {
    const [name = "", direction] = pair.split(":");
    const property = properties.get(name.trim().toLowerCase());
    if (property === undefined) return [];
    const compare: Comparison<T> = (one, other) => compareValues(one[property], other[property], language);
    return [direction?.trim() === "1" ? (one: T, other: T) => compare(other, one) : compare];
  });
  return (one, other) => {
    for (const step of steps) {
      const order = step(one, other);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/**
 * Filters and sorts versions as a request asks.
 *
 * @param language by which texts are sorted, an IETF tag
 * @throws RefusalError 500 if `changedsince` is not a timestamp
 * @see union-api, Query parameters of endpoints 3 and 4
 */
export function selectVersions(
  versions: readonly RegisteredVersion[],
  query: Query,
  language: string,
): RegisteredVersion[] {
  const { changedsince, active, sort } = query;
  let selected = [...versions];
  if (changedsince !== undefined) {
    const since = readTimestamp(changedsince)?.getTime();
    if (since === undefined)
      throw new RefusalError(500, `changedsince '${changedsince}' is not a valid date.`);
    selected = selected.filter(({ changed }) => changed > since);
  }
  if (active === "0" || active === "1") {
    selected = selected.filter(({ version }) => version.IsActive === (active === "1"));
  }
  if (sort !== undefined) {
    const order = readSort(sort, courseProperties, language);
    selected.sort((one, other) => order(one.version, other.version));
  }
  return selected;
}

/**
 * A version with its tees sorted or left out, as a request asks.
 *
 * The document says both that the property is omitted and that it is an empty list, as in a published answer: it is that.
 */
export function presentVersion(
  version: UnionCourseVersion,
  query: Query,
  language: string,
): UnionCourseVersion {
  if (query.excludeparams?.toLowerCase().split(",").includes("tees")) {
    return { ...version, Tees: [] };
  }
  if (query.sorttee === undefined) return version;
  return { ...version, Tees: version.Tees.toSorted(readSort(query.sorttee, teeProperties, language)) };
}
