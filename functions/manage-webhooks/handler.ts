import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { STSClient } from "@aws-sdk/client-sts";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardReader } from "../../core/cards/scorecard-table.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { type ActivityReader, activityReader } from "../../core/views/activity-table.ts";
import { attemptReader, type KeptAttempt } from "../../core/webhooks/attempt-table.ts";
import {
  endpointsLimit,
  eventTypes,
  isQueue,
  maxResends,
  postTime,
  replayPause,
  type WebhookEndpoint,
  withNewSecret,
} from "../../core/webhooks/endpoint.ts";
import { type EndpointChange, updateLatest, webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { replayedEvents, testEvent } from "../../core/webhooks/event.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { eventsInFeed } from "../../core/webhooks/pending-events.ts";
import { messageOf, sendWebhooks, wakeUpOf } from "../../core/webhooks/queue.ts";
import { roleNamePrefix } from "../../core/webhooks/queue-address.ts";
import { isRoleOpen, openRoleMessage } from "../../core/webhooks/role-of-queue.ts";
import { shownEndpoint } from "../../core/webhooks/shown-endpoint.ts";
import { newSecret } from "../../core/webhooks/sign.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { requestsWithin, sdkClient } from "../runtime/sdk-client.ts";
import { externalIdOf } from "../runtime/webhooks.ts";
import { eventOf, shownAttempt } from "./answer.ts";
import {
  type AddressRules,
  endpointChangeSchema,
  endpointInputSchema,
  placeText,
  readBody,
  readReplay,
} from "./request.ts";

const settings = readSettings({
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  ACTIVITY_TABLE: z.string(),
  SCORECARD_TABLE: z.string(),
  TIME_ZONE: z.string(),
  EXTERNAL_ID_PREFIX: z.string(),
  QUEUE_PRINCIPAL: z.string(),
  /** Separated by spaces. */
  QUEUE_REGIONS: z.string(),
  /** The operator's own name for the API, if it has one. */
  API_DOMAIN: z.optional(z.string()),
});
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const sts = sdkClient(STSClient, requestsWithin(5_000));
const endpoints = webhookTable(settings.WEBHOOK_TABLE, dynamodb);
const activity: ActivityReader = activityReader(settings.ACTIVITY_TABLE, dynamodb);
const cards = scorecardReader(settings.SCORECARD_TABLE, dynamodb);
const attempts = attemptReader(settings.ACTIVITY_TABLE, dynamodb);
const feed = feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now);
const externalId = externalIdOf(settings.EXTERNAL_ID_PREFIX);

const secretBytes = 32;
const hourMilliseconds = 3_600_000;
const dayMilliseconds = 86_400_000;
/** A replay that takes longer is continued by another request: API Gateway ends one after 29 seconds. */
const replayMilliseconds = 20_000;

/** An answer about the endpoint that the path names. @throws ProblemError 404 */
const ofEndpoint =
  (answer: (endpoint: WebhookEndpoint, request: VendorRequest) => Promise<HttpResponse>) =>
  async (request: VendorRequest): Promise<HttpResponse> => {
    const endpoint = await endpoints.find(request.apiSet, request.path.webhookId ?? "");
    if (endpoint !== undefined) return answer(endpoint, request);
    throw new ProblemError(problem(404, "No such webhook", "No webhook endpoint of yours has this ID."));
  };

const answers: OperationAnswers<"manage-webhooks"> = {
  listWebhooks: ({ apiSet }) => list(apiSet),
  createWebhook: create,
  getWebhook: ofEndpoint(async (endpoint) => json(200, await withPending(endpoint))),
  changeWebhook: ofEndpoint(change),
  removeWebhook: ofEndpoint(async ({ apiSet, id }) => {
    await endpoints.remove(apiSet, id);
    return { statusCode: 204, headers: {}, body: "" };
  }),
  testWebhook: ofEndpoint((endpoint, { requestId }) => tryEndpoint(endpoint, requestId)),
  rotateWebhookSecret: ofEndpoint(rotate),
  replayWebhook: ofEndpoint(replay),
  listWebhookAttempts: ofEndpoint(async ({ apiSet, id }) =>
    json(200, { attempts: (await attempts.latest(apiSet, id)).map(shownAttempt) }),
  ),
  getWebhookAttempt: ofEndpoint(async (endpoint, { path }) =>
    showAttempt(await attemptOf(endpoint, path.attemptId)),
  ),
  resendWebhookEvent: ofEndpoint(async (endpoint, { path, requestId }) =>
    resend(endpoint, await attemptOf(endpoint, path.attemptId), requestId),
  ),
};

/** Lists, makes, changes, tries and removes a vendor's webhook endpoints. */
export const handler = vendorApi((request) => answerOperation(answers, request));

const regions = new Set(settings.QUEUE_REGIONS.split(" "));
/** The API is at the host that was asked, and at its other names. */
const addressRules = ({ api: { apiId, domainName } }: VendorRequest): AddressRules => ({
  own: { apiId, hosts: [domainName, settings.API_DOMAIN].filter((host) => host !== undefined) },
  regions,
});

/** An endpoint as it is shown, with what waits for it. */
const withPending = async (endpoint: WebhookEndpoint) =>
  shownEndpoint(endpoint, Date.now(), await eventsInFeed(endpoint, feed));

async function list(apiSet: ApiSet): Promise<HttpResponse> {
  const webhooks = await Promise.all((await endpoints.list(apiSet)).map(withPending));
  const queues = {
    principal: settings.QUEUE_PRINCIPAL,
    externalId: externalId(apiSet),
    roleNamePrefix,
  };
  return json(200, { webhooks, queues });
}

async function create(request: VendorRequest): Promise<HttpResponse> {
  const { apiSet, body } = request;
  const read = readBody(endpointInputSchema, body, addressRules(request));
  const { url, roleArn, types = [...eventTypes], headers } = read;
  if (roleArn !== undefined) await refuseOpenRole(roleArn);
  if ((await endpoints.list(apiSet)).length >= endpointsLimit) throw tooMany();
  const secret = newSecret(randomBytes(secretBytes));
  const endpoint: WebhookEndpoint = {
    apiSet,
    id: `wh_${randomBytes(12).toString("hex")}`,
    version: 1,
    url,
    ...(roleArn !== undefined && { roleArn, feed: { place: await feed.end(apiSet) } }),
    types,
    ...(headers !== undefined && { headers }),
    secrets: [{ secret }],
    createdAt: Date.now(),
  };
  await endpoints.insert(endpoint);
  // Requests at the same time each saw the place of the other free: then each gives its own back.
  if ((await endpoints.list(apiSet)).length > endpointsLimit) {
    await endpoints.remove(apiSet, endpoint.id);
    throw tooMany();
  }
  return json(201, { ...shownEndpoint(endpoint, endpoint.createdAt), secret }, noStore);
}

const tooMany = () => {
  const detail = `You have ${endpointsLimit} webhook endpoints, which is the limit: remove one first.`;
  return new ProblemError(problem(409, "Too many webhooks", detail));
};

/** @throws ProblemError 400 if the role lets us in for every vendor, 503 if that cannot be found out */
async function refuseOpenRole(roleArn: string): Promise<void> {
  const isOpen = await isRoleOpen({ sts, externalId }, roleArn).catch((cause: unknown) => {
    const detail = "Your role could not be tried. Send the same request again.";
    throw new ProblemError(problem(503, "Not now", detail), { headers: { "Retry-After": "5" }, cause });
  });
  if (isOpen) throw new ProblemError(problem(400, "Role is open", openRoleMessage));
}

/** Keeps caches from storing a secret, which is shown only once. */
const noStore = { "Cache-Control": "no-store" };

/**
 * Stores a change that fits the endpoint as it is now: a run that posts to it, or another request, may have changed it meanwhile.
 *
 * @param changed may refuse what the latest endpoint does not allow
 * @throws ProblemError 409 if the endpoint was removed, or changes all the time
 */
async function update(
  endpoint: WebhookEndpoint,
  changed: (latest: WebhookEndpoint) => EndpointChange,
): Promise<WebhookEndpoint> {
  const stored = await updateLatest(endpoints, endpoint, changed);
  if (stored !== undefined) return stored;
  const detail = "The endpoint has just been changed. Read it again, and repeat the request.";
  throw new ProblemError(problem(409, "Changed meanwhile", detail));
}

async function change(endpoint: WebhookEndpoint, request: VendorRequest): Promise<HttpResponse> {
  const read = (latest: WebhookEndpoint) =>
    readBody(endpointChangeSchema, request.body, addressRules(request), latest);
  const { roleArn } = read(endpoint);
  if (roleArn !== undefined && roleArn !== endpoint.roleArn) await refuseOpenRole(roleArn);
  const now = Date.now();
  const changed = await update(endpoint, (latest) => {
    const {
      url = latest.url,
      roleArn = latest.roleArn,
      types = latest.types,
      headers,
      enabled,
    } = read(latest);
    return {
      url,
      ...(roleArn !== undefined && { roleArn }),
      types,
      ...(headers !== undefined && { headers }),
      ...(enabled !== undefined && { disabled: enabled ? undefined : { at: now, why: "by_vendor" } }),
      // A changed endpoint may work again, so its events are not held back any longer.
      failing: undefined,
      // What was quick may be slow at another address.
      ...(url !== latest.url && { pace: undefined }),
    };
  });
  if (isQueue(changed)) await sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, [wakeUpOf(changed)]);
  return json(200, await withPending(changed));
}

async function rotate(endpoint: WebhookEndpoint): Promise<HttpResponse> {
  const secret = newSecret(randomBytes(secretBytes));
  await update(endpoint, (latest) => ({ secrets: withNewSecret(latest, secret, Date.now()) }));
  return json(201, { secret }, noStore);
}

/**
 * Queues a test event, one at a time: otherwise one vendor's tests of a silent endpoint would hold runs that post events for ten
 * seconds each. Its result is among the attempts.
 *
 * @throws ProblemError 429 if a test of the endpoint is under way
 */
async function tryEndpoint(endpoint: WebhookEndpoint, requestId: string): Promise<HttpResponse> {
  const now = new Date();
  const at = now.getTime();
  await update(endpoint, ({ testedUntil = 0 }) => {
    if (testedUntil <= at) return { testedUntil: at + postTime };
    throw soonAgain("Tested a moment ago", "A test of this endpoint is under way.", testedUntil - at);
  });
  const event = testEvent(endpoint.apiSet, requestId, now);
  await sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, [
    { ...messageOf(endpoint, event, at), isTest: true },
  ]);
  return json(202, { eventId: event.id });
}

/** @throws ProblemError 404 if there is no such attempt, or no longer */
async function attemptOf({ apiSet, id }: WebhookEndpoint, attemptId = ""): Promise<KeptAttempt> {
  const found = await attempts.find(apiSet, id, attemptId);
  if (found !== undefined) return found;
  const detail = "The endpoint has no attempt with this ID. Attempts are kept for a week.";
  throw new ProblemError(problem(404, "No such attempt", detail));
}

function showAttempt(attempt: KeptAttempt): HttpResponse {
  const event = eventOf(attempt);
  return json(200, { ...shownAttempt(attempt), ...(event !== undefined && { event }) });
}

/** Sends an event again, as it was posted and under the same ID. @throws ProblemError 409 if it cannot be sent, 429 after many */
async function resend(
  endpoint: WebhookEndpoint,
  { eventId, body }: KeptAttempt,
  requestId: string,
): Promise<HttpResponse> {
  if (endpoint.disabled !== undefined) {
    throw new ProblemError(problem(409, "Endpoint is disabled", "Enable the endpoint first."));
  }
  if (body === undefined) {
    const detail = "The event was too large to be kept. Have the outcomes of its time replayed.";
    throw new ProblemError(problem(409, "Event was not kept", detail));
  }
  const now = Date.now();
  const { apiSet, id } = endpoint;
  await update(endpoint, ({ resent }) => {
    if (resent === undefined || now - resent.since >= hourMilliseconds) {
      return { resent: { since: now, count: 1 } };
    }
    if (resent.count < maxResends) return { resent: { ...resent, count: resent.count + 1 } };
    const detail = `${maxResends} events an hour can be sent again to an endpoint. Have the outcomes of their time replayed.`;
    throw soonAgain("Too many sent again", detail, resent.since + hourMilliseconds - now);
  });
  const times = { attempts: 0, firstAt: now, notBefore: now, delaySeconds: 0 };
  await sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, [
    { apiSet, endpointId: id, eventId, body, requestId, ...times },
  ]);
  return json(202, { eventId });
}

/** A refusal of what was asked for too soon. @param wait milliseconds */
function soonAgain(title: string, detail: string, wait: number): ProblemError {
  const seconds = Math.ceil(wait / 1000);
  return new ProblemError(problem(429, title, `${detail} Ask again in ${seconds} s.`), {
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Sends the present outcomes of all cards that got their outcome in some time once more, or counts them.
 *
 * @throws ProblemError 400, or 429 if that was asked for a moment ago
 */
async function replay(endpoint: WebhookEndpoint, { body, requestId }: VendorRequest): Promise<HttpResponse> {
  const { apiSet } = endpoint;
  const now = Date.now();
  const { from, before, types = endpoint.types, isPreview, after } = readReplay(body, now);
  if (!isPreview) {
    await update(endpoint, ({ replayedAt = 0 }) => {
      if (now - replayedAt >= replayPause) return { replayedAt: now };
      const detail = "The outcomes are being sent to this endpoint already.";
      throw soonAgain("Replayed a moment ago", detail, replayedAt + replayPause - now);
    });
  }
  const days = {
    from: dayOf(from - dayMilliseconds, settings.TIME_ZONE),
    to: dayOf(before - 1, settings.TIME_ZONE),
  };
  const isWanted = (at: number | undefined) => at !== undefined && at >= from && at < before;
  const replayed = new Set<string>();
  let place = after;
  for (let page = 0; ; page++) {
    const { externalIds, next } = await activity.cards(apiSet, days, 100, place);
    const stored = await cards.read(externalIds.map((externalId) => ({ apiSet, externalId })));
    const recent = stored.filter(({ since, record }) => isWanted(since) || isWanted(record?.at));
    // A queue's event is about one card, as those of its feed are, which it may get in the card's order.
    const told = isQueue(endpoint)
      ? recent.flatMap((card) => replayedEvents(apiSet, [card], `${requestId} ${card.externalId}`))
      : replayedEvents(apiSet, recent, `${requestId} ${page}`);
    const events = told.filter(({ type }) => (types as readonly string[]).includes(type));
    if (!isPreview) {
      await sendWebhooks(
        queue,
        settings.WEBHOOK_QUEUE_URL,
        events.map((event) => messageOf(endpoint, event, now)),
      );
    }
    // A card can be in several events, as one for its delivery and one for its record.
    for (const { data } of events) for (const { externalId } of data.cards ?? []) replayed.add(externalId);
    place = next;
    if (next !== undefined && Date.now() - now < replayMilliseconds) continue;
    if (replayed.size === 0 && !isPreview) {
      await updateLatest(endpoints, endpoint, () => ({ replayedAt: undefined }));
    }
    const answer = { cards: replayed.size, ...(next !== undefined && { next: placeText(next) }) };
    return json(isPreview ? 200 : 202, answer);
  }
}
