import type { ApiSet } from "../accounts/api-set.ts";
import type { CourseLookup } from "../courses/course-lookup.ts";
import { guidKey } from "../formats/guid.ts";
import { unavailable } from "../refusal.ts";
import type { AssessmentContext } from "../scorecard/assess.ts";
import { courseReferences } from "../scorecard/references.ts";

/** What judging needs from outside. */
export interface AssessmentDependencies {
  readonly courses: CourseLookup;
  readonly now: () => Date;
  /** The union's time zone. */
  readonly timeZone: string;
}

/**
 * What the cards of a submission are judged by: the time, and the courses they name.
 *
 * @throws RefusalError `unavailable` if the union cannot be asked for a course
 */
export async function assessmentContext(
  apiSet: ApiSet,
  cards: readonly unknown[],
  { courses, now, timeZone }: AssessmentDependencies,
): Promise<AssessmentContext> {
  const register = await courses.find(courseReferences(cards)).catch((cause) => {
    const detail = "A card names a course that is not mirrored yet, and the union cannot be asked for it.";
    throw unavailable(detail, { retryAfterSeconds: 30, cause });
  });
  return { apiSet, now: now(), timeZone, courses: (id) => register.get(guidKey(id)) };
}
