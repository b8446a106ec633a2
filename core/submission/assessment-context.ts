import type { ApiSet } from "../account/api-set.ts";
import type { CourseLookup } from "../mirror/course-lookup.ts";
import { serviceUnavailable } from "../problem/problem.ts";
import type { AssessmentContext } from "../scorecard/assess.ts";
import { courseReferences } from "../scorecard/named-in-cards.ts";
import { guidKey } from "../wire/guid.ts";

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
 * @throws ProblemError 503 where a course cannot be asked for
 */
export async function assessmentContext(
  apiSet: ApiSet,
  cards: readonly unknown[],
  { courses, now, timeZone }: AssessmentDependencies,
): Promise<AssessmentContext> {
  const register = await courses.find(courseReferences(cards)).catch((cause) => {
    const detail = "A card names a course that is not mirrored yet, and the union cannot be asked for it.";
    throw serviceUnavailable(detail, { retryAfterSeconds: 30, cause });
  });
  return { apiSet, now: now(), timeZone, courses: (id) => register.get(guidKey(id)) };
}
