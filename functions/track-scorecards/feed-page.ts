import type { ApiSet } from "../../core/accounts/account.ts";
import { beginningOfFeed, type FeedPlace } from "../../core/webhooks/endpoint.ts";
import type { FeedReader } from "../../core/webhooks/feed-table.ts";
import { readFeedCursor, writeCursor } from "../http/cursor.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";

const pageSize = 100;

/**
 * When to ask again if there is nothing new, in seconds: a tenth of the time since the newest event. So a consumer hears of a card
 * soon on the day of a tournament, and asks twice a minute in winter.
 */
const soonest = 2;
const latest = 30;
const share = 1 / 10;

/** Reads `after` of a query; the beginning if it was left out. @throws ProblemError 400 */
function readAfter(query: ReadonlyMap<string, readonly string[]>): FeedPlace | "latest" {
  const [after, ...others] = query.get("after") ?? [];
  const refusal = (detail: string) => new ProblemError(problem(400, "Events after which?", detail));
  if (others.length > 0) throw refusal("Give after once.");
  if (after === undefined) return beginningOfFeed;
  if (after === "latest") return after;
  const place = readFeedCursor(after);
  if (place !== undefined) return place;
  throw refusal(
    "after is not a cursor: send the `cursor` of the page before, `latest` for what comes from now on, or leave it out.",
  );
}

/** The problem of a cursor whose events have expired. */
function gone(): ProblemError {
  const detail =
    "The feed does not have this place any more: the events after it have expired, or the feed began anew with a restore. Leave `after` out to begin with the oldest event, and ask for the states of cards that were open.";
  return new ProblemError({
    ...problem(410, "Cursor gone", detail),
    type: "urn:scorecards:problem:cursor-gone",
  });
}

/**
 * One page of a vendor's events, the oldest first, with the cursor of the next.
 *
 * It does not wait for events: a function that waits costs as much as one that works, and every consumer would occupy one all the
 * time. It says when to ask again instead.
 *
 * @param query values by name in lower case
 * @param now milliseconds since 1970, UTC
 * @throws ProblemError 400, or 410 if the feed does not have the cursor's place
 */
export async function feedPage(
  reader: Pick<FeedReader, "end" | "page">,
  apiSet: ApiSet,
  query: ReadonlyMap<string, readonly string[]>,
  now: number,
): Promise<HttpResponse> {
  const after = readAfter(query);
  const place = after === "latest" ? await reader.end(apiSet) : after;
  const page = await reader.page(apiSet, place, pageSize);
  if (page === undefined) throw gone();
  const { events, next, more, newestAt = 0 } = page;
  const wait = Math.min(latest, Math.max(soonest, Math.ceil(((now - newestAt) / 1000) * share)));
  const answer = {
    events,
    cursor: writeCursor("events", next.item, next.events),
    more,
    askAgainAfterSeconds: more ? 0 : wait,
  };
  return json(200, answer, { "Cache-Control": "no-store" });
}
