import type { ApiSet } from "../accounts/account.ts";
import type { KeepAttempts } from "./attempt-table.ts";
import { isQueue, postTime, type QueueEndpoint, takenInterval, type WebhookEndpoint } from "./endpoint.ts";
import { type EndpointChange, updateLatest, type WebhookTable } from "./endpoint-table.ts";
import { bodyOf, type WebhookEvent } from "./event.ts";
import { beginningOfFeed, type FeedPlace } from "./feed-place.ts";
import type { FeedPage, FeedReader } from "./feed-table.ts";
import { noteFailure, noteRecovery, type WebhookReport } from "./note-failure.ts";
import type { OutgoingWebhook } from "./queue.ts";
import type { QueueResult, SendToQueue } from "./vendor-queue.ts";

/** The endpoints, the feed, the vendors' queues, and the clock. */
interface FollowDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update">;
  readonly feed: Pick<FeedReader, "page">;
  readonly sendToQueue: SendToQueue;
  readonly keepAttempts: KeepAttempts;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  readonly now: () => Date;
  readonly report: (report: WebhookReport) => void;
}

/** Events of one page, whose sends are one item of the list of attempts. */
const pageSize = 100;
/** How soon a run looks again at a queue that another one sends to. Milliseconds. */
const claimWait = 1_000;

/**
 * Sends a vendor's queue the events that the feed has for it, in the feed's order: one run at a time, up to the end of the feed
 * or of the run's time. The place in the feed goes on once the queue has the events, so a run that dies repeats some, and leaves
 * none out.
 *
 * @returns when there is more to do, milliseconds since 1970, UTC; undefined if nothing is left
 */
export async function followFeed(
  apiSet: ApiSet,
  id: string,
  dependencies: FollowDependencies,
  remaining: () => number,
): Promise<number | undefined> {
  const { endpoints, now: clock } = dependencies;
  const now = () => clock().getTime();
  const found = await endpoints.find(apiSet, id);
  if (found === undefined || !isQueue(found)) return undefined;
  // Events wait in the feed until the endpoint, or its vendor's account, is enabled, which sends a wake-up.
  if (found.disabled !== undefined || found.withheldAt !== undefined) return undefined;
  const due = found.failing?.nextAttemptAt ?? 0;
  if (due > now() || remaining() < postTime) return Math.max(due, now());
  if ((found.feed?.claimedUntil ?? 0) > now()) return now() + claimWait;
  const page = await readPage(found, dependencies);
  if (page.events.length === 0 && !page.more) return undefined;

  const until = now() + postTime;
  const claim = await endpoints.update(found, {
    feed: { place: placeIn(found), claimedUntil: until },
    ...(found.failing && { failing: { ...found.failing, nextAttemptAt: until } }),
  });
  // Another run has claimed it, or the vendor has just changed it.
  if (claim === undefined || !isQueue(claim)) return now() + claimWait;
  return await sendPages(claim, page, dependencies, remaining);
}

/** Sends a page and those after it to a queue that this run has claimed. @returns as `followFeed` */
async function sendPages(
  claimed: QueueEndpoint,
  first: FeedPage,
  dependencies: FollowDependencies,
  remaining: () => number,
): Promise<number | undefined> {
  const now = () => dependencies.now().getTime();
  const wasFailing = claimed.failing !== undefined;
  let [endpoint, page] = [claimed, first];
  for (;;) {
    const { sent, done, message } = await sendPage(endpoint, page, dependencies);
    const place = page.places[done] ?? page.next;
    if (message !== undefined && sent === 0) {
      const retry = { earliest: now(), retryAt: undefined, change: { feed: { place } } };
      const { failing, disabled } = (await noteFailure(endpoint, { message }, retry, dependencies)) ?? {};
      return failing?.nextAttemptAt ?? (disabled === undefined ? now() + postTime : undefined);
    }
    if (sent > 0) await noteRecovery(endpoint, dependencies);
    const isEnd = !page.more && done === page.events.length;
    const isLast = isEnd || message !== undefined || remaining() < postTime;
    const isTakenOld = wasFailing || now() - (endpoint.lastTakenAt ?? 0) >= takenInterval;
    const stored = await store(endpoint, dependencies, {
      feed: { place, ...(!isLast && { claimedUntil: now() + postTime }) },
      ...(sent > 0 && { failing: undefined }),
      ...(sent > 0 && isTakenOld && { lastTakenAt: now() }),
    });
    // It was removed, or this run was so slow that another one has taken over.
    if (stored === undefined) return now() + claimWait;
    // It was turned off. Whoever turns it on again sends a wake-up.
    if (stored.disabled !== undefined || stored.withheldAt !== undefined) return undefined;
    // Whoever added events while it failed has left them to this run.
    if (isLast) return isEnd && !wasFailing ? undefined : now();
    endpoint = stored;
    page = await readPage(endpoint, dependencies);
  }
}

const placeIn = ({ feed }: QueueEndpoint): FeedPlace => feed?.place ?? beginningOfFeed;

/** The next events of the feed. If it no longer has the queue's place, it begins with the oldest event that there is. */
async function readPage(
  endpoint: QueueEndpoint,
  { feed, report }: Pick<FollowDependencies, "feed" | "report">,
): Promise<FeedPage> {
  const { apiSet, id } = endpoint;
  const page = await feed.page(apiSet, placeIn(endpoint), pageSize);
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
  { sendToQueue, keepAttempts, now, report }: FollowDependencies,
): Promise<SentPage> {
  const { apiSet, id, types } = endpoint;
  const isWanted = ({ type }: WebhookEvent) => (types as readonly string[]).includes(type);
  const wanted = events.filter(isWanted).map((event) => ({ eventId: event.id, body: bodyOf(event), event }));
  if (wanted.length === 0) return { sent: 0, done: events.length };
  const at = now().getTime();
  const { sent, message } = await sendToQueue(endpoint, wanted);
  const milliseconds = now().getTime() - at;
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
    report({ kind: "posted", apiSet, waited: Math.max(0, now().getTime() - Date.parse(event.timestamp)) });
  }
  if (message === undefined) return { sent, done: events.length };
  report({ kind: "failed", apiSet, failure: { message } });
  const first = wanted[sent]?.event;
  return { sent, done: first === undefined ? events.length : events.indexOf(first), message };
}

/** Stores a change of an endpoint that this run has claimed. @returns undefined if it is not its own any more */
async function store(
  endpoint: QueueEndpoint,
  { endpoints }: Pick<FollowDependencies, "endpoints">,
  change: EndpointChange,
): Promise<QueueEndpoint | undefined> {
  const isOwn = (latest: WebhookEndpoint) =>
    isQueue(latest) && latest.feed?.claimedUntil === endpoint.feed?.claimedUntil;
  const stored = await updateLatest(endpoints, endpoint, (latest) => (isOwn(latest) ? change : undefined));
  return stored !== undefined && isQueue(stored) ? stored : undefined;
}
