import type { ApiSet } from "../../core/accounts/account.ts";
import type { ScorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { listedStates } from "../../core/cards/life/states.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { isExternalId } from "../../core/golf/external-ids.ts";
import { ProblemError, problem, unknownPlace } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";

const pageSize = 100;

/** Whether a text can be a page's `next`: a time and an ExternalID. */
function isPageEnd(text: string): boolean {
  const [, externalId] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#(.+)$/s.exec(text) ?? [];
  return externalId !== undefined && isExternalId(externalId);
}

/** One page of a vendor's cards in a state, newest first, with the link to the next. */
export async function cardsInState(
  table: Pick<ScorecardTable, "readWithBreaker" | "inState">,
  apiSet: ApiSet,
  requestedState: string,
  after: string | undefined,
): Promise<HttpResponse> {
  const state = listedStates.find((name) => name === requestedState.toLowerCase());
  if (state === undefined) {
    const detail = `state is one of ${listedStates.join(", ")}; for cards in another state ask by ExternalID.`;
    throw new ProblemError(problem(400, "Unknown state", detail));
  }
  if (after !== undefined && !isPageEnd(after)) throw unknownPlace("after");
  const page = await table.inState(apiSet, state, pageSize, after);
  const statuses = await readStatuses(table, apiSet, page.externalIds);
  // The index is eventually consistent: a card may have left the state.
  const cards = statuses.filter((status) => status.state === state);
  const next = page.next === undefined ? undefined : `?state=${state}&after=${encodeURIComponent(page.next)}`;
  return json(200, { cards, ...(next !== undefined && { next }) });
}
