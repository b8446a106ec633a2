import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { STSClient } from "@aws-sdk/client-sts";
import * as z from "zod/mini";
import { scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { attemptReader } from "../../core/webhooks/attempt-table.ts";
import type { WebhookEndpoint } from "../../core/webhooks/endpoint.ts";
import { webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { sendWebhooks } from "../../core/webhooks/queue.ts";
import { isRoleOpen } from "../../core/webhooks/vendor-queue.ts";
import { dailyQuota, quotaSettings } from "../http/daily-quota.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { ProblemError, problem } from "../http/problem.ts";
import type { HttpResponse } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { requestsWithin, sdkClient } from "../runtime/sdk-client.ts";
import { externalIdOf } from "../runtime/webhooks.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDependencies,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  showEndpoint,
} from "./endpoints.ts";
import {
  listAttempts,
  replay,
  resendEvent,
  type SendAgainDependencies,
  showAttempt,
  testEndpoint,
} from "./send-again.ts";

const settings = readSettings({
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  ...quotaSettings,
  SCORECARD_TABLE: z.string(),
  EXTERNAL_ID_PREFIX: z.string(),
  QUEUE_PRINCIPAL: z.string(),
  /** The operator's own name for the API, if it has one. */
  API_DOMAIN: z.optional(z.string()),
});
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const sts = sdkClient(STSClient, requestsWithin(5_000));
const externalId = externalIdOf(settings.EXTERNAL_ID_PREFIX);

const dependencies: EndpointDependencies & SendAgainDependencies = {
  endpoints: webhookTable(settings.WEBHOOK_TABLE, dynamodb),
  feed: feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now),
  attempts: attemptReader(settings.ACTIVITY_TABLE, dynamodb),
  cards: scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  send: (messages) => sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages),
  isRoleOpen: (roleArn) => isRoleOpen({ sts, externalId }, roleArn),
  trustOf: (apiSet) => ({ principal: settings.QUEUE_PRINCIPAL, externalId: externalId(apiSet) }),
  // The API is at the host that was asked, and at its other names.
  addressRules: ({ api: { apiId, domainName } }) => ({
    own: { apiId, hosts: [domainName, settings.API_DOMAIN].filter((host) => host !== undefined) },
  }),
  now: Date.now,
  randomBytes,
};

type EndpointAnswer = (
  given: typeof dependencies,
  endpoint: WebhookEndpoint,
  request: VendorRequest,
) => Promise<HttpResponse>;

/** An answer about the endpoint that the path names. @throws ProblemError 404 */
const ofEndpoint =
  (answer: EndpointAnswer) =>
  async (request: VendorRequest): Promise<HttpResponse> => {
    const endpoint = await dependencies.endpoints.find(request.apiSet, request.path.webhookId ?? "");
    if (endpoint !== undefined) return answer(dependencies, endpoint, request);
    throw new ProblemError(problem(404, "No such webhook", "No webhook endpoint of yours has this ID."));
  };

const answers: OperationAnswers<"manage-webhooks"> = {
  listWebhooks: ({ apiSet }) => listEndpoints(dependencies, apiSet),
  createWebhook: (request) => createEndpoint(dependencies, request),
  getWebhook: ofEndpoint(showEndpoint),
  changeWebhook: ofEndpoint(changeEndpoint),
  removeWebhook: ofEndpoint(removeEndpoint),
  testWebhook: ofEndpoint(testEndpoint),
  rotateWebhookSecret: ofEndpoint(rotateSecret),
  replayWebhook: ofEndpoint(replay),
  listWebhookAttempts: ofEndpoint(listAttempts),
  getWebhookAttempt: ofEndpoint(showAttempt),
  resendWebhookEvent: ofEndpoint(resendEvent),
};

/** Lists, makes, changes, tries and removes a vendor's webhook endpoints, and sends events again. */
export const handler = vendorApi(
  (request) => answerOperation(answers, request),
  dailyQuota(settings, dynamodb, queue),
);
