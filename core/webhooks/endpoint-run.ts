import type { ToldEndpoint } from "../../api/events.ts";
import type { ApiSet } from "../accounts/account.ts";
import { dayMilliseconds } from "../formats/days.ts";
import type { KeepAttempts, WebhookAttempt } from "./attempt-table.ts";
import { type EndpointFailure, isQueue, postTime, secretsInUse, type WebhookEndpoint } from "./endpoint.ts";
import type { EndpointChange, WebhookTable } from "./endpoint-table.ts";
import { createEvent, type EndpointEventType } from "./event.ts";
import type { FeedReader, FeedWriter } from "./feed-table.ts";
import { webhookUserAgent } from "./own-headers.ts";
import type { PostEvent } from "./post-event.ts";
import type { OutgoingWebhook } from "./queue.ts";
import { signedHeaders } from "./sign.ts";
import type { MailNotice } from "./tell-vendor.ts";
import type { QueuedEvent, SendResult, SendToQueue } from "./vendor-queue.ts";

/** Endpoints that have failed for three days are disabled. */
const maxFailure = 3 * dayMilliseconds;
/** The operator is told once of an endpoint that has failed for this time. Milliseconds. */
const reportedFailure = 3_600_000;

/** The wait before the next attempt at a failing endpoint, in milliseconds: a quarter of the time that it has failed for. */
const endpointWait = (failingFor: number): number => Math.max(5_000, Math.min(3_600_000, failingFor / 4));

/** What happened to an event or an endpoint, for the log and the metrics. */
export type WebhookReport =
  | { readonly kind: "posted"; readonly apiSet: ApiSet; readonly waited: number }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly failure: EndpointFailure }
  | { readonly kind: "givenUp"; readonly apiSet: ApiSet }
  | {
      readonly kind: "feedLost" | "disabled" | "failing";
      readonly apiSet: ApiSet;
      readonly endpointId: string;
    }
  | { readonly kind: "unreadable"; readonly messages: number }
  | { readonly kind: "notNoted" | "error"; readonly error: unknown };

/** The endpoints, the feed, how events are sent, the clock and the log. */
export interface WebhookDeliveryDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update" | "list">;
  readonly feed: Pick<FeedReader, "page"> & FeedWriter;
  readonly keepAttempts: KeepAttempts;
  readonly post: PostEvent;
  readonly sendToQueue: SendToQueue;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  readonly mail: MailNotice;
  readonly now: () => number;
  readonly random: () => number;
  readonly report: (report: WebhookReport) => void;
}

/** What a run does at one endpoint. */
export interface EndpointRun extends WebhookDeliveryDependencies {
  /** Milliseconds that the run has left. */
  readonly remaining: () => number;
  /** The endpoint as it is known last; undefined if it was removed. */
  endpoint: WebhookEndpoint | undefined;
  /** The messages that are to come up later. */
  readonly later: OutgoingWebhook[];
  /** When the first of their events is due. */
  dueAt: number;
  readonly attempts: WebhookAttempt[];
}

/** Claims an endpoint: no other run sends to it for the time of a post. @returns undefined if another run has it */
export async function claim(
  endpoint: WebhookEndpoint,
  { endpoints, now }: EndpointRun,
): Promise<WebhookEndpoint | undefined> {
  const { failing, busyUntil = 0 } = endpoint;
  if (failing === undefined && busyUntil > now()) return undefined;
  const until = now() + postTime;
  return await endpoints.update(endpoint, {
    busyUntil: until,
    ...(failing && { failing: { ...failing, nextAttemptAt: until } }),
  });
}

/** Posts an event to an address, signed with all secrets that are valid now. */
async function postSigned(
  endpoint: WebhookEndpoint,
  { eventId, body }: QueuedEvent,
  { post, now }: EndpointRun,
): Promise<SendResult> {
  const headers = {
    ...endpoint.headers,
    ...signedHeaders(secretsInUse(endpoint, now()), eventId, new Date(now()), body),
    "Content-Type": "application/json",
    "User-Agent": webhookUserAgent,
  };
  const answer = await post(endpoint.url, headers, body);
  const { status = 0, message = `The endpoint answered ${status}.` } = answer;
  return status >= 200 && status < 300 ? { ...answer, sent: 1 } : { ...answer, message, sent: 0 };
}

/** Sends events to an endpoint, to an address only one, and notes the attempts. */
export async function sendEvents(
  endpoint: WebhookEndpoint,
  events: readonly [QueuedEvent, ...QueuedEvent[]],
  run: EndpointRun,
) {
  const at = run.now();
  const sending = isQueue(endpoint)
    ? run.sendToQueue(endpoint, events)
    : postSigned(endpoint, events[0], run);
  const { sent, status, message, retryAfterSeconds = 0 } = await sending;
  const milliseconds = run.now() - at;
  const failure: EndpointFailure | undefined =
    message === undefined ? undefined : { ...(status !== undefined && { status }), message };
  for (const [place, { eventId, body }] of events.slice(0, sent + 1).entries()) {
    const result = place < sent ? { status: status ?? 200 } : failure;
    run.attempts.push({ at, milliseconds, eventId, body, ...result });
  }
  return { sent, milliseconds, failure, retryAfter: retryAfterSeconds * 1000 };
}

/** Queues the notice of an endpoint. It is queued before the change is stored, so that a run that dies between them tells it twice, not never. */
async function queueNotice(
  { apiSet, id, failing }: WebhookEndpoint,
  type: EndpointEventType,
  told: Omit<ToldEndpoint, "id">,
  { send, now }: EndpointRun,
): Promise<void> {
  const at = now();
  const since = failing && new Date(failing.since).toISOString();
  const endpoint = { id, ...(since && { since }), ...told };
  // One for a failure.
  const notice = createEvent(apiSet, type, at, { endpoint }, id, since ?? new Date(at).toISOString());
  await send([{ apiSet, endpointId: id, notice, delaySeconds: 0 }]);
}

/** Queues the notice that an endpoint works again, if its vendor was told that it fails. */
export async function noteRecovery(endpoint: WebhookEndpoint, run: EndpointRun): Promise<void> {
  if (endpoint.failing?.isReported) await queueNotice(endpoint, "endpoint.recovered", {}, run);
}

/** What an endpoint did not take. */
export interface EndpointRefusal {
  readonly failure: EndpointFailure;
  /** When the endpoint may be tried again. */
  readonly earliest: number;
  /** When the event is due again; undefined if it was given up. */
  readonly retryAt?: number | undefined;
  /** The event, if that may be to blame. */
  readonly eventId?: string | undefined;
}

interface EndpointAfterFailure extends Pick<WebhookEndpoint, "failing"> {
  readonly disabled?: { readonly at: number; readonly why: "gone" | "failed_for_days" };
  readonly news?: "failing" | "disabled";
}

/**
 * What an endpoint has come to by a failure, and what its vendor is told. It is disabled if it is gone or has failed for days. If it has
 * refused one event only, that event may be to blame: then it stays enabled, and fails no longer once the event is given up.
 */
function afterFailure(
  { failing }: WebhookEndpoint,
  { failure, earliest, retryAt, eventId }: EndpointRefusal,
  now: number,
): EndpointAfterFailure {
  const { since = now, failures = 0, isReported = false } = failing ?? {};
  const onlyEvent = failing === undefined || failing.onlyEvent === eventId ? eventId : undefined;
  const isGone = failure.status === 410;
  if (isGone || (onlyEvent === undefined && now - since > maxFailure)) {
    const why = isGone ? "gone" : "failed_for_days";
    return { failing: undefined, disabled: { at: now, why }, news: "disabled" };
  }
  if (onlyEvent !== undefined && retryAt === undefined) return { failing: undefined };
  const isLong = now - since >= reportedFailure;
  const nextAttemptAt = Math.max(now + endpointWait(now - since), earliest);
  return {
    failing: {
      since,
      failures: failures + 1,
      nextAttemptAt,
      ...(retryAt !== undefined && { dueAt: Math.max(retryAt, nextAttemptAt) }),
      ...(isLong && { isReported: true }),
      ...(onlyEvent !== undefined && { onlyEvent }),
      ...failure,
    },
    ...(isLong && !isReported && { news: "failing" }),
  };
}

/** Stores that an endpoint failed, with a change. @returns the endpoint as it is stored */
export async function noteFailure(
  endpoint: WebhookEndpoint,
  refusal: EndpointRefusal,
  run: EndpointRun,
  change: EndpointChange = {},
): Promise<WebhookEndpoint | undefined> {
  const { apiSet, id, failing } = endpoint;
  run.report({ kind: "failed", apiSet, failure: refusal.failure });
  const { news, ...next } = afterFailure(endpoint, refusal, run.now());
  if (news !== undefined) {
    const failures = (failing?.failures ?? 0) + 1;
    const why = next.disabled && { why: next.disabled.why };
    await queueNotice(endpoint, `endpoint.${news}`, { failures, ...refusal.failure, ...why }, run);
  }
  const stored = await run.endpoints.update(endpoint, { ...change, ...next, busyUntil: undefined });
  if (stored !== undefined && news !== undefined) run.report({ kind: news, apiSet, endpointId: id });
  return stored ?? run.endpoints.find(apiSet, id);
}
