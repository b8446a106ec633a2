import type { CourseLookup } from "../../../core/register/course-lookup.ts";

/** The lookup of a union without courses or clubs. */
export const noCourses: CourseLookup = {
  find: async () => new Map(),
  lookAgain: async () => ({ found: new Map(), unanswered: new Set() }),
  clubs: async () => ({ numbers: new Set(), ids: new Set() }),
};
