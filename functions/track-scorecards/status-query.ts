import { isGarbled } from "../../core/scorecard/references.ts";
import { ProblemError, problem } from "../http/problem.ts";

/** A request for the statuses of certain cards, or of all cards in a state. */
export type StatusQuery =
  | { readonly about: "cards"; readonly externalIds: readonly string[] }
  | { readonly about: "state"; readonly state: string; readonly after: string | undefined };

const cardsLimit = 100;

/**
 * Reads a query. Parameters that exclude each other are refused: a response to some of them could be taken for one to all.
 *
 * @param query values by name in lower case
 * @throws ProblemError 400
 */
export function readStatusQuery(query: ReadonlyMap<string, readonly string[]>): StatusQuery {
  const [state, ...otherStates] = query.get("state") ?? [];
  const [after, ...otherAfters] = query.get("after") ?? [];
  const externalIds = query.get("externalid") ?? [];
  if (state !== undefined && otherStates.length + otherAfters.length + externalIds.length === 0) {
    return { about: "state", state, after };
  }
  const isOfCards = state === undefined && after === undefined;
  if (!isOfCards || externalIds.length === 0 || externalIds.length > cardsLimit) {
    const detail = `Ask either for 1 to ${cardsLimit} cards by ExternalID=a&ExternalID=b, or for those in one state by state=undelivered, with the after of a link \`next\` or without.`;
    throw new ProblemError(problem(400, "Which cards?", detail));
  }
  if (externalIds.some(isGarbled)) {
    const detail = "An ExternalID in the query is not percent-encoded UTF-8.";
    throw new ProblemError(problem(400, "Query cannot be read", detail));
  }
  return { about: "cards", externalIds };
}
