import { LRUCache } from "lru-cache";
import type { Register } from "../register/register.ts";

/** Answers that are asked for again and again, as JSON text. */
export interface Listings {
  /** All clubs. */
  clubs(): string;
  /** All versions of the courses of a club, as they are. */
  courses(clubId: string): string;
}

/** Enough for every club that is made up; beyond, the text of a club is made when it is asked for. */
const clubsKept = 500;

/** Makes the listings of a register, each when it is first asked for. */
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
