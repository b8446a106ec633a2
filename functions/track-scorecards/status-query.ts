import type { Days } from "../../core/formats/days.ts";
import { isGarbled } from "../../core/formats/external-ids.ts";
import { type ListedCount, listedCounts } from "../../core/views/activity-counts.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { readDays } from "./days.ts";

/** A request for the statuses of certain cards, of all cards in a state, or of those accepted or counted on some days. */
export type StatusQuery =
  | CardsOfDays
  | { readonly about: "cards"; readonly externalIds: readonly string[] }
  | { readonly about: "state"; readonly state: string; readonly after: string | undefined };

/** A request for the cards accepted on some days or, with `counted`, for those that Activity counted. */
export interface CardsOfDays {
  readonly about: "days";
  readonly days: Days;
  readonly counted: ListedCount | undefined;
  readonly after: string | undefined;
}

const cardsLimit = 100;

/** @throws ProblemError 400 */
function readCounted([name, ...others]: readonly string[] = []): ListedCount | undefined {
  const counted = listedCounts.find((count) => count === name);
  if (others.length === 0 && (name === undefined || counted !== undefined)) return counted;
  throw new ProblemError(problem(400, "Unknown count", `counted is one of ${listedCounts.join(", ")}.`));
}

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
  const isOfDays = ["from", "to", "counted"].some((name) => query.has(name));
  if (isOfDays && state === undefined && otherAfters.length + externalIds.length === 0) {
    return { about: "days", days: readDays(query, today), counted: readCounted(query.get("counted")), after };
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
    const detail = `Ask either for 1 to ${cardsLimit} cards by ExternalID=a&ExternalID=b, for those in one state by state=undelivered, or for those accepted on some days by from=2026-07-04&to=2026-07-05, with counted=rejected for those counted then; the last two with the after of a link \`next\` or without.`;
    throw new ProblemError(problem(400, "Which cards?", detail));
  }
  if (externalIds.some(isGarbled)) {
    const detail = "An ExternalID in the query is not percent-encoded UTF-8.";
    throw new ProblemError(problem(400, "Query cannot be read", detail));
  }
  return { about: "cards", externalIds };
}
