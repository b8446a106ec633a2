import { beginningOfFeed, isQueue, postTime, type QueueEndpoint, type WebhookEndpoint } from "./endpoint.ts";
import { claim, type EndpointRun, noteFailure, noteRecovery, sendEvents } from "./endpoint-run.ts";
import { updateLatest } from "./endpoint-table.ts";
import { bodyOf, isWanted } from "./event.ts";
import type { FeedPage } from "./feed-table.ts";

/** Events of one page. */
const pageSize = 100;
/** How soon a run looks again at a queue that another one sends to. Milliseconds. */
const claimWait = 1_000;

/** Whether events wait in the feed until the endpoint, or its vendor's account, is enabled, which sends a wake-up. */
const isOff = ({ disabled, withheldAt }: WebhookEndpoint) =>
  disabled !== undefined || withheldAt !== undefined;

/**
 * Sends a vendor's queue the next events that the feed has for it, in the feed's order: one run at a time, a page each, so that a
 * backlog takes turns with other vendors' events. The place in the feed goes on once the queue has the events, so a run that dies
 * repeats some, and leaves none out.
 *
 * @returns when there is more to do, milliseconds since 1970, UTC; undefined if nothing is left
 */
export async function followFeed(run: EndpointRun): Promise<number | undefined> {
  const { endpoint, now, remaining } = run;
  if (!isQueue(endpoint) || isOff(endpoint)) return undefined;
  const { failing } = endpoint;
  const due = failing?.nextAttemptAt ?? 0;
  if (due > now() || remaining() < postTime) return Math.max(due, now());
  const page = await readPage(endpoint, run);
  if (page.events.length === 0 && !page.more) return undefined;

  const own = await claim(endpoint, run);
  if (!isQueue(own)) return now() + claimWait;
  const { isSent, failure, left } = await sendPage(own, page, run);
  const feed = (left && page.places[page.events.indexOf(left)]) ?? page.next;
  if (failure !== undefined && !isSent) {
    const after = await noteFailure(own, { failure, earliest: now() }, run, { feed });
    return after?.failing?.nextAttemptAt ?? (after?.disabled ? undefined : now() + postTime);
  }
  if (isSent) await noteRecovery(own, run);
  const taken = isSent && { failing: undefined, lastTakenAt: now() };
  const stored = await updateLatest(run.endpoints, own, ({ busyUntil }) =>
    busyUntil === own.busyUntil ? { feed, busyUntil: undefined, ...taken } : undefined,
  );
  // It was changed or removed, or another run has claimed it: this one may have been so slow.
  if (stored === undefined) return now() + claimWait;
  if (isOff(stored)) return undefined;
  // Whoever added events while it failed has left them to this run.
  const isEnd = !page.more && left === undefined && failing === undefined;
  return isEnd ? undefined : now();
}

/** The next events of the feed. If it no longer has the queue's place, it begins with the oldest event that there is. */
async function readPage(endpoint: WebhookEndpoint, { feed, report }: EndpointRun): Promise<FeedPage> {
  const { apiSet, id, feed: place = beginningOfFeed } = endpoint;
  const page = await feed.page(apiSet, place, pageSize);
  if (page !== undefined) return page;
  report({ kind: "feedLost", apiSet, endpointId: id });
  const oldest = await feed.page(apiSet, beginningOfFeed, pageSize);
  return oldest ?? { events: [], places: [], next: beginningOfFeed, more: false };
}

/** Sends the events of a page that the endpoint wants. @returns the first that it wants and does not have, if there is one, and why */
async function sendPage(endpoint: QueueEndpoint, { events }: FeedPage, run: EndpointRun) {
  const wanted = events.filter((event) => isWanted(endpoint, event));
  const [first, ...others] = wanted.map((event) => ({ eventId: event.id, body: bodyOf(event) }));
  if (first === undefined) return { isSent: false };
  const { sent, failure } = await sendEvents(endpoint, [first, ...others], run);
  for (const { timestamp } of wanted.slice(0, sent)) {
    const waited = Math.max(0, run.now() - Date.parse(timestamp));
    run.report({ kind: "posted", apiSet: endpoint.apiSet, waited });
  }
  return { isSent: sent > 0, failure, left: wanted[sent] };
}
