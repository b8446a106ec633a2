import { guidKey } from "../../../core/formats/identifiers.ts";
import type { Club, CourseVersion } from "../../../core/golf/course.ts";
import type { RegisterRecord } from "../../../core/register/record.ts";
import type { CourseRegisterClient } from "../../../core/register/union-register.ts";
import { UnionUnavailableError } from "../../../core/union/union-unavailable-error.ts";

const guid = (kind: string, number: number) =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`.toUpperCase();

/** A club of the register, with the fields that these tests need. */
export function club(number: number, given: Partial<Club> = {}): Club {
  return { ID: guid("A", number), UnionNumber: number, Name: `Club ${number}`, ShortName: "ABC", ...given };
}

/** The first version of a club's only course. */
export function version(number: number, given: Partial<CourseVersion> = {}): CourseVersion {
  return {
    ID: guid("B", number),
    TemplateID: guid("C", number),
    ClubID: guid("A", number),
    Name: `Course ${number}`,
    NumberOfHoles: 18,
    ActivationDate: "20250331T220000" as CourseVersion["ActivationDate"],
    IsActive: true,
    IsHcpQualifying: true,
    IsVisible: true,
    Version: 1,
    Tees: [],
    ...given,
  } as CourseVersion;
}

/** A club or version as the union sends it. */
export const recordOf = (one: Club | CourseVersion): RegisterRecord => ({
  id: guidKey(one.ID),
  text: JSON.stringify(one),
});

const skippedEntries = (count = 0) => Array.from({ length: count }, () => "An entry has no ID.");

/** A union that holds the given clubs and versions, records its requests, and fails for the clubs in `failing`. */
export function unionInMemory(clubs: Club[], versions: (CourseVersion & { changedAt?: string })[]) {
  const asked: { clubId: string; since: string | undefined }[] = [];
  const listings = { count: 0 };
  const failing = new Set<string>();
  /** Number of unreadable entries in a response, by club ID, or `clubs` for the list of clubs. */
  const unreadable = new Map<string, number>();
  const register: CourseRegisterClient = {
    async clubs() {
      listings.count++;
      if (failing.has("clubs")) throw new UnionUnavailableError("down");
      return { entries: clubs.map(recordOf), skipped: skippedEntries(unreadable.get("clubs")) };
    },
    async courses(_account, clubId, since) {
      asked.push({ clubId, since });
      if (failing.has(clubId)) throw new UnionUnavailableError("down");
      if (!clubs.some(({ ID }) => ID === clubId)) return undefined;
      const entries = versions
        .filter(({ ClubID }) => ClubID === clubId)
        .filter(({ changedAt }) => since === undefined || (changedAt ?? "") > since)
        .map(({ changedAt: _, ...shown }) => recordOf(shown as CourseVersion));
      return { entries, skipped: skippedEntries(unreadable.get(clubId)) };
    },
  };
  return { register, asked, listings, failing, unreadable };
}
