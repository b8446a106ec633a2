import type { ApiSet } from "../../core/accounts/account.ts";
import type { ScorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { readStatuses } from "../../core/cards/status.ts";
import type { ActivityReader, ListPlace } from "../../core/views/activity-table.ts";
import { readCursor, writeCursor } from "../http/cursor.ts";
import { unknownPlace } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import type { CardsOfDays } from "./status-query.ts";

const pageSize = 100;

/** Reads a page's `after`: an item of the list, and how many of its cards came before. @throws ProblemError 400 */
function readPlace(after: string): ListPlace {
  const [item, cards] = readCursor("days", after) ?? [];
  if (item !== undefined) return { item, cards: Number(cards) };
  throw unknownPlace("after");
}

/** One page of the cards that were accepted or counted on some days, in the order in which they were, with the link to the next. */
export async function cardsOfDays(
  {
    activity,
    table,
  }: { readonly activity: ActivityReader; readonly table: Pick<ScorecardTable, "readWithBreaker"> },
  apiSet: ApiSet,
  { days, counted, after }: Omit<CardsOfDays, "about">,
): Promise<HttpResponse> {
  const place = after === undefined ? undefined : readPlace(after);
  const { externalIds, next } = await activity.cards(apiSet, { ...days, counted }, pageSize, place);
  const statuses = await readStatuses(table, apiSet, externalIds);
  // A card is removed some days before or after its list.
  const cards = statuses.filter(({ state }) => state !== "unknown");
  const query = { ...days, ...(counted !== undefined && { counted }) };
  const link =
    next && `?${new URLSearchParams({ ...query, after: writeCursor("days", next.item, next.cards) })}`;
  return json(200, { cards, ...(link !== undefined && { next: link }) });
}
