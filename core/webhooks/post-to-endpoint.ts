import { delaySeconds } from "../cards/delivery/timing.ts";
import type { WebhookAttempt } from "./attempt-table.ts";
import {
  isQueue,
  isQuick,
  notBefore,
  postTime,
  secretsInUse,
  slowAnswer,
  takenInterval,
  type WebhookEndpoint,
} from "./endpoint.ts";
import { type EndpointChange, updateLatest, type WebhookTable } from "./endpoint-table.ts";
import { type EndpointFailure, noteFailure, noteRecovery, type WebhookReport } from "./note-failure.ts";
import { webhookUserAgent } from "./own-headers.ts";
import type { EventPostResult, PostEvent } from "./post-event.ts";
import { createFeedWakeUp, type OutgoingWebhook, type WebhookMessage } from "./queue.ts";
import { maxAttempts, nextAttempt } from "./retry-schedule.ts";
import { signedHeaders } from "./sign.ts";
import type { SendToQueue } from "./vendor-queue.ts";

/** The endpoints, how events are posted and sent again, and the clock. */
export interface EndpointPostDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update">;
  readonly post: PostEvent;
  readonly sendToQueue: SendToQueue;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (report: WebhookReport) => void;
}

/** What a run did at one endpoint. */
export interface EndpointRun {
  /** The endpoint as it is known last; undefined if it was removed. */
  endpoint: WebhookEndpoint | undefined;
  /** The messages that are to come up later. */
  readonly later: OutgoingWebhook[];
  readonly attempts: WebhookAttempt[];
  /** When the first of the later ones is due. */
  dueAt: number;
}

/** Longest Retry-After of an endpoint that is respected. */
const maxRetryAfter = 3_600_000;

/**
 * Posts the events of one endpoint that are due.
 *
 * @param remaining milliseconds that the run has left
 */
export async function postToEndpoint(
  messages: readonly WebhookMessage[],
  dependencies: EndpointPostDependencies,
  remaining: () => number,
): Promise<EndpointRun> {
  const none = { endpoint: undefined, later: [], attempts: [] };
  const run: EndpointRun = { ...none, dueAt: Number.POSITIVE_INFINITY };
  const [first] = messages;
  if (first === undefined) return run;
  run.endpoint = await dependencies.endpoints.find(first.apiSet, first.endpointId);
  for (const message of messages) {
    const { endpoint } = run;
    if (endpoint === undefined) break;
    if (message.isTest && endpoint.withheldAt === undefined) {
      await postTest(message, endpoint, run, dependencies);
    } else if (endpoint.disabled === undefined) {
      // The event of a disabled endpoint is dropped.
      await postOrPostpone(message, endpoint, run, dependencies, remaining);
    }
  }
  return run;
}

/** Posts an event that is due, unless another run posts to the endpoint, or this run has no time. */
async function postOrPostpone(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  run: EndpointRun,
  dependencies: EndpointPostDependencies,
  remaining: () => number,
): Promise<void> {
  const { endpoints } = dependencies;
  const now = () => dependencies.now().getTime();
  const isFreed = endpoint.failing === undefined && (message.refusals ?? 0) > 0;
  const due = Math.max(isFreed ? 0 : message.notBefore, notBefore(endpoint, now()));
  // An event that is not due waits. If a slow endpoint has used up this run's time, another run posts its other events.
  if (due > now() || remaining() < postTime) {
    // The three days of an event that is kept for a disabled account begin once it may be posted.
    const later = endpoint.withheldAt === undefined ? message : { ...message, firstAt: now() };
    postpone(later, due, run, now());
    return;
  }
  const isAlone = endpoint.failing !== undefined || !isQuick(endpoint, now());
  const claimed = isAlone ? await claim(endpoint, endpoints, now()) : endpoint;
  if (claimed === undefined) {
    // Another run has claimed the attempt or made it.
    run.endpoint = await endpoints.find(endpoint.apiSet, endpoint.id);
    postpone(message, run.endpoint === undefined ? now() : freeAt(run.endpoint, now()), run, now());
    return;
  }
  run.endpoint = claimed;
  const { result, failure, milliseconds } = await attempt(message, claimed, run, dependencies);
  if (failure === undefined) await noteTaken(message, claimed, { isAlone, milliseconds }, run, dependencies);
  else await noteRefused(message, claimed, { result, failure }, run, dependencies);
}

function postpone(message: WebhookMessage, until: number, run: EndpointRun, now: number): void {
  run.dueAt = Math.min(run.dueAt, until);
  run.later.push({ ...message, delaySeconds: delaySeconds(until - now) });
}

/** Claims the one post at a time that an endpoint gets which is slow, new or failing. @returns undefined if another run has it */
async function claim(
  endpoint: WebhookEndpoint,
  endpoints: EndpointPostDependencies["endpoints"],
  now: number,
): Promise<WebhookEndpoint | undefined> {
  const { failing, busyUntil = 0 } = endpoint;
  const until = now + postTime;
  if (failing !== undefined)
    return await endpoints.update(endpoint, { failing: { ...failing, nextAttemptAt: until } });
  return busyUntil > now ? undefined : await endpoints.update(endpoint, { busyUntil: until });
}

/** When to look again at an endpoint that another run has claimed: it is done after about as long as the endpoint took last. */
function freeAt({ failing, busyUntil = 0, pace }: WebhookEndpoint, now: number): number {
  if (failing !== undefined) return failing.nextAttemptAt;
  return Math.min(busyUntil, now + Math.max(slowAnswer, pace?.milliseconds ?? 0));
}

/** Posts an event, and notes the attempt. */
async function attempt(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  run: EndpointRun,
  dependencies: EndpointPostDependencies,
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

/** Posts an event to an endpoint, signed with all secrets that are valid now, or sends it to a queue. */
async function postSigned(
  { post, sendToQueue }: Pick<EndpointPostDependencies, "post" | "sendToQueue">,
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

/** Why a post failed; undefined if the endpoint took the event. */
function failureOf(result: EventPostResult): EndpointFailure | undefined {
  if (result.kind === "failed") return { message: result.message };
  const { status } = result;
  return status >= 200 && status < 300 ? undefined : { status, message: `The endpoint answered ${status}.` };
}

/** Notes that an endpoint took an event, and how quickly. @param isAlone whether the run had claimed the endpoint */
async function noteTaken(
  { firstAt }: WebhookMessage,
  endpoint: WebhookEndpoint,
  { isAlone, milliseconds }: { readonly isAlone: boolean; readonly milliseconds: number },
  run: EndpointRun,
  dependencies: EndpointPostDependencies,
): Promise<void> {
  const { endpoints, report } = dependencies;
  const now = () => dependencies.now().getTime();
  const { apiSet, id, lastTakenAt = 0 } = endpoint;
  report({ kind: "posted", apiSet, waited: now() - firstAt });
  await noteRecovery(endpoint, dependencies);
  if (isAlone || milliseconds > slowAnswer || now() - lastTakenAt >= takenInterval) {
    const pace = { at: now(), milliseconds };
    const change = { failing: undefined, busyUntil: undefined, lastTakenAt: now(), pace };
    // A claim ends here also if the vendor has changed the endpoint since: its next event would wait for it.
    const isSameAddress = (latest: WebhookEndpoint) =>
      latest.url === endpoint.url && latest.roleArn === endpoint.roleArn;
    const stored = isAlone
      ? await updateLatest(endpoints, endpoint, (latest) =>
          isSameAddress(latest) ? change : { busyUntil: undefined },
        )
      : await endpoints.update(endpoint, change);
    run.endpoint = stored ?? (await endpoints.find(apiSet, id));
  }
  // Whoever added events to the feed while it failed sent it no wake-up.
  if (isQueue(endpoint) && endpoint.failing !== undefined) run.later.push(createFeedWakeUp(endpoint));
}

/** Notes that an endpoint did not take an event, which comes up again or is given up. */
async function noteRefused(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  { result, failure }: { readonly result: EventPostResult; readonly failure: EndpointFailure },
  run: EndpointRun,
  dependencies: EndpointPostDependencies,
): Promise<void> {
  const { random, report } = dependencies;
  const now = () => dependencies.now().getTime();
  const { apiSet } = endpoint;
  report({ kind: "failed", apiSet, failure });
  // An endpoint that fails already may refuse any event: that is not counted against this one. It keeps the same schedule until the
  // endpoint works, so that an event which is never taken does not use up each attempt at the endpoint.
  const isCounted = endpoint.failing === undefined;
  const attempts = message.attempts + Number(isCounted);
  const refusals = isCounted ? 0 : (message.refusals ?? 0) + 1;
  const retryAfter = result.kind === "answered" ? (result.retryAfterSeconds ?? 0) * 1000 : 0;
  const earliest = now() + Math.min(maxRetryAfter, retryAfter);
  const tries = isCounted ? attempts : Math.min(maxAttempts - 1, attempts + refusals);
  const next = nextAttempt(tries, message.firstAt, now(), random());
  const retryAt = next === undefined ? undefined : Math.max(next, earliest);
  if (retryAt === undefined) report({ kind: "givenUp", apiSet });
  else postpone({ ...message, attempts, refusals, notBefore: retryAt }, retryAt, run, now());
  // Of a queue it is never the event's fault.
  const eventId = isQueue(endpoint) ? undefined : message.eventId;
  run.endpoint = await noteFailure(endpoint, failure, { earliest, retryAt, eventId }, dependencies);
  if (isQueue(endpoint) && endpoint.failing === undefined) run.later.push(createFeedWakeUp(endpoint));
}

/** Posts a vendor's test event once, also to an endpoint that fails or is disabled. */
async function postTest(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  run: EndpointRun,
  dependencies: EndpointPostDependencies,
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
  if (isQueue(endpoint) && !failure) run.later.push(createFeedWakeUp(endpoint));
}
