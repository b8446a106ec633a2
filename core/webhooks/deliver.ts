import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import type { KeepAttempts, WebhookAttempt } from "./attempt-table.ts";
import {
  isCountOld,
  isQueue,
  isQuick,
  notBefore,
  postTime,
  secretsInUse,
  slowAnswer,
  takenInterval,
  type WebhookEndpoint,
} from "./endpoint.ts";
import { type MailNotice, tellNotice } from "./endpoint-notice.ts";
import {
  type EndpointChange,
  updateLatest,
  type WaitingCounter,
  type WebhookTable,
} from "./endpoint-table.ts";
import type { FeedReader, FeedWriter } from "./feed-table.ts";
import { followFeed } from "./follow-feed.ts";
import { type EndpointFailure, noteFailure, noteRecovery, type WebhookReport } from "./note-failure.ts";
import { webhookUserAgent } from "./own-headers.ts";
import type { EventPostResult, PostEvent } from "./post-event.ts";
import {
  type EndpointNotice,
  type OutgoingWebhook,
  readWebhookMessage,
  type WebhookMessage,
  wakeUpOf,
} from "./queue.ts";
import { nextAttempt } from "./retry-schedule.ts";
import { signedHeaders } from "./sign.ts";
import type { SendToQueue } from "./vendor-queue.ts";

/** The endpoints, how events are posted and sent again, and the clock. */
export interface WebhookDeliveryDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update" | "list"> & WaitingCounter;
  readonly keepAttempts: KeepAttempts;
  readonly post: PostEvent;
  readonly sendToQueue: SendToQueue;
  readonly feed: Pick<FeedReader, "page"> & FeedWriter;
  readonly mail: MailNotice;
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
const maxDelay = 900_000;
const parallelEndpoints = 10;
/** Longest Retry-After of an endpoint that is respected. */
const maxRetryAfter = 3_600_000;

/** Why a post failed; undefined if the endpoint took the event. */
function failureOf(result: EventPostResult): EndpointFailure | undefined {
  if (result.kind === "failed") return { message: result.message };
  const { status } = result;
  return status >= 200 && status < 300 ? undefined : { status, message: `The endpoint answered ${status}.` };
}

/** Posts an event to an endpoint, signed with all secrets that are valid now, or sends it to a queue. */
async function postSigned(
  { post, sendToQueue }: Pick<WebhookDeliveryDependencies, "post" | "sendToQueue">,
  endpoint: WebhookEndpoint,
  { eventId, body, requestId }: Pick<WebhookMessage, "eventId" | "body" | "requestId">,
  now: Date,
): Promise<EventPostResult> {
  if (isQueue(endpoint)) {
    const { message } = await sendToQueue(endpoint, [{ eventId, body, requestId }]);
    return message === undefined
      ? { kind: "answered", status: 200 }
      : { kind: "failed", reason: "queue", message };
  }
  const headers = {
    ...endpoint.headers,
    ...signedHeaders(secretsInUse(endpoint, now.getTime()), eventId, now, body),
    "Content-Type": "application/json",
    "User-Agent": webhookUserAgent,
  };
  return await post(endpoint.url, headers, body);
}

/**
 * Makes the function that posts a batch of events to their endpoints, and sends to queues what the feed has for them.
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
    const groups = new Map<string, EndpointMessages>();
    for (const { messageId, body } of received) {
      const message = readWebhookMessage(body);
      if (message === undefined) {
        failed.push(messageId);
        continue;
      }
      // A notice that cannot be told holds up no events.
      const key = `${message.apiSet} ${message.endpointId}${"notice" in message ? " notice" : ""}`;
      const { apiSet, endpointId: id } = message;
      const group = groups.get(key) ?? {
        apiSet,
        id,
        messageIds: [],
        messages: [],
        notices: [],
        isWoken: false,
      };
      group.messageIds.push(messageId);
      if ("isWakeUp" in message) group.isWoken = true;
      else if ("notice" in message) group.notices.push(message);
      else group.messages.push(message);
      groups.set(key, group);
    }
    if (failed.length > 0) report({ kind: "unreadable", messages: failed.length });
    await pMap(
      groups.values(),
      async ({ apiSet, id, messageIds, messages, notices, isWoken }) => {
        try {
          const run = startRun();
          for (const notice of notices) await tellNotice(notice, dependencies);
          await deliverToEndpoint(messages, run, dependencies, remaining);
          if (isWoken) {
            const wakeAt = await followFeed(apiSet, id, dependencies, remaining);
            if (wakeAt !== undefined) {
              const wait = Math.min(maxDelay, Math.max(0, wakeAt - dependencies.now().getTime()));
              run.later.push(wakeUpOf({ apiSet, id }, Math.ceil(wait / 1000)));
            }
          }
          if (run.later.length > 0) await send(run.later);
          await noteRun(messages, run, dependencies);
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

/** The messages of a batch that are for one endpoint. */
interface EndpointMessages {
  readonly apiSet: ApiSet;
  readonly id: string;
  readonly messageIds: string[];
  readonly messages: WebhookMessage[];
  readonly notices: EndpointNotice[];
  /** Whether the feed may have events for it. */
  isWoken: boolean;
}

/** What a run did at one endpoint. */
interface EndpointRun {
  /** The endpoint as it is known last; undefined if it was removed. */
  endpoint: WebhookEndpoint | undefined;
  /** The messages that are to come up later. */
  readonly later: OutgoingWebhook[];
  /** How many of them are of events. */
  postponed: number;
  readonly attempts: WebhookAttempt[];
  /** When the first of the later ones is due. */
  dueAt: number;
}

/** Posts the events of one endpoint that are due. */
async function deliverToEndpoint(
  messages: readonly WebhookMessage[],
  run: EndpointRun,
  dependencies: WebhookDeliveryDependencies,
  remaining: () => number,
): Promise<void> {
  const { endpoints, random, report } = dependencies;
  const now = () => dependencies.now().getTime();
  const [first] = messages;
  if (first === undefined) return;
  const { apiSet, endpointId } = first;
  run.endpoint = await endpoints.find(apiSet, endpointId);
  const postpone = (message: WebhookMessage, until: number) => {
    const wait = Math.min(maxDelay, Math.max(0, until - now()));
    run.dueAt = Math.min(run.dueAt, until);
    run.postponed += 1;
    run.later.push({ ...message, delaySeconds: Math.ceil(wait / 1000), isWaiting: true });
  };

  for (const message of messages) {
    const { endpoint } = run;
    if (endpoint === undefined) return;
    if (message.isTest && endpoint.withheldAt === undefined) {
      await deliverTest(message, endpoint, run, dependencies);
      continue;
    }
    // The endpoint was disabled, so the event is dropped.
    if (endpoint.disabled !== undefined) continue;
    const due = Math.max(message.notBefore, notBefore(endpoint, now()));
    // An event that is not due waits. If a slow endpoint has used up this run's time, another run posts its other events.
    if (due > now() || remaining() < postTime) {
      postpone(message, due);
      continue;
    }
    const isClaimed = endpoint.failing !== undefined || !isQuick(endpoint, now());
    let claimed: WebhookEndpoint | undefined = endpoint;
    if (isClaimed) {
      const { failing, busyUntil = 0 } = endpoint;
      const until = now() + postTime;
      const change = failing ? { failing: { ...failing, nextAttemptAt: until } } : { busyUntil: until };
      claimed =
        failing === undefined && busyUntil > now() ? undefined : await endpoints.update(endpoint, change);
    }
    if (claimed === undefined) {
      // Another run has claimed the attempt or made it.
      run.endpoint = await endpoints.find(apiSet, endpointId);
      postpone(message, run.endpoint === undefined ? now() : freeAt(run.endpoint, now()));
      continue;
    }
    run.endpoint = claimed;
    const { result, failure, milliseconds } = await attempt(message, claimed, run, dependencies);
    if (failure === undefined) {
      report({ kind: "posted", apiSet, waited: now() - message.firstAt });
      await noteRecovery(claimed, dependencies);
      const isDue = now() - (claimed.lastTakenAt ?? 0) >= takenInterval;
      if (isClaimed || milliseconds > slowAnswer || isDue) {
        const pace = { at: now(), milliseconds };
        const change = { failing: undefined, busyUntil: undefined, lastTakenAt: now(), pace };
        run.endpoint =
          (await endpoints.update(claimed, change)) ?? (await endpoints.find(apiSet, endpointId));
      }
      // Whoever added events to the feed while it failed sent it no wake-up.
      if (isQueue(claimed) && claimed.failing !== undefined) run.later.push(wakeUpOf(claimed));
      continue;
    }
    report({ kind: "failed", apiSet, failure });
    const attempts = message.attempts + 1;
    const retryAfter = result.kind === "answered" ? (result.retryAfterSeconds ?? 0) * 1000 : 0;
    const earliest = now() + Math.min(maxRetryAfter, retryAfter);
    const next = nextAttempt(attempts, message.firstAt, now(), random());
    const retryAt = next === undefined ? undefined : Math.max(next, earliest);
    if (retryAt === undefined) report({ kind: "givenUp", apiSet });
    else postpone({ ...message, attempts, notBefore: retryAt }, retryAt);
    run.endpoint = await noteFailure(claimed, failure, { earliest, retryAt }, dependencies);
    if (isQueue(claimed) && claimed.failing === undefined) run.later.push(wakeUpOf(claimed));
  }
}

const startRun = (): EndpointRun => ({
  endpoint: undefined,
  later: [],
  postponed: 0,
  attempts: [],
  dueAt: Number.POSITIVE_INFINITY,
});

/** Posts an event, and notes the attempt. */
async function attempt(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  run: EndpointRun,
  dependencies: WebhookDeliveryDependencies,
) {
  const { now } = dependencies;
  const at = now();
  const result = await postSigned(dependencies, endpoint, message, at);
  const milliseconds = now().getTime() - at.getTime();
  const failure = failureOf(result);
  const { eventId, body } = message;
  run.attempts.push({
    at: at.getTime(),
    milliseconds,
    eventId,
    body,
    ...(result.kind === "answered" && { status: result.status }),
    ...(failure && { message: failure.message }),
  });
  return { result, failure, milliseconds };
}

/** Posts a vendor's test event once, also to an endpoint that fails or is disabled. */
async function deliverTest(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  run: EndpointRun,
  dependencies: WebhookDeliveryDependencies,
): Promise<void> {
  const { failure } = await attempt(message, endpoint, run, dependencies);
  if (!failure) await noteRecovery(endpoint, dependencies);
  const at = dependencies.now().getTime();
  // Its waiting events follow when their messages come up next.
  const change: EndpointChange = {
    testedUntil: undefined,
    ...(!failure && { failing: undefined, lastTakenAt: at }),
  };
  const { endpoints } = dependencies;
  run.endpoint =
    (await updateLatest(endpoints, endpoint, () => change)) ??
    (await endpoints.find(endpoint.apiSet, endpoint.id));
  if (isQueue(endpoint) && !failure) run.later.push(wakeUpOf(endpoint));
}

/**
 * Stores the attempts of a run, how many events wait, and when the first of them is due at a failing endpoint. The events are posted
 * or back in the queue by then, so what fails here is only reported.
 */
async function noteRun(
  messages: readonly WebhookMessage[],
  { endpoint, postponed, attempts, dueAt }: EndpointRun,
  { endpoints, keepAttempts, now: clock, report }: WebhookDeliveryDependencies,
): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  const now = clock().getTime();
  const notes = [keepAttempts(first.apiSet, first.endpointId, attempts)];
  if (endpoint !== undefined) {
    const before = messages.filter(({ isWaiting }) => isWaiting).length;
    const isConfirmed = postponed > 0 && isCountOld(endpoint, now);
    if (postponed !== before || isConfirmed) {
      notes.push(endpoints.addWaiting(endpoint, postponed - before, now));
    }
    const { failing } = endpoint;
    if (failing !== undefined && dueAt < (failing.dueAt ?? Number.POSITIVE_INFINITY)) {
      const first = { ...failing, dueAt: Math.max(dueAt, failing.nextAttemptAt) };
      if (first.dueAt !== failing.dueAt)
        notes.push(endpoints.update(endpoint, { failing: first }).then(() => {}));
    }
  }
  for (const note of await Promise.allSettled(notes)) {
    if (note.status === "rejected") report({ kind: "notNoted", error: note.reason });
  }
}

/** When to look again at an endpoint that another run has claimed: it is done after about as long as the endpoint took last. */
function freeAt({ failing, busyUntil = 0, pace }: WebhookEndpoint, now: number): number {
  if (failing !== undefined) return failing.nextAttemptAt;
  return Math.min(busyUntil, now + Math.max(slowAnswer, pace?.milliseconds ?? 0));
}
