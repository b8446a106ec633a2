import type { ApiSet } from "../../core/account/api-set.ts";
import { ProblemError, problem } from "../../core/problem/problem.ts";
import { isExternalId } from "../../core/scorecard/external-id.ts";
import type { ScorecardTable } from "../../core/store/scorecard-table.ts";
import { cardStatus } from "../../core/tracking/card-status.ts";
import type { DeliveryState } from "../../core/tracking/state.ts";
import { type Answer, json } from "../answer.ts";

const listed: readonly DeliveryState[] = ["undelivered", "rejected", "retrying"];
const pageSize = 100;

/** Whether a text can be the place where a page ends: a time and an ExternalID. */
function isPlace(text: string): boolean {
  const [, externalId] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#(.+)$/s.exec(text) ?? [];
  return externalId !== undefined && isExternalId(externalId);
}

/** One page of a vendor's cards in a state, newest first, with the link to the next. */
export async function cardsInState(
  table: Pick<ScorecardTable, "read" | "inState">,
  apiSet: ApiSet,
  asked: string,
  after: string | undefined,
): Promise<Answer> {
  const state = listed.find((name) => name === asked.toLowerCase());
  if (state === undefined) {
    const detail = `state is one of ${listed.join(", ")}; for cards in another state ask by ExternalID.`;
    throw new ProblemError(problem(400, "Unknown state", detail));
  }
  if (after !== undefined && !isPlace(after)) {
    const detail =
      "after is not a place in the list: follow the link `next` of the page before, or leave it out.";
    throw new ProblemError(problem(400, "Unknown place", detail));
  }
  const page = await table.inState(apiSet, state, pageSize, after);
  const externalIds = page.deliveries.map(({ externalId }) => externalId);
  const histories = await table.read(apiSet, externalIds);
  const cards = externalIds
    .map((externalId) => cardStatus(externalId, histories.get(externalId)))
    .filter((status) => status.state === state);
  const next = page.next === undefined ? undefined : `?state=${state}&after=${encodeURIComponent(page.next)}`;
  return json(200, { cards, ...(next !== undefined && { next }) });
}
