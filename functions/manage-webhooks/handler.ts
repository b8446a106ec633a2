import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardReader } from "../../core/cards/scorecard-table.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { type ActivityReader, activityReader, type ListPlace } from "../../core/outcomes/activity-table.ts";
import { failureOf, postSigned, postTime } from "../../core/webhooks/deliver.ts";
import {
  endpointsLimit,
  eventTypes,
  replayPause,
  type WebhookEndpoint,
  withNewSecret,
} from "../../core/webhooks/endpoint.ts";
import { type EndpointChange, webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { bodyOf, replayedEvents, testEvent } from "../../core/webhooks/event.ts";
import { createPoster } from "../../core/webhooks/post-event.ts";
import { messageOf, sendWebhooks } from "../../core/webhooks/queue.ts";
import { newSecret } from "../../core/webhooks/sign.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { type VendorRequest, vendorApi } from "../http/vendor-api.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { isLocalRun, postTimeout } from "../runtime/webhooks.ts";
import { shown } from "./answer.ts";
import { endpointChangeSchema, endpointInputSchema, readBody } from "./request.ts";

const settings = readSettings({
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  ACTIVITY_TABLE: z.string(),
  SCORECARD_TABLE: z.string(),
  TIME_ZONE: z.string(),
});
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const endpoints = webhookTable(settings.WEBHOOK_TABLE, dynamodb);
const activity: ActivityReader = activityReader(settings.ACTIVITY_TABLE, dynamodb);
const cards = scorecardReader(settings.SCORECARD_TABLE, dynamodb);
const post = createPoster({ allowLoopback: isLocalRun, timeoutMilliseconds: postTimeout });

const secretBytes = 32;
const dayMilliseconds = 86_400_000;

/** Lists, makes, changes, tries and removes a vendor's webhook endpoints. */
export const handler = vendorApi(async (request) => {
  const { operation, apiSet, path } = request;
  if (operation === "listWebhooks") return list(apiSet);
  if (operation === "createWebhook") return create(request);
  const endpoint = await endpoints.find(apiSet, path.webhookId ?? "");
  if (endpoint === undefined) {
    throw new ProblemError(problem(404, "No such webhook", "No webhook endpoint of yours has this ID."));
  }
  if (operation === "testWebhook") return tryEndpoint(endpoint, request.requestId);
  if (operation === "rotateWebhookSecret") return rotate(endpoint);
  if (operation === "replayWebhook") return replay(endpoint, request.requestId);
  if (operation === "changeWebhook") return change(endpoint, request.body);
  if (operation === "getWebhook") return json(200, shown(endpoint));
  await endpoints.remove(apiSet, endpoint.id);
  return { statusCode: 204, headers: {}, body: "" };
});

async function list(apiSet: ApiSet): Promise<HttpResponse> {
  return json(200, { webhooks: (await endpoints.list(apiSet)).map(shown) });
}

async function create({ apiSet, body }: VendorRequest): Promise<HttpResponse> {
  const { url, types = [...eventTypes] } = readBody(endpointInputSchema, body);
  if ((await endpoints.list(apiSet)).length >= endpointsLimit) {
    const detail = `You have ${endpointsLimit} webhook endpoints, which is the limit: remove one first.`;
    throw new ProblemError(problem(409, "Too many webhooks", detail));
  }
  const secret = newSecret(randomBytes(secretBytes));
  const endpoint: WebhookEndpoint = {
    apiSet,
    id: `wh_${randomBytes(12).toString("hex")}`,
    version: 1,
    url,
    types,
    secrets: [{ secret }],
    createdAt: Date.now(),
  };
  await endpoints.insert(endpoint);
  return json(201, { ...shown(endpoint), secret }, noStore);
}

/** Keeps caches from storing a secret, which is shown only once. */
const noStore = { "Cache-Control": "no-store" };

/** Stores a change. @throws ProblemError 409 if somebody else has just changed the endpoint */
async function update(endpoint: WebhookEndpoint, changed: EndpointChange): Promise<WebhookEndpoint> {
  const stored = await endpoints.update(endpoint, changed);
  if (stored !== undefined) return stored;
  const detail = "The endpoint has just been changed. Read it again, and repeat the request.";
  throw new ProblemError(problem(409, "Changed meanwhile", detail));
}

async function change(endpoint: WebhookEndpoint, body: string): Promise<HttpResponse> {
  const { url = endpoint.url, types = endpoint.types, enabled } = readBody(endpointChangeSchema, body);
  const disabled =
    enabled === undefined
      ? endpoint.disabled
      : enabled
        ? undefined
        : ({ at: Date.now(), why: "by_vendor" } as const);
  // A changed endpoint may work again, so its events are not held back any longer.
  const change: EndpointChange = { url, types, disabled, failing: undefined };
  // What was quick may be slow at another address.
  return json(
    200,
    shown(await update(endpoint, url === endpoint.url ? change : { ...change, pace: undefined })),
  );
}

async function rotate(endpoint: WebhookEndpoint): Promise<HttpResponse> {
  const secret = newSecret(randomBytes(secretBytes));
  await update(endpoint, { secrets: withNewSecret(endpoint, secret, Date.now()) });
  return json(201, { secret }, noStore);
}

/**
 * Posts a test event, one at a time: otherwise one vendor's tests of a silent endpoint would hold this function's runs for ten
 * seconds each, and other vendors' requests would wait for one.
 *
 * @throws ProblemError 429 if a test of the endpoint is under way
 */
async function tryEndpoint(endpoint: WebhookEndpoint, requestId: string): Promise<HttpResponse> {
  const now = new Date();
  const at = now.getTime();
  const { testedUntil = 0 } = endpoint;
  if (testedUntil > at) {
    const detail = "A test of this endpoint is under way.";
    throw soonAgain("Tested a moment ago", detail, testedUntil - at);
  }
  // Two requests at the same time: one of them is told that the endpoint was changed.
  const claimed = await update(endpoint, { testedUntil: at + postTime });
  const event = testEvent(endpoint.apiSet, requestId, now);
  const result = await postSigned(post, endpoint, { eventId: event.id, body: bodyOf(event) }, now);
  const failure = failureOf(result);
  // Its waiting events follow when their messages come up next. A change that somebody made meanwhile is not undone.
  const change = { testedUntil: undefined, ...(!failure && { failing: undefined, lastTakenAt: at }) };
  await changeAsItIs(claimed, change);
  if (failure !== undefined) return json(200, { taken: false, ...failure });
  return json(200, { taken: true, ...(result.kind === "answered" && { status: result.status }) });
}

/** Stores a change of an endpoint that others may be changing, too. */
async function changeAsItIs(read: WebhookEndpoint, changed: EndpointChange): Promise<void> {
  let latest: WebhookEndpoint | undefined = read;
  for (let attempt = 0; attempt < 3 && latest !== undefined; attempt++) {
    if ((await endpoints.update(latest, changed)) !== undefined) return;
    latest = await endpoints.find(read.apiSet, read.id);
  }
}

/** A refusal of what was asked for too soon. @param wait milliseconds */
function soonAgain(title: string, detail: string, wait: number): ProblemError {
  const seconds = Math.ceil(wait / 1000);
  return new ProblemError(problem(429, title, `${detail} Ask again in ${seconds} s.`), {
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Sends the present outcomes of all cards that were accepted or got their outcome in the last day once more.
 *
 * @throws ProblemError 429 if that was asked for a moment ago
 */
async function replay(endpoint: WebhookEndpoint, requestId: string): Promise<HttpResponse> {
  const { apiSet, replayedAt = 0 } = endpoint;
  const now = Date.now();
  if (now - replayedAt < replayPause) {
    const detail = "The outcomes are being sent to this endpoint already.";
    throw soonAgain("Replayed a moment ago", detail, replayedAt + replayPause - now);
  }
  // Two requests at the same time: one of them is told that the endpoint was changed.
  const claimed = await update(endpoint, { replayedAt: now });
  const days = {
    from: dayOf(now - 2 * dayMilliseconds, settings.TIME_ZONE),
    to: dayOf(now, settings.TIME_ZONE),
  };
  const replayed = new Set<string>();
  for (let after: ListPlace | undefined, page = 0; ; page++) {
    const { externalIds, next } = await activity.cards(apiSet, days, 100, after);
    const stored = await cards.read(externalIds.map((externalId) => ({ apiSet, externalId })));
    const recent = stored.filter(({ since }) => since > now - dayMilliseconds);
    const events = replayedEvents(apiSet, recent, `${requestId} ${page}`).filter(({ type }) =>
      (endpoint.types as readonly string[]).includes(type),
    );
    await sendWebhooks(
      queue,
      settings.WEBHOOK_QUEUE_URL,
      events.map((event) => messageOf(endpoint, event, now)),
    );
    // A card can be in several events, as one for its delivery and one for its record.
    for (const { data } of events) for (const { externalId } of data.cards ?? []) replayed.add(externalId);
    after = next;
    if (next !== undefined) continue;
    if (replayed.size === 0) await endpoints.update(claimed, { replayedAt: undefined });
    return json(202, { cards: replayed.size });
  }
}
