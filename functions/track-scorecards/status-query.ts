import { isGarbled } from "../../core/golf/external-ids.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type Days, readDays } from "./days.ts";

/** A request for the statuses of certain cards, of all cards in a state, or of those accepted on some days. */
export type StatusQuery =
  | { readonly about: "days"; readonly days: Days; readonly after: string | undefined }
  | { readonly about: "cards"; readonly externalIds: readonly string[] }
  | { readonly about: "state"; readonly state: string; readonly after: string | undefined };

const cardsLimit = 100;

/**
 * Reads a query. Parameters that exclude each other are refused: a response to some of them could be taken for one to all.
 *
 * @param query values by name in lower case
 * @param today in the union's time zone
 * @throws ProblemError 400
 */
export function readStatusQuery(query: ReadonlyMap<string, readonly string[]>, today: string): StatusQuery {
  const [state, ...otherStates] = query.get("state") ?? [];
  const [after, ...otherAfters] = query.get("after") ?? [];
  const externalIds = query.get("externalid") ?? [];
  const isOfDays = query.has("from") || query.has("to");
  if (isOfDays && state === undefined && otherAfters.length + externalIds.length === 0) {
    return { about: "days", days: readDays(query, today), after };
  }
  if (
    !isOfDays &&
    state !== undefined &&
    otherStates.length + otherAfters.length + externalIds.length === 0
  ) {
    return { about: "state", state, after };
  }
  const isOfCards = state === undefined && after === undefined && !isOfDays;
  if (!isOfCards || externalIds.length === 0 || externalIds.length > cardsLimit) {
    const detail = `Ask either for 1 to ${cardsLimit} cards by ExternalID=a&ExternalID=b, for those in one state by state=undelivered, or for those accepted on some days by from=2026-07-04&to=2026-07-05; the last two with the after of a link \`next\` or without.`;
    throw new ProblemError(problem(400, "Which cards?", detail));
  }
  if (externalIds.some(isGarbled)) {
    const detail = "An ExternalID in the query is not percent-encoded UTF-8.";
    throw new ProblemError(problem(400, "Query cannot be read", detail));
  }
  return { about: "cards", externalIds };
}
