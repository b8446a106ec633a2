import { elementTexts, memberText, withMember } from "../formats/exact-json.ts";
import { readFlag } from "../formats/flag.ts";
import { earliestInstantOf, instantOf, isTimestamp, wallClock } from "../formats/union-time.ts";
import type { CourseVersion, Tee } from "../golf/course.ts";
import { coursesInForce } from "../golf/course-versions.ts";

/** A course version, and when it last changed. */
export interface ChangedVersion {
  /** JSON as the union sent it. */
  readonly text: string;
  readonly version: CourseVersion;
  /** When it was first seen as it is now, in milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** One key of an order: a property, and whether its highest value comes first. */
export interface SortKey<Property extends string> {
  readonly property: Property;
  readonly descending: boolean;
}

/** Filters and order of a list of course versions. */
export interface CourseQuery {
  /** Only what changed after this instant, in milliseconds since 1970, UTC. */
  readonly changedSince?: number | undefined;
  /** The versions that the union has removed from the club, instead of those that it lists. */
  readonly removed?: boolean | undefined;
  /** Only active versions, or only inactive ones. */
  readonly active?: boolean | undefined;
  /** Only the version of each course that is in force at this instant, in milliseconds since 1970, UTC. */
  readonly inForceAt?: number | undefined;
  readonly sort: readonly SortKey<CourseProperty>[];
  readonly sortTees: readonly SortKey<TeeProperty>[];
  readonly withTees: boolean;
}

/** A query parameter with a value that is not allowed. */
export interface QueryFault {
  /** The parameter, by its name in the union's document. */
  readonly parameter: string;
  /** The allowed values, for the vendor's developer. */
  readonly detail: string;
  readonly received: string;
}

/** The properties that course versions can be sorted by. @see union-api, Query parameters of endpoints 3 and 4 */
export const courseProperties = [
  "Name",
  "NumberOfHoles",
  "ActivationDate",
  "IsActive",
  "IsHcpQualifying",
  "IsVisible",
  "Version",
] as const;
/** The properties that tees can be sorted by. @see union-api, Query parameters of endpoints 3 and 4 */
export const teeProperties = [
  "Name",
  "Gender",
  "TotalLength",
  "CourseRating",
  "SlopeRating",
  "IsNineHole",
  "LastUpdateDate",
] as const;

/** A property that course versions can be sorted by. */
export type CourseProperty = (typeof courseProperties)[number];
/** A property that tees can be sorted by. */
export type TeeProperty = (typeof teeProperties)[number];

/**
 * Reads the query parameters of a request for courses. Unknown parameters are ignored, as at the union.
 *
 * @param parameters every value of each parameter, by its name in lower case
 * @param timeZone the union's, for `inforce`. The union's document does not say whether `changedsince` is in it or in
 *   UTC: the earliest possible instant counts, so a change may be shown twice but is never missed
 * @returns the query, or every value that is not allowed
 */
export function readCourseQuery(
  parameters: ReadonlyMap<string, readonly string[]>,
  timeZone: string,
): { readonly query: CourseQuery } | { readonly faults: readonly QueryFault[] } {
  const faults: QueryFault[] = [];

  /** Reads a parameter; if it is repeated, its values are joined by commas. An empty one counts as left out. */
  function read<T>(
    parameter: string,
    allowed: string,
    parse: (value: string) => T | undefined,
  ): T | undefined {
    const sent = parameters.get(parameter.toLowerCase()) ?? [];
    const received = sent.filter((value) => value !== "").join(",");
    if (received === "") return undefined;
    const parsed = parse(received);
    if (parsed === undefined)
      faults.push({ parameter, detail: `${parameter} must be ${allowed}.`, received });
    return parsed;
  }

  const timestamp = "a real date and time of the form yyyymmddThhmmss";
  const instant = (value: string) => (isTimestamp(value) ? instantOf(wallClock(value), timeZone) : undefined);
  const earliest = (value: string) =>
    isTimestamp(value)
      ? Math.min(wallClock(value), earliestInstantOf(wallClock(value), timeZone))
      : undefined;
  const isTees = (value: string) => value.trim().toLowerCase() === "tees";
  const query: CourseQuery = {
    changedSince: read("changedsince", timestamp, earliest),
    inForceAt: read("inforce", timestamp, instant),
    active: read("active", "0 or 1", readFlag),
    removed: read("removed", "0 or 1", readFlag),
    sort: read("sort", sortForm(courseProperties), (value) => readSort(value, courseProperties)) ?? [],
    sortTees: read("sortTee", sortForm(teeProperties), (value) => readSort(value, teeProperties)) ?? [],
    withTees:
      read("excludeParams", "tees", (value) => (value.split(",").every(isTees) ? false : undefined)) ?? true,
  };
  return faults.length > 0 ? { faults } : { query };
}

const sortForm = (properties: readonly string[]) =>
  `pairs PropName:Direction with commas between, PropName one of ${properties.join(", ")}, Direction 0 (ascending) or 1 (descending)`;

function readSort<Property extends string>(
  value: string,
  properties: readonly Property[],
): SortKey<Property>[] | undefined {
  const keys = value.split(",").map((pair): SortKey<Property> | undefined => {
    const [name = "", direction, ...rest] = pair.split(":");
    const property = properties.find((known) => known.toLowerCase() === name.trim().toLowerCase());
    const known = (direction === "0" || direction === "1") && rest.length === 0;
    return property !== undefined && known ? { property, descending: direction === "1" } : undefined;
  });
  if (!keys.every((key) => key !== undefined)) return undefined;
  // A repeated property does not change the order, but would be compared again for every pair of equal versions.
  const first = new Map<Property, SortKey<Property>>();
  for (const key of keys) if (!first.has(key.property)) first.set(key.property, key);
  return [...first.values()];
}

/**
 * The course versions that a query asks for, in its order; what it does not order stays as it was.
 *
 * @param versions all those of one or several courses, since which one is in force depends on the others
 */
export function selectCourses<Version extends ChangedVersion>(
  query: CourseQuery,
  versions: readonly Version[],
): Version[] {
  const { active, changedSince, inForceAt } = query;
  const all = versions.map(({ version }) => version);
  const inForce = inForceAt === undefined ? undefined : new Set(coursesInForce(all, new Date(inForceAt)));
  const order = by(query.sort);
  return versions
    .filter(
      ({ version, changedAt }) =>
        (active === undefined || (version.IsActive === true) === active) &&
        (changedSince === undefined || changedAt > changedSince) &&
        (inForce === undefined || inForce.has(version)),
    )
    .sort((one, other) => order(one.version, other.version));
}

/**
 * The text of a version with its tees as a query wants them; all else is as the union sent it.
 *
 * @see union-api, Course: an empty list when they are excluded
 */
export function withTees(
  { withTees: wanted, sortTees }: CourseQuery,
  { text, version }: ChangedVersion,
): string {
  if (!wanted) return withMember(text, "Tees", "[]");
  const { Tees: tees } = version;
  if (sortTees.length === 0 || !Array.isArray(tees)) return text;
  const order = by<Tee>(sortTees);
  const texts = elementTexts(memberText(text, "Tees") ?? "[]");
  const sorted = [...tees.entries()].sort(([, one], [, other]) => order(one, other));
  return withMember(text, "Tees", `[${sorted.map(([place]) => texts[place]).join()}]`);
}

function by<Entry extends object>(keys: readonly SortKey<string>[]): (one: Entry, other: Entry) => number {
  const value = (entry: Entry, property: string) =>
    (entry as Readonly<Record<string, unknown>> | null)?.[property];
  return (one, other) => {
    for (const { property, descending } of keys) {
      const order = compare(value(one, property), value(other, property), texts.has(property));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** Properties that are compared as texts, even if a value is all digits. */
const texts: ReadonlySet<string> = new Set<CourseProperty | TeeProperty>([
  "Name",
  "ActivationDate",
  "LastUpdateDate",
]);

/**
 * Compares texts and timestamps by their characters, all else as numbers: so is a rating that the register has as a
 * text, and false comes before true. Missing values come first, and so do texts that are not numbers.
 */
function compare(one: unknown, other: unknown, asTexts: boolean): number {
  const value = (found: unknown): string | number | undefined => {
    if (found === undefined || found === null) return undefined;
    if (asTexts) return String(found);
    const number = Number(found);
    return Number.isNaN(number) ? undefined : number;
  };
  const [first, second] = [value(one), value(other)];
  if (first === undefined || second === undefined)
    return Number(first !== undefined) - Number(second !== undefined);
  return Number(first > second) - Number(first < second);
}
