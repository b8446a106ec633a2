import { timestamp } from "../base/union-time.ts";
import type { UnionClub, UnionCourseVersion, UnionMember } from "./records.ts";
import type { UnionData } from "./union-data.ts";

/** A version and when it last changed, in milliseconds since 1970. */
export interface RegisteredVersion {
  readonly version: UnionCourseVersion;
  readonly changed: number;
}

/** Identifies a member, by one or both identifiers. */
interface MemberReference {
  readonly lifeTimeId?: string | undefined;
  readonly unionId?: string | undefined;
}

/** Lookups in the union's database; identifiers ignore case. */
export interface Register {
  /** Zone of the clubs, an IANA name. */
  readonly timeZone: string;
  readonly clubs: readonly UnionClub[];
  club(id: string): UnionClub | undefined;
  coursesOf(clubId: string): readonly RegisteredVersion[];
  /** All versions of a course, by the ID of any version or by its TemplateID; empty if there is no such course. */
  versions(courseId: string): readonly RegisteredVersion[];
  member(reference: MemberReference): UnionMember | undefined;
  memberById(id: string): UnionMember | undefined;
}

const key = (identifier: string) => identifier.toUpperCase();

function appendTo<T>(lists: Map<string, T[]>, id: string, entry: T): void {
  const list = lists.get(id);
  if (list === undefined) lists.set(id, [entry]);
  else list.push(entry);
}

/** The register of a union's data. */
export function createRegister(data: UnionData): Register {
  const clubs = new Map(data.clubs.map((club) => [key(club.ID), club]));
  const byClub = new Map<string, RegisteredVersion[]>();
  const byTemplate = new Map<string, RegisteredVersion[]>();
  const templates = new Map<string, string>();
  const byLifeTimeId = new Map<string, UnionMember>();
  const byUnionId = new Map<string, UnionMember>();
  const byId = new Map(data.members.map((member) => [key(member.ID), member]));

  function add(entry: RegisteredVersion): void {
    const { ID, TemplateID, ClubID } = entry.version;
    const template = key(TemplateID);
    appendTo(byClub, key(ClubID), entry);
    appendTo(byTemplate, template, entry);
    templates.set(key(ID), template).set(template, template);
  }

  for (const version of data.courses) add({ version, changed: data.changed.get(version.ID) ?? 0 });
  for (const member of data.members) {
    byLifeTimeId.set(key(member.LifeTimeID), member);
    for (const { UnionID } of member.Memberships) byUnionId.set(key(UnionID), member);
  }

  return {
    timeZone: data.timeZone,
    clubs: data.clubs,
    club: (id) => clubs.get(key(id)),
    coursesOf: (clubId) => byClub.get(key(clubId)) ?? [],
    versions: (courseId) => byTemplate.get(templates.get(key(courseId)) ?? "") ?? [],
    memberById: (id) => byId.get(key(id)),
    member({ lifeTimeId, unionId }) {
      const found = [
        ...(lifeTimeId === undefined ? [] : [byLifeTimeId.get(key(lifeTimeId))]),
        ...(unionId === undefined ? [] : [byUnionId.get(key(unionId))]),
      ];
      return found.every((member) => member === found[0]) ? found[0] : undefined;
    },
  };
}

/**
 * The version of a course in force at a time; if none is, the newest.
 *
 * @param versions of one course
 * @see union-api, Course activity and versions
 */
export function courseOfToday<T extends RegisteredVersion>(versions: readonly T[], now: Date): T | undefined {
  const newestFirst = versions.toSorted((one, other) => byActivation(other, one));
  const today = timestamp(now);
  const inForce = newestFirst.find(({ version }) => version.IsActive && version.ActivationDate <= today);
  return inForce ?? newestFirst[0];
}

function byActivation({ version: one }: RegisteredVersion, { version: other }: RegisteredVersion): number {
  if (one.ActivationDate !== other.ActivationDate) return one.ActivationDate < other.ActivationDate ? -1 : 1;
  return one.Version - other.Version;
}
