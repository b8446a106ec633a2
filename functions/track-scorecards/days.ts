import { countDays, type Days } from "../../core/formats/days.ts";
import { isDay } from "../../core/formats/union-time.ts";
import { ProblemError, problem } from "../http/problem.ts";

/** The most days of one request: some years are more than an answer can hold. */
export const daysLimit = 31;

/**
 * Reads `from` and `to` of a query.
 *
 * @param query values by name in lower case
 * @param today what a `to` that is left out is; `from` is then the same day as `to`
 * @throws ProblemError 400
 */
export function readDays(query: ReadonlyMap<string, readonly string[]>, today: string): Days {
  const [to = today, ...otherTo] = query.get("to") ?? [];
  const [from = to, ...otherFrom] = query.get("from") ?? [];
  const refusal = (detail: string) => new ProblemError(problem(400, "Which days?", detail));
  if (otherTo.length + otherFrom.length > 0) throw refusal("Give from and to once each.");
  if (!isDay(from) || !isDay(to)) {
    throw refusal("from and to are days, e.g. from=2026-07-04&to=2026-07-05; both are included.");
  }
  const days = countDays({ from, to });
  if (days < 1) throw refusal("from is after to.");
  if (days > daysLimit)
    throw refusal(`from and to are at most ${daysLimit} days; ask for the rest in another request.`);
  return { from, to };
}
