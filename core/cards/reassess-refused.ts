import { guidKey } from "../formats/identifiers.ts";
import { type Assessment, assessSubmission } from "../golf/assess.ts";
import type { AssessmentContext } from "../golf/assessed-card.ts";
import type { FaultCode } from "../golf/findings.ts";
import { type RefusalError, unavailable } from "../golf/refusal.ts";
import type { CourseLookup } from "../register/course-lookup.ts";
import { readReference } from "../register/course-references.ts";
import type { RefusedReference } from "../register/read-refused.ts";
import { UnionUnavailableError } from "../union/union-unavailable-error.ts";

const unansweredSeconds = 30;
/** Faults of a card on a course, version or tee that the mirror does not have. */
const unknownCodes: ReadonlySet<string> = new Set<FaultCode>([
  "course_unknown",
  "tee_unknown",
  "version_not_in_force",
]);
/** Faults of a card that the union seldom knows better: its numbers may be those of such a version, or a removed course be back. */
const numberCodes: ReadonlySet<string> = new Set<FaultCode>([
  "course_register_incomplete",
  "course_removed",
  "holes_count",
  "tee_rating_mismatch",
  "tee_slope_mismatch",
  "hole_par_mismatch",
  "hole_index_mismatch",
]);

/** What a refused card says of its course, if its faults may come from a register that is out of date. */
function findReference(card: unknown, assessment: Assessment): RefusedReference | undefined {
  if (assessment.good) return undefined;
  const faults = assessment.faults.filter(({ code }) => unknownCodes.has(code) || numberCodes.has(code));
  const reference = readReference(card);
  if (faults.length === 0 || reference === undefined || !("courseId" in reference)) return undefined;
  const received = faults.map(({ code, pointer, received: value }) => [pointer, code, value]);
  return { ...reference, key: JSON.stringify([reference, received]) };
}

/** The assessments of a submission after a second look. */
export interface Reassessed {
  readonly assessments: readonly Assessment[];
  /** `unavailable` if cards can be neither accepted nor refused yet: they are not good, and have no fault. */
  readonly undecided?: RefusalError;
}

/**
 * Assesses a submission again if cards are refused for a course, version or tee that the mirror does not have, or has with other
 * numbers: the union may have added it since, and is asked. If it does not answer, such a card cannot be called wrong.
 *
 * @param begunAt when the submission was received, by `performance.now()`
 */
export async function reassessRefused(
  cards: readonly unknown[],
  assessments: readonly Assessment[],
  context: AssessmentContext,
  courses: Pick<CourseLookup, "lookAgain">,
  begunAt: number,
): Promise<Reassessed> {
  const references = assessments.map((assessment, index) => findReference(cards[index], assessment));
  const wanted = new Map(references.flatMap((one) => (one === undefined ? [] : [[one.key, one] as const])));
  if (wanted.size === 0) return { assessments };
  const { found, unanswered } = await courses.lookAgain([...wanted.values()], begunAt);
  const findVersions = (id: string) => found.get(guidKey(id)) ?? context.courses(id);
  const again = assessSubmission(cards, { ...context, courses: findVersions });
  const isUndecided = (assessment: Assessment) =>
    !assessment.good &&
    unanswered.has(references[assessment.index]?.key ?? "") &&
    assessment.faults.some(({ code }) => unknownCodes.has(code));
  if (!again.some(isUndecided)) return { assessments: again };
  const detail =
    "A card names a course, version or tee that is not mirrored, and the union, which may have added it by now, does not answer. It is asked again after Retry-After: send the same submission again then. If it has `Prefer: handling=lenient`, the other valid cards are accepted now.";
  return {
    assessments: again.map((one) => (isUndecided(one) ? { ...one, good: false, faults: [] } : one)),
    undecided: unavailable(detail, {
      retryAfterSeconds: unansweredSeconds,
      cause: new UnionUnavailableError("The union did not answer for a course."),
    }),
  };
}
