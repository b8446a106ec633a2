import type { ShownAttempt } from "../../api/webhook-schemas.ts";
import type { AttemptReader, KeptAttempt } from "../../core/webhooks/attempt-table.ts";
import { postTime, type WebhookEndpoint } from "../../core/webhooks/endpoint.ts";
import { updateLatest, type WebhookTable } from "../../core/webhooks/endpoint-table.ts";
import { createEvent, type WebhookEvent } from "../../core/webhooks/event.ts";
import { messageOf, type OutgoingWebhook } from "../../core/webhooks/queue.ts";
import { type ReplayDependencies, replayOutcomes } from "../../core/webhooks/replay.ts";
import { writeCursor } from "../http/cursor.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { readQueryFlag } from "../http/query-flag.ts";
import { type HttpResponse, json } from "../http/response.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { updateEndpoint } from "./endpoints.ts";
import { readReplay } from "./request.ts";

/** An attempt as the API lists it. */
function shownAttempt(attempt: KeptAttempt): ShownAttempt {
  const { body: _, at, ...shown } = attempt;
  const event = toEvent(attempt);
  return {
    ...shown,
    at: new Date(at).toISOString(),
    ...(event !== undefined && { type: event.type }),
    ...(event?.data.cards !== undefined && { cards: event.data.cards.length }),
    taken: shown.message === undefined,
  };
}

/** The event that was posted; undefined if it was too large to keep. */
function toEvent({ body }: KeptAttempt): Pick<WebhookEvent, "type" | "timestamp" | "data"> | undefined {
  return body === undefined ? undefined : JSON.parse(body);
}

/** The endpoints, what was posted to them, their queue, the feed and the cards. */
export interface SendAgainDependencies extends Omit<ReplayDependencies, "send" | "hasTime"> {
  readonly endpoints: Pick<WebhookTable, "find" | "update">;
  readonly attempts: AttemptReader;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Time between two replays to an endpoint, or two previews, in milliseconds: each reads all outcomes of a day again. */
const replayPause = 60_000;
/** A replay that found nothing in less time may be followed by another one. */
const quickReplay = 1_000;
/** The most events that are sent again one by one in an hour, to one endpoint: a script that answers each by another one ends. */
const maxResends = 20;
const hourMilliseconds = 3_600_000;
/** A replay that takes longer is continued by another request: API Gateway ends one after 29 seconds. */
const replayMilliseconds = 20_000;

/** A refusal of what was asked for too soon. @param wait milliseconds */
function soonAgain(title: string, detail: string, wait: number): ProblemError {
  const seconds = Math.ceil(wait / 1000);
  return new ProblemError(problem(429, title, `${detail} Ask again in ${seconds} s.`), {
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Queues a test event, one at a time: otherwise one vendor's tests of a silent endpoint would hold runs that post events for ten
 * seconds each. Its result is among the attempts.
 *
 * @throws ProblemError 429 if a test of the endpoint is under way
 */
export async function testEndpoint(
  dependencies: SendAgainDependencies,
  endpoint: WebhookEndpoint,
  { requestId, query }: VendorRequest,
): Promise<HttpResponse> {
  const { now, send } = dependencies;
  const at = now();
  const isForged = readQueryFlag(query, "forged", "to sign the event with another secret");
  await updateEndpoint(dependencies, endpoint, ({ testedUntil = 0 }) => {
    if (testedUntil <= at) return { testedUntil: at + postTime };
    throw soonAgain("Tested a moment ago", "A test of this endpoint is under way.", testedUntil - at);
  });
  const event = createEvent(endpoint.apiSet, "webhook.test", at, {}, requestId);
  await send([{ ...messageOf(endpoint, event, at), isTest: true, ...(isForged && { isForged }) }]);
  return json(202, { eventId: event.id });
}

/** Lists the last posts to an endpoint. */
export async function listAttempts(
  { attempts }: SendAgainDependencies,
  { apiSet, id }: WebhookEndpoint,
): Promise<HttpResponse> {
  return json(200, { attempts: (await attempts.latest(apiSet, id)).map(shownAttempt) });
}

/** Shows a post with its event. @throws ProblemError 404 if there is no such attempt, or no longer */
export async function showAttempt(
  dependencies: SendAgainDependencies,
  endpoint: WebhookEndpoint,
  request: VendorRequest,
): Promise<HttpResponse> {
  const attempt = await readAttempt(dependencies, endpoint, request);
  const event = toEvent(attempt);
  return json(200, { ...shownAttempt(attempt), ...(event !== undefined && { event }) });
}

async function readAttempt(
  { attempts }: SendAgainDependencies,
  { apiSet, id }: WebhookEndpoint,
  { path: { attemptId = "" } }: VendorRequest,
): Promise<KeptAttempt> {
  const found = await attempts.find(apiSet, id, attemptId);
  if (found !== undefined) return found;
  const detail = "The endpoint has no attempt with this ID. Attempts are kept for a week.";
  throw new ProblemError(problem(404, "No such attempt", detail));
}

/** @throws ProblemError 409: the events of a disabled endpoint are dropped */
function refuseDisabled({ disabled }: WebhookEndpoint): void {
  if (disabled === undefined) return;
  throw new ProblemError(problem(409, "Endpoint is disabled", "Enable the endpoint first."));
}

/**
 * Sends an event again, as it was posted and under the same ID.
 *
 * @throws ProblemError 404 if there is no such attempt, 409 if it cannot be sent, 429 after many
 */
export async function resendEvent(
  dependencies: SendAgainDependencies,
  endpoint: WebhookEndpoint,
  request: VendorRequest,
): Promise<HttpResponse> {
  const { now: clock, send } = dependencies;
  const { eventId, body } = await readAttempt(dependencies, endpoint, request);
  refuseDisabled(endpoint);
  if (body === undefined) {
    const detail = "The event was too large to be kept. Have the outcomes of its time replayed.";
    throw new ProblemError(problem(409, "Event was not kept", detail));
  }
  const now = clock();
  await updateEndpoint(dependencies, endpoint, ({ resent }) => {
    if (resent === undefined || now - resent.since >= hourMilliseconds) {
      return { resent: { since: now, count: 1 } };
    }
    if (resent.count < maxResends) return { resent: { ...resent, count: resent.count + 1 } };
    const detail = `${maxResends} events an hour can be sent again to an endpoint. Have the outcomes of their time replayed.`;
    throw soonAgain("Too many sent again", detail, resent.since + hourMilliseconds - now);
  });
  const { apiSet, id: endpointId } = endpoint;
  const times = { attempts: 0, firstAt: now, notBefore: now, delaySeconds: 0 };
  await send([{ apiSet, endpointId, eventId, body, requestId: request.requestId, ...times }]);
  return json(202, { eventId });
}

/**
 * Sends the present outcomes of all cards that events told of in some time once more, or counts them.
 *
 * @throws ProblemError 400, 409 if the endpoint is disabled, or 429 if the same was asked for a moment ago
 */
export async function replay(
  dependencies: SendAgainDependencies,
  endpoint: WebhookEndpoint,
  { body, requestId }: VendorRequest,
): Promise<HttpResponse> {
  const { endpoints, send, now: clock } = dependencies;
  const now = clock();
  const { types = endpoint.types, isPreview, ...asked } = readReplay(body, now);
  if (!isPreview) refuseDisabled(endpoint);
  const noted = isPreview ? "previewedAt" : "replayedAt";
  await updateEndpoint(dependencies, endpoint, ({ [noted]: at = 0 }) => {
    if (now - at >= replayPause) return { [noted]: now };
    const detail = `The outcomes are being ${isPreview ? "counted" : "sent to this endpoint"} already.`;
    throw soonAgain(
      isPreview ? "Counted a moment ago" : "Replayed a moment ago",
      detail,
      at + replayPause - now,
    );
  });
  const { cards, next } = await replayOutcomes(
    {
      ...dependencies,
      send: async (events) => {
        if (!isPreview) await send(events.map((event) => messageOf(endpoint, event, now)));
      },
      hasTime: () => clock() - now < replayMilliseconds,
    },
    endpoint,
    { ...asked, types, requestId },
  );
  if (cards === 0 && clock() - now < quickReplay)
    await updateLatest(endpoints, endpoint, () => ({ [noted]: undefined }));
  return json(isPreview ? 200 : 202, {
    cards,
    ...(next !== undefined && { next: writeCursor("events", next.item, next.events) }),
  });
}
