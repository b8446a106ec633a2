import { isGarbled } from "../../core/formats/garbled-text.ts";
import { ProblemError, problem } from "../http/problem.ts";

/** What a vendor asks of its cards: what became of some of them, or which are in a state. */
export type StatusQuery =
  | { readonly about: "cards"; readonly externalIds: readonly string[] }
  | { readonly about: "state"; readonly state: string; readonly after: string | undefined };

const cardsLimit = 100;

/**
 * Reads what is asked of several cards. What cannot be asked together is refused: an answer to a part of it would pass
 * for one to all of it.
 *
 * @param query values by name in lower case
 * @throws ProblemError 400
 */
export function readStatusQuery(query: ReadonlyMap<string, readonly string[]>): StatusQuery {
  const [state, ...otherStates] = query.get("state") ?? [];
  const [after, ...otherPlaces] = query.get("after") ?? [];
  const externalIds = query.get("externalid") ?? [];
  if (state !== undefined && otherStates.length + otherPlaces.length + externalIds.length === 0) {
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
