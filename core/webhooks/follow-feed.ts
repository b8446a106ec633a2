import { isQueue, postTime, type QueueEndpoint, takenInterval, type WebhookEndpoint } from "./endpoint.ts";
import { claim, type EndpointRun, noteFailure, noteRecovery } from "./endpoint-run.ts";
import { type EndpointChange, updateLatest } from "./endpoint-table.ts";
import { bodyOf, isWanted } from "./event.ts";
import { beginningOfFeed } from "./feed-place.ts";
import type { FeedPage } from "./feed-table.ts";
import type { QueueResult } from "./vendor-queue.ts";

/** Events of one page, whose sends are one item of the list of attempts. */
const pageSize = 100;
/** How soon a run looks again at a queue that another one sends to. Milliseconds. */
const claimWait = 1_000;

/** Whether events wait in the feed until the endpoint, or its vendor's account, is enabled, which sends a wake-up. */
const isOff = ({ disabled, withheldAt }: WebhookEndpoint) =>
  disabled !== undefined || withheldAt !== undefined;

/**
 * Sends a vendor's queue the events that the feed has for it, in the feed's order: one run at a time, up to the end of the feed
 * or of the run's time. The place in the feed goes on once the queue has the events, so a run that dies repeats some, and leaves
 * none out.
 *
 * @returns when there is more to do, milliseconds since 1970, UTC; undefined if nothing is left
 */
export async function followFeed(run: EndpointRun): Promise<number | undefined> {
  const { endpoint, now, remaining } = run;
  if (!isQueue(endpoint) || isOff(endpoint)) return undefined;
  const { failing } = endpoint;
  const due = failing?.nextAttemptAt ?? 0;
  if (due > now() || remaining() < postTime) return Math.max(due, now());
  let page = await readPage(endpoint, run);
  if (page.events.length === 0 && !page.more) return undefined;

  let own = await claim(endpoint, run);
  while (isQueue(own)) {
    const { sent, done, message } = await sendPage(own, page, run);
    const feed = page.places[done] ?? page.next;
    if (message !== undefined && sent === 0) {
      const refusal = { failure: { message }, earliest: now() };
      const after = await noteFailure(own, refusal, run, { feed });
      return after?.failing?.nextAttemptAt ?? (after?.disabled ? undefined : now() + postTime);
    }
    if (sent > 0) await noteRecovery(own, run);
    const isEnd = !page.more && done === page.events.length;
    const isLast = isEnd || message !== undefined || remaining() < postTime;
    const isTakenOld = failing !== undefined || now() - (own.lastTakenAt ?? 0) >= takenInterval;
    own = await storeOwn(own, run, {
      feed,
      busyUntil: isLast ? undefined : now() + postTime,
      ...(sent > 0 && { failing: undefined }),
      ...(sent > 0 && isTakenOld && { lastTakenAt: now() }),
    });
    if (own === undefined) break;
    if (isOff(own)) return undefined;
    // Whoever added events while it failed has left them to this run.
    if (isLast) return isEnd && failing === undefined ? undefined : now();
    page = await readPage(own, run);
  }
  // It was changed or removed, or another run has claimed it: this one may have been so slow.
  return now() + claimWait;
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

/** What became of a page. */
interface SentPage extends QueueResult {
  /** How many of its events, from the first on, the queue has or does not want. */
  readonly done: number;
}

/** Sends the events of a page that the endpoint wants, and notes the attempts. */
async function sendPage(
  endpoint: QueueEndpoint,
  { events }: FeedPage,
  { sendToQueue, keepAttempts, now, report }: EndpointRun,
): Promise<SentPage> {
  const { apiSet, id } = endpoint;
  const wanted = events
    .filter((event) => isWanted(endpoint, event))
    .map((event) => ({ eventId: event.id, body: bodyOf(event), event }));
  if (wanted.length === 0) return { sent: 0, done: events.length };
  const at = now();
  const { sent, message } = await sendToQueue(endpoint, wanted);
  const milliseconds = now() - at;
  const attempts = wanted
    .slice(0, message === undefined ? sent : sent + 1)
    .map(({ eventId, body }, place) => ({
      at,
      milliseconds,
      eventId,
      body,
      ...(place < sent ? { status: 200 } : { message: message ?? "" }),
    }));
  await keepAttempts(apiSet, id, attempts).catch((error: unknown) => report({ kind: "notNoted", error }));
  for (const { event } of wanted.slice(0, sent)) {
    report({ kind: "posted", apiSet, waited: Math.max(0, now() - Date.parse(event.timestamp)) });
  }
  if (message === undefined) return { sent, done: events.length };
  report({ kind: "failed", apiSet, failure: { message } });
  const first = wanted[sent]?.event;
  return { sent, done: first === undefined ? events.length : events.indexOf(first), message };
}

/** Stores a change of an endpoint that this run has claimed. @returns undefined if it is not its own any more */
const storeOwn = (
  endpoint: QueueEndpoint,
  { endpoints }: EndpointRun,
  change: EndpointChange,
): Promise<WebhookEndpoint | undefined> =>
  updateLatest(endpoints, endpoint, (latest) =>
    latest.busyUntil === endpoint.busyUntil ? change : undefined,
  );
