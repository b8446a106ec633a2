import type { ApiSet } from "../../core/accounts/account.ts";
import type { ScorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { listedStates } from "../../core/cards/life/states.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { isExternalId } from "../../core/formats/external-ids.ts";
import { readCursor, writeCursor } from "../http/cursor.ts";
import { ProblemError, problem, unknownPlace } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";

const pageSize = 100;

/** Reads a page's `after`: a time and an ExternalID. @throws ProblemError 400 */
function readPlace(after: string): string {
  const [at, externalId] = readCursor("state", after) ?? [];
  if (at === undefined || externalId === undefined || !isExternalId(externalId)) throw unknownPlace("after");
  return `${at}#${externalId}`;
}

/** @param place e.g. `2026-07-04T11:00:00.000Z#card 417` */
function toCursor(place: string): string {
  const end = place.indexOf("#");
  return writeCursor("state", place.slice(0, end), place.slice(end + 1));
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
  const place = after === undefined ? undefined : readPlace(after);
  const page = await table.inState(apiSet, state, pageSize, place);
  const statuses = await readStatuses(table, apiSet, page.externalIds);
  // The index is eventually consistent: a card may have left the state. What only waits for an outage's end needs no attention.
  const cards = statuses.filter(
    ({ state: now, paused, nextAttemptAt }) =>
      now === state && (paused === undefined || nextAttemptAt !== undefined),
  );
  const next = page.next && `?${new URLSearchParams({ state, after: toCursor(page.next) })}`;
  return json(200, { cards, ...(next !== undefined && { next }) });
}
