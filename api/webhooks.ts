import { endpointsLimit } from "../core/webhooks/endpoint.ts";
import { webhookLinks } from "./links.ts";
import { jsonResponse, type Operation, problemResponse, requestOf } from "./operation.ts";
import { schemaOf } from "./schema.ts";

const body = (
  name: "WebhookInput" | "WebhookChange" | "WebhookReplayInput",
): NonNullable<Operation["requestBody"]> => ({
  required: true,
  content: { "application/json": { schema: schemaOf(name) } },
});

const noWebhook = problemResponse("No webhook endpoint of yours has this ID.");
const noAttempt = problemResponse("No such endpoint of yours, or it has no attempt with this ID.");
const changedMeanwhile = problemResponse("The endpoint has just been changed by another request.");

/** Vendors' webhook endpoints. */
export const webhookOperations: readonly Operation[] = [
  {
    ...requestOf("listWebhooks"),
    summary: "Your webhook endpoints",
    description:
      "All endpoints with their state, without secrets, and what the role of a queue has to trust.",
    responses: {
      200: jsonResponse("The endpoints, the oldest first.", schemaOf("WebhookList"), {
        links: webhookLinks("$response.body#/webhooks/0/id"),
      }),
    },
  },
  {
    ...requestOf("createWebhook"),
    summary: "Be told of outcomes",
    description:
      `Makes a webhook endpoint; a vendor may have ${endpointsLimit}. The secret that events are signed with is shown once. ` +
      "With `roleArn` it is an SQS queue of your own AWS account.",
    requestBody: body("WebhookInput"),
    responses: {
      201: jsonResponse("The endpoint, with its secret.", schemaOf("CreatedWebhook"), {
        links: webhookLinks("$response.body#/id"),
      }),
      409: problemResponse("You have as many endpoints as are allowed."),
    },
  },
  {
    ...requestOf("getWebhook"),
    summary: "One webhook endpoint",
    description: "The endpoint with its state: since when it takes nothing, and why.",
    responses: { 200: jsonResponse("The endpoint.", schemaOf("Webhook")), 404: noWebhook },
  },
  {
    ...requestOf("changeWebhook"),
    summary: "Change a webhook endpoint",
    description:
      "What is left out stays. An endpoint that failed is tried again at once; `enabled` turns it on or off.",
    requestBody: body("WebhookChange"),
    responses: {
      200: jsonResponse("The endpoint as changed.", schemaOf("Webhook")),
      404: noWebhook,
      409: changedMeanwhile,
    },
  },
  {
    ...requestOf("removeWebhook"),
    summary: "Remove a webhook endpoint",
    description: "Events that wait for it are dropped.",
    responses: { 204: { description: "Removed." }, 404: noWebhook },
  },
  {
    ...requestOf("testWebhook"),
    summary: "Try a webhook endpoint",
    description:
      "Posts an event of type `webhook.test` as soon as possible, also to an endpoint that fails or is disabled; the result is among its attempts. " +
      "One at a time and endpoint: meanwhile it is 429, with Retry-After.",
    responses: {
      202: jsonResponse("The event is on its way.", schemaOf("WebhookDispatch")),
      404: noWebhook,
      409: changedMeanwhile,
    },
  },
  {
    ...requestOf("rotateWebhookSecret"),
    summary: "Replace a webhook endpoint's secret",
    description:
      "Makes another secret. For a day events are signed with both, so that no event is refused meanwhile; with the newest five at most.",
    responses: {
      201: jsonResponse("The secret, which is shown once.", schemaOf("WebhookSecret")),
      404: noWebhook,
      409: changedMeanwhile,
    },
  },
  {
    ...requestOf("replayWebhook"),
    summary: "Send outcomes again",
    description:
      "Sends the present outcome of every card that events told of in some time, by default the last 24 hours. " +
      "`preview` only counts the cards. Once a minute and endpoint: sooner it is 429, with Retry-After.",
    requestBody: { ...body("WebhookReplayInput"), required: false },
    responses: {
      200: jsonResponse("With `preview`: how many cards would be sent.", schemaOf("WebhookReplay")),
      202: jsonResponse("How many cards are sent.", schemaOf("WebhookReplay")),
      404: noWebhook,
      409: problemResponse("The endpoint is disabled, or has just been changed by another request."),
    },
  },
  {
    ...requestOf("listWebhookAttempts"),
    summary: "The last posts to a webhook endpoint",
    description:
      "The last 200 posts of the last week, the newest first: when, how long the endpoint took, and its status.",
    responses: {
      200: jsonResponse("The posts.", schemaOf("WebhookAttemptList")),
      404: noWebhook,
    },
  },
  {
    ...requestOf("getWebhookAttempt"),
    summary: "One post to a webhook endpoint",
    description: "The post with the event as it was posted.",
    responses: { 200: jsonResponse("The post.", schemaOf("WebhookAttemptDetail")), 404: noAttempt },
  },
  {
    ...requestOf("resendWebhookEvent"),
    summary: "Send one event again",
    description: "Posts the event of an attempt once more, unchanged and with the same ID.",
    responses: {
      202: jsonResponse("The event is on its way.", schemaOf("WebhookDispatch")),
      404: noAttempt,
      409: problemResponse("The endpoint is disabled, or the event was too large to keep."),
    },
  },
];
