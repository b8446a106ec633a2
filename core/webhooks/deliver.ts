import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import {
  endpointWait,
  type FailingEndpoint,
  isQuick,
  longestFailure,
  secretsInUse,
  slowAnswer,
  type WebhookEndpoint,
} from "./endpoint.ts";
import type { WebhookTable } from "./endpoint-table.ts";
import type { EventPostResult, PostEvent } from "./post-event.ts";
import { type OutgoingWebhook, readWebhookMessage, type WebhookMessage } from "./queue.ts";
import { nextAttempt } from "./retry-schedule.ts";
import { signedHeaders } from "./sign.ts";

/** What happened to an event or an endpoint, for the log and the metrics. */
export type WebhookReport =
  | { readonly kind: "posted"; readonly apiSet: ApiSet; readonly waited: number }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly failure: EndpointFailure }
  | { readonly kind: "givenUp"; readonly apiSet: ApiSet }
  | { readonly kind: "disabled"; readonly apiSet: ApiSet; readonly endpointId: string }
  | { readonly kind: "unreadable"; readonly messages: number }
  | { readonly kind: "error"; readonly error: unknown };

/** Why an endpoint did not take an event. */
export interface EndpointFailure {
  readonly status?: number;
  readonly message: string;
}

/** The endpoints, how events are posted and sent again, and the clock. */
export interface WebhookDeliveryDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update">;
  readonly post: PostEvent;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (report: WebhookReport) => void;
}

/** A message of the queue. */
interface Received {
  readonly messageId: string;
  readonly body: string;
}

/** Longest delay of a message in SQS. */
const longestDelay = 900_000;
/** Longer than a post takes. A run that claimed an endpoint and died delays it by this time only. Milliseconds. */
export const postTime = 15_000;
const parallelEndpoints = 10;
/** The last success of an endpoint that is quick is stored once a minute: a write for each event would cost more than the event. */
const takenInterval = 60_000;
/** Longest Retry-After of an endpoint that is respected. */
const longestRetryAfter = 3_600_000;

/** Why a post failed; undefined if the endpoint took the event. */
export function failureOf(result: EventPostResult): EndpointFailure | undefined {
  if (result.kind === "failed") return { message: result.message };
  const { status } = result;
  return status >= 200 && status < 300 ? undefined : { status, message: `The endpoint answered ${status}.` };
}

/** Posts an event to an endpoint, signed with all secrets that are valid now. */
export const postSigned = (
  post: PostEvent,
  endpoint: WebhookEndpoint,
  { eventId, body }: Pick<WebhookMessage, "eventId" | "body">,
  now: Date,
): Promise<EventPostResult> =>
  post(
    endpoint.url,
    {
      ...signedHeaders(secretsInUse(endpoint, now.getTime()), eventId, now, body),
      "Content-Type": "application/json",
      "User-Agent": "scorecards-webhooks/1",
    },
    body,
  );

/**
 * Makes the function that posts a batch of events to their endpoints.
 *
 * An endpoint that fails gets no post until its next attempt, which one run claims; its events go back to the queue
 * meanwhile. So other endpoints wait for one failed post at most. An endpoint that is slow, or new, gets one post at a time, which a
 * run claims, too: however many events wait for a vendor's endpoints, they hold no more runs than the vendor has endpoints.
 *
 * @returns a function from messages, and the milliseconds left, to the IDs of those that failed
 */
export function createWebhookDelivery(dependencies: WebhookDeliveryDependencies) {
  const { send, report } = dependencies;
  return async function deliver(received: readonly Received[], remaining: () => number): Promise<string[]> {
    const failed: string[] = [];
    const groups = new Map<string, { readonly messageIds: string[]; readonly messages: WebhookMessage[] }>();
    for (const { messageId, body } of received) {
      const message = readWebhookMessage(body);
      if (message === undefined) {
        failed.push(messageId);
        continue;
      }
      const key = `${message.apiSet} ${message.endpointId}`;
      const group = groups.get(key) ?? { messageIds: [], messages: [] };
      group.messageIds.push(messageId);
      group.messages.push(message);
      groups.set(key, group);
    }
    if (failed.length > 0) report({ kind: "unreadable", messages: failed.length });
    await pMap(
      groups.values(),
      async ({ messageIds, messages }) => {
        try {
          const later = await deliverToEndpoint(messages, dependencies, remaining);
          if (later.length > 0) await send(later);
        } catch (error) {
          report({ kind: "error", error });
          failed.push(...messageIds);
        }
      },
      { concurrency: parallelEndpoints },
    );
    return failed;
  };
}

/** @returns the messages of the events that are to be posted later */
async function deliverToEndpoint(
  messages: readonly WebhookMessage[],
  dependencies: WebhookDeliveryDependencies,
  remaining: () => number,
): Promise<OutgoingWebhook[]> {
  const { endpoints, post, random, report } = dependencies;
  const now = () => dependencies.now().getTime();
  const [first] = messages;
  if (first === undefined) return [];
  const { apiSet, endpointId } = first;
  let endpoint = await endpoints.find(apiSet, endpointId);
  const later: OutgoingWebhook[] = [];
  const postpone = (message: WebhookMessage, until: number) => {
    const wait = Math.min(longestDelay, Math.max(0, until - now()));
    later.push({ ...message, delaySeconds: Math.ceil(wait / 1000) });
  };

  for (const message of messages) {
    // The endpoint was deleted or disabled, so the event is dropped.
    if (endpoint === undefined || endpoint.disabled !== undefined) break;
    const due = Math.max(message.notBefore, endpoint.failing?.nextAttemptAt ?? 0);
    // An event that is not due waits. If a slow endpoint has used up this run's time, another run posts its other events.
    if (due > now() || remaining() < postTime) {
      postpone(message, due);
      continue;
    }
    const isClaimed = endpoint.failing !== undefined || !isQuick(endpoint, now());
    if (isClaimed) {
      const { failing, busyUntil = 0 }: WebhookEndpoint = endpoint;
      const until = now() + postTime;
      const change = failing ? { failing: { ...failing, nextAttemptAt: until } } : { busyUntil: until };
      const claimed: WebhookEndpoint | undefined =
        failing === undefined && busyUntil > now() ? undefined : await endpoints.update(endpoint, change);
      if (claimed === undefined) {
        // Another run has claimed the attempt or made it.
        endpoint = await endpoints.find(apiSet, endpointId);
        postpone(message, endpoint === undefined ? now() : freeAt(endpoint, now()));
        continue;
      }
      endpoint = claimed;
    }
    const begun = now();
    const result = await postSigned(post, endpoint, message, dependencies.now());
    const milliseconds = now() - begun;
    const failure = failureOf(result);
    if (failure === undefined) {
      report({ kind: "posted", apiSet, waited: now() - message.firstAt });
      const isDue = now() - (endpoint.lastTakenAt ?? 0) >= takenInterval;
      if (isClaimed || milliseconds > slowAnswer || isDue) {
        const pace = { at: now(), milliseconds };
        const change = { failing: undefined, busyUntil: undefined, lastTakenAt: now(), pace };
        endpoint = (await endpoints.update(endpoint, change)) ?? (await endpoints.find(apiSet, endpointId));
      }
      continue;
    }
    report({ kind: "failed", apiSet, failure });
    const attempts = message.attempts + 1;
    const retryAfter = result.kind === "answered" ? (result.retryAfterSeconds ?? 0) * 1000 : 0;
    const earliest = now() + Math.min(longestRetryAfter, retryAfter);
    const retryAt = nextAttempt(attempts, message.firstAt, now(), random());
    if (retryAt === undefined) report({ kind: "givenUp", apiSet });
    else
      postpone({ ...message, attempts, notBefore: Math.max(retryAt, earliest) }, Math.max(retryAt, earliest));
    endpoint = await noteFailure(endpoint, failure, earliest, dependencies);
  }
  return later;
}

/** When to look again at an endpoint that another run has claimed: it is done after about as long as the endpoint took last. */
function freeAt({ failing, busyUntil = 0, pace }: WebhookEndpoint, now: number): number {
  if (failing !== undefined) return failing.nextAttemptAt;
  return Math.min(busyUntil, now + Math.max(slowAnswer, pace?.milliseconds ?? 0));
}

/** Stores that an endpoint failed, or disables it if it is gone or has failed for days. */
async function noteFailure(
  endpoint: WebhookEndpoint,
  failure: EndpointFailure,
  earliest: number,
  { endpoints, now: clock, report }: WebhookDeliveryDependencies,
): Promise<WebhookEndpoint | undefined> {
  const now = clock().getTime();
  const { apiSet, id } = endpoint;
  const since = endpoint.failing?.since ?? now;
  const failures = (endpoint.failing?.failures ?? 0) + 1;
  const isGone = failure.status === 410;
  if (isGone || now - since > longestFailure) {
    const why = isGone ? "gone" : "failed_for_days";
    const change = { failing: undefined, busyUntil: undefined, disabled: { at: now, why } } as const;
    const disabled = await endpoints.update(endpoint, change);
    if (disabled !== undefined) report({ kind: "disabled", apiSet, endpointId: id });
    return disabled ?? endpoints.find(apiSet, id);
  }
  const failing: FailingEndpoint = {
    since,
    failures,
    nextAttemptAt: Math.max(now + endpointWait(now - since), earliest),
    ...failure,
  };
  return (await endpoints.update(endpoint, { failing, busyUntil: undefined })) ?? endpoints.find(apiSet, id);
}
