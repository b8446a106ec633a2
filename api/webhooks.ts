import type * as z from "zod/mini";
import { endpointsLimit } from "../core/webhooks/endpoint.ts";
import { eventExample } from "./event-examples.ts";
import { exampleAttemptId, exampleWebhookId } from "./examples.ts";
import { webhookLinks } from "./links.ts";
import { defineOperation, jsonResponse, type Operation, problemResponse, query } from "./operation.ts";
import { refer, type Shape } from "./schema.ts";
import { webhookChangeSchema, webhookInputSchema, webhookReplayInputSchema } from "./webhook-inputs.ts";
import {
  createdWebhookSchema,
  webhookAttemptDetailSchema,
  webhookAttemptListSchema,
  type webhookAttemptSchema,
  webhookDispatchSchema,
  webhookListSchema,
  webhookReplaySchema,
  webhookSchema,
  webhookSecretSchema,
} from "./webhook-schemas.ts";

const body = (schema: z.core.$ZodType): NonNullable<Operation["requestBody"]> => ({
  required: true,
  content: { "application/json": { schema: refer(schema) } },
});

const noWebhook = problemResponse("No webhook endpoint of yours has this ID.");
const noAttempt = problemResponse("No such endpoint of yours, or it has no attempt with this ID.");
const changedMeanwhile = problemResponse("The endpoint has just been changed by another request.");

const webhook: Shape<typeof webhookSchema> = {
  id: exampleWebhookId,
  url: "https://scores.example/webhooks/scorecards",
  types: ["scorecard.delivered", "scorecard.rejected"],
  createdAt: "2025-06-01T08:00:00.000Z",
  pending: 0,
  lastTakenAt: "2025-06-22T18:04:07.512Z",
  state: "active",
};
const exampleSecret = "whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCwgbm90IG9uZQ==";

const attempt: Shape<typeof webhookAttemptSchema> = {
  id: exampleAttemptId,
  at: "2025-06-22T17:02:04.027Z",
  milliseconds: 84,
  eventId: "evt_Jx2PWq7d1mXh0b9yV3sK4A",
  type: "scorecard.delivered",
  cards: 1,
  taken: true,
  status: 204,
};

/** Vendors' webhook endpoints. */
export const webhookOperations = [
  defineOperation("listWebhooks", {
    summary: "Your webhook endpoints",
    description:
      "All endpoints with their state, without secrets, and what the role of a queue has to trust.",
    responses: {
      200: jsonResponse("The endpoints, the oldest first.", refer(webhookListSchema), {
        links: webhookLinks("$response.body#/webhooks/0/id"),
        example: {
          webhooks: [webhook],
          queues: {
            principal: "arn:aws:iam::123456789012:root",
            externalId: "scorecard-pipeline-production:greens-app",
            roleNamePrefix: "scorecard-events",
          },
        },
      }),
    },
  }),
  defineOperation("createWebhook", {
    summary: "Be told of outcomes",
    description:
      `Makes a webhook endpoint; a vendor may have ${endpointsLimit}. The secret that events are signed with is shown once. ` +
      "With `roleArn` it is an SQS queue of your own AWS account.",
    requestBody: body(webhookInputSchema),
    responses: {
      201: jsonResponse("The endpoint, with its secret.", refer(createdWebhookSchema), {
        links: webhookLinks("$response.body#/id"),
        example: { ...webhook, secret: exampleSecret },
      }),
      409: problemResponse("You have as many endpoints as are allowed."),
    },
  }),
  defineOperation("getWebhook", {
    summary: "One webhook endpoint",
    description: "The endpoint with its state: since when it takes nothing, and why.",
    responses: {
      200: jsonResponse("The endpoint.", refer(webhookSchema), { example: webhook }),
      404: noWebhook,
    },
  }),
  defineOperation("changeWebhook", {
    summary: "Change a webhook endpoint",
    description:
      "What is left out stays. An endpoint that failed is tried again at once; `enabled` turns it on or off.",
    requestBody: body(webhookChangeSchema),
    responses: {
      200: jsonResponse("The endpoint as changed.", refer(webhookSchema), { example: webhook }),
      404: noWebhook,
      409: changedMeanwhile,
    },
  }),
  defineOperation("removeWebhook", {
    summary: "Remove a webhook endpoint",
    description: "Events that wait for it are dropped.",
    responses: { 204: { description: "Removed." }, 404: noWebhook },
  }),
  defineOperation("testWebhook", {
    summary: "Try a webhook endpoint",
    description:
      "Posts an event of type `webhook.test` as soon as possible, also to an endpoint that fails or is disabled; the result is among its attempts. " +
      "One at a time and endpoint: meanwhile it is 429, with Retry-After.",
    parameters: [
      query("forged", "true or 1 signs it with another secret: the endpoint has to refuse it.", {
        type: "boolean",
      }),
    ],
    responses: {
      202: jsonResponse("The event is on its way.", refer(webhookDispatchSchema), {
        example: { eventId: attempt.eventId },
      }),
      404: noWebhook,
      409: changedMeanwhile,
    },
  }),
  defineOperation("rotateWebhookSecret", {
    summary: "Replace a webhook endpoint's secret",
    description:
      "Makes another secret. For a day events are signed with both, so that no event is refused meanwhile; with the newest five at most.",
    responses: {
      201: jsonResponse("The secret, which is shown once.", refer(webhookSecretSchema), {
        example: { secret: exampleSecret },
      }),
      404: noWebhook,
      409: changedMeanwhile,
    },
  }),
  defineOperation("replayWebhook", {
    summary: "Send outcomes again",
    description:
      "Sends the present outcome of every card that events told of in some time, by default the last 24 hours. " +
      "`preview` only counts the cards. Each once a minute and endpoint: sooner it is 429, with Retry-After.",
    requestBody: { ...body(webhookReplayInputSchema), required: false },
    responses: {
      200: jsonResponse("With `preview`: how many cards would be sent.", refer(webhookReplaySchema), {
        example: { cards: 214 },
      }),
      202: jsonResponse("How many cards are sent.", refer(webhookReplaySchema), { example: { cards: 214 } }),
      404: noWebhook,
      409: problemResponse("The endpoint is disabled, or has just been changed by another request."),
    },
  }),
  defineOperation("listWebhookAttempts", {
    summary: "The last posts to a webhook endpoint",
    description:
      "The last 200 posts of the last week, the newest first: when, how long the endpoint took, and its status.",
    responses: {
      200: jsonResponse("The posts.", refer(webhookAttemptListSchema), { example: { attempts: [attempt] } }),
      404: noWebhook,
    },
  }),
  defineOperation("getWebhookAttempt", {
    summary: "One post to a webhook endpoint",
    description: "The post with the event as it was posted.",
    responses: {
      200: jsonResponse("The post.", refer(webhookAttemptDetailSchema), {
        example: { ...attempt, event: eventExample("scorecard.delivered") },
      }),
      404: noAttempt,
    },
  }),
  defineOperation("resendWebhookEvent", {
    summary: "Send one event again",
    description: "Posts the event of an attempt once more, unchanged and with the same ID.",
    responses: {
      202: jsonResponse("The event is on its way.", refer(webhookDispatchSchema), {
        example: { eventId: attempt.eventId },
      }),
      404: noAttempt,
      409: problemResponse("The endpoint is disabled, or the event was too large to keep."),
    },
  }),
];
