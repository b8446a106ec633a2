import { LRUCache } from "lru-cache";
import type { UnionCourseVersion } from "../register/records.ts";
import { createRegister, type Register } from "../register/register.ts";
import { type UnionData, withVersion } from "../register/union-data.ts";

/** Frequent responses, cached as JSON text. */
interface Listings {
  clubs(): string;
  /** All versions of the courses of a club, as they are. */
  courses(clubId: string): string;
}

/** More than the invented clubs; with more clubs, the least recently used text is dropped. */
const clubsKept = 500;

/** The listings of a register, each created at its first request. */
function createListings(register: Register): Listings {
  let clubs: string | undefined;
  const courses = new LRUCache<string, string>({
    max: clubsKept,
    memoMethod: (clubId) => JSON.stringify(register.coursesOf(clubId).map(({ version }) => version)),
  });
  return {
    clubs() {
      clubs ??= JSON.stringify(register.clubs);
      return clubs;
    },
    courses: (clubId) => courses.memo(clubId.toUpperCase()),
  };
}

/** The union's current data, with its lookups and listings. */
export interface Union {
  readonly data: UnionData;
  readonly register: Register;
  readonly listings: Listings;
  /** Adds a version of a course that changed at this time, or replaces the one with its ID. */
  publish(version: UnionCourseVersion, changed: Date): void;
}

export function createUnion(initial: UnionData): Union {
  let data = initial;
  let register = createRegister(data);
  let listings = createListings(register);
  return {
    get data() {
      return data;
    },
    get register() {
      return register;
    },
    get listings() {
      return listings;
    },
    publish(version, changed) {
      data = withVersion(data, version, changed);
      register = createRegister(data);
      listings = createListings(register);
    },
  };
}
