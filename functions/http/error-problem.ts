import { RefusalError } from "../../core/golf/refusal.ts";
import { UnionUnavailableError } from "../../core/union/union-unavailable-error.ts";
import { logError, reportUnexpected } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { ProblemError, problem, problemOf } from "./problem.ts";

/** The problem to respond with. Logs server errors, counts those of the union, and reports those that nothing foresees. */
export function toProblem(error: unknown): ProblemError {
  const known = error instanceof RefusalError ? problemOf(error) : error;
  if (known instanceof ProblemError) {
    const { status } = known.problem;
    if (status >= 500) logError({ message: "answered without success", status }, known.cause);
    if (known.cause instanceof UnionUnavailableError) measure({ UnionFailures: 1 });
    return known;
  }
  reportUnexpected(error);
  return new ProblemError(
    problem(500, "Internal error", "Nothing was wrong with the request. Send it again later."),
  );
}
