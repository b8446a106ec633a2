import type { CourseVersion } from "../golf/course.ts";
import { versionFacts } from "../golf/course-versions.ts";
import { teeNumbers } from "../golf/tee-numbers.ts";

/**
 * Why the register is not enough to work out cards played on a course version, in words, one entry per fault.
 *
 * A version with faults is mirrored and shown as it is. Its club has to complete it.
 */
export function registerFaults(version: CourseVersion): string[] {
  const { tees, activatedAt } = versionFacts(version);
  const undated = activatedAt === Number.POSITIVE_INFINITY ? ["it has no activation date"] : [];
  if (tees.length === 0) return [...undated, "it has no tees"];
  const ofTees = tees.flatMap((tee) => {
    const { fault, ratingFault } = teeNumbers(tee);
    return [fault, ratingFault].flatMap((one) => (one === undefined ? [] : [`tee ${tee.Name}: ${one}`]));
  });
  return [...undated, ...ofTees];
}
