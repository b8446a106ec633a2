import { readSubmission } from "../../core/cards/read-submission.ts";
import { externalIdsOf } from "../../core/formats/external-ids.ts";
import { assessSubmission } from "../../core/golf/assess.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { courseReferences } from "../../core/register/course-references.ts";
import { problemOf } from "../../functions/http/problem.ts";
import { validation } from "../../functions/validate-scorecards/answer.ts";
import { context } from "../core/golf/sample-cards.ts";

/** All that is done with a body until it has been judged and can be answered. @returns the status of the answer */
export function takeSubmission(body: string): number {
  try {
    const cards = readSubmission(body);
    externalIdsOf(cards);
    courseReferences(cards);
    const assessments = assessSubmission(cards, context());
    const faults = assessments.flatMap((assessment) => (assessment.good ? [] : assessment.faults));
    JSON.stringify(
      problemOf(new RefusalError({ kind: "invalidCards", faults, cards: cards.length })).problem,
    );
    return validation(assessments).statusCode;
  } catch (error) {
    if (error instanceof RefusalError) return problemOf(error).problem.status;
    throw error;
  }
}
