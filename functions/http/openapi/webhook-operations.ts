import { endpointsLimit } from "../../../core/webhooks/endpoint.ts";
import { webhookLinks } from "./links.ts";
import { jsonResponse, type Operation, problemResponse, requestOf } from "./operation.ts";
import { schemaOf } from "./schema.ts";

const body = (name: "WebhookInput" | "WebhookChange"): NonNullable<Operation["requestBody"]> => ({
  required: true,
  content: { "application/json": { schema: schemaOf(name) } },
});

const noWebhook = problemResponse("No webhook endpoint of yours has this ID.");
const changedMeanwhile = problemResponse("The endpoint has just been changed by another request.");

/** Vendors' webhook endpoints. */
export const webhookOperations: readonly Operation[] = [
  {
    ...requestOf("listWebhooks"),
    summary: "Your webhook endpoints",
    description: "All endpoints with their state, without secrets.",
    responses: {
      200: jsonResponse("The endpoints, the oldest first.", schemaOf("WebhookList"), {
        links: webhookLinks("$response.body#/webhooks/0/id"),
      }),
    },
  },
  {
    ...requestOf("createWebhook"),
    summary: "Be told of outcomes",
    description: `Makes a webhook endpoint; a vendor may have ${endpointsLimit}. The secret that events are signed with is shown once.`,
    requestBody: body("WebhookInput"),
    responses: {
      201: jsonResponse("The endpoint, with its secret.", schemaOf("NewWebhook"), {
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
      "Posts an event of type `webhook.test` at once, and says what the endpoint answered. " +
      "One at a time and endpoint: meanwhile it is 429, with Retry-After.",
    responses: {
      200: jsonResponse("Whether the endpoint took it.", schemaOf("WebhookTrial")),
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
    summary: "Send the last day's outcomes again",
    description:
      "Sends the present outcome of every card that was accepted yesterday or today and got its outcome within the last 24 hours. " +
      "Once a minute and endpoint: sooner it is 429, with Retry-After.",
    responses: { 202: jsonResponse("How many cards are sent.", schemaOf("WebhookReplay")), 404: noWebhook },
  },
];
