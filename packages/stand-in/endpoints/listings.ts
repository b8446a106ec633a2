import { LRUCache } from "lru-cache";
import type { Register } from "../register/register.ts";

/** Frequent responses, cached as JSON text. */
export interface Listings {
  clubs(): string;
  /** All versions of the courses of a club, as they are. */
  courses(clubId: string): string;
}

/** More than the invented clubs; with more clubs, the least recently used text is dropped. */
const clubsKept = 500;

/** The listings of a register, each created at its first request. */
export function createListings(register: Register): Listings {
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
