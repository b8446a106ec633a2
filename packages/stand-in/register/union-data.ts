import { type StandInProfile, unionProfiles } from "../base/union-profile.ts";
import { unionYear } from "../base/union-time.ts";
import { inventClub } from "./club.ts";
import { type CourseKind, type DatedVersion, inventCourse, type VersionHistory } from "./invented-course.ts";
import { inventMembers } from "./member.ts";
import type { UnionClub, UnionCourseVersion, UnionMember } from "./records.ts";

/** The union's data. */
export interface UnionData {
  readonly clubs: readonly UnionClub[];
  readonly courses: readonly UnionCourseVersion[];
  readonly members: readonly UnionMember[];
  /** Time of a version's last change, in milliseconds since 1970, by its ID. */
  readonly changed: ReadonlyMap<string, number>;
  /** Zone of its clubs, an IANA name. */
  readonly timeZone: string;
}

interface InventedUnion {
  readonly seed: number;
  readonly clubs: number;
  readonly members: number;
  /** The current time, for activation dates. */
  readonly now: Date;
  /** The union that it is; by default the first of {@link unionProfiles}. */
  readonly profile?: StandInProfile | undefined;
}

/** Any eight clubs in a row have every history. */
const histories: readonly VersionHistory[] = [
  "replaced",
  "single",
  "coming",
  "replaced",
  "tied",
  "single",
  "announced",
  "replaced",
];

/** The courses of a club, by its index: every kind occurs among any ten clubs. */
function coursesOf(
  place: number,
): readonly (readonly [name: string, kind: CourseKind, history: VersionHistory])[] {
  const history = histories[place % histories.length] ?? "single";
  const main =
    place % 9 === 8
      ? (["9 huller", "nine", history] as const)
      : (["18 huller", "eighteen", history] as const);
  return [
    main,
    ...(place % 5 === 2 ? [["Skovbanen", "eighteen", "single"] as const] : []),
    ...(place % 4 === 1 ? [["Søbanen", "nine", "replaced"] as const] : []),
    ...(place % 7 === 3 ? [["Par 3-banen", "practice", "single"] as const] : []),
    ...(place % 10 === 0 ? [["Den nye bane", "eighteen", "new"] as const] : []),
  ];
}

/** Invents a union: the same one for the same seed on the same day. */
export function inventUnion(union: InventedUnion): UnionData {
  const { seed, clubs, members, now, profile = unionProfiles.denmark } = union;
  const { timeZone, phonePrefix } = profile;
  const invented = Array.from({ length: clubs }, (_, place) => inventClub(seed, place, phonePrefix));
  const versions = invented.flatMap((club, place) =>
    coursesOf(place).flatMap(([name, kind, history]) =>
      inventCourse({ seed, club, name, kind, history, now, timeZone }),
    ),
  );
  const people = inventMembers(seed, members, invented, unionYear(now, timeZone));
  return unionData(invented, versions, people, timeZone);
}

/** The data of a union with these clubs, course versions and members. */
function unionData(
  clubs: readonly UnionClub[],
  versions: readonly DatedVersion[],
  members: readonly UnionMember[],
  timeZone: string,
): UnionData {
  return {
    clubs,
    courses: versions.map(({ version }) => version),
    members,
    timeZone,
    changed: new Map(versions.map(({ version, changed }) => [version.ID, changed.getTime()])),
  };
}

/** The same data with a version added, or replacing the one with its ID. */
export function withVersion(data: UnionData, version: UnionCourseVersion, changed: Date): UnionData {
  return {
    ...data,
    courses: [...data.courses.filter(({ ID }) => ID !== version.ID), version],
    changed: new Map(data.changed).set(version.ID, changed.getTime()),
  };
}
