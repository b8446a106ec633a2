import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { eventTypes, maxCounted } from "../core/webhooks/endpoint.ts";
import { webhookEventSchema } from "./events.ts";
import { defineObject, describe, optional, type Shape, time, whole } from "./schema.ts";

const types = describe(
  z.array(knownValues<string>(eventTypes)),
  "The events that are sent; others may be added at any time.",
);

const webhookFailureSchema = defineObject(
  "WebhookFailure",
  {
    since: time,
    failures: describe(whole, "Failed posts in a row."),
    nextAttemptAt: describe(
      time,
      "When the first of the events that wait is posted, unless a new one comes before.",
    ),
    status: optional(whole, "HTTP status of the endpoint, if it answered."),
    message: z.string(),
  },
  "Present while the endpoint takes nothing: since when, why, and when it is tried again.",
);

const webhookDisabledSchema = defineObject("WebhookDisabled", {
  at: time,
  why: describe(
    z.enum(["gone", "failed_for_days", "by_vendor"]),
    "`gone`: it answered 410; `failed_for_days`: it took nothing for three days.",
  ),
});

const webhook = {
  id: z.string(),
  url: describe(z.string(), "Where events are posted to, or a queue's URL."),
  roleArn: optional(z.string(), "Set for a queue: the role that sends to it."),
  types,
  headers: optional(z.array(z.string()), "Names of your own headers. Their values are not shown."),
  createdAt: time,
  pending: describe(
    whole,
    `Events of the feed that it has yet to get, counted up to ${maxCounted}. Of an address those since it fails: once it works, they follow within a quarter of an hour.`,
  ),
  lastTakenAt: optional(time, "When it took an event last; up to a minute late. Absent if it never did."),
  state: z.enum(["active", "failing", "disabled"]),
  failing: z.exactOptional(webhookFailureSchema),
  disabled: z.exactOptional(webhookDisabledSchema),
};
const secret = describe(z.string(), "`whsec_` and base64. It is shown once: store it.");

/** A webhook endpoint. */
export const webhookSchema = defineObject("Webhook", webhook);
/** An endpoint as the API shows it, without its secrets. Times are ISO 8601, UTC. */
export type ShownEndpoint = Shape<typeof webhookSchema>;
/** A webhook endpoint that was just made. */
export const createdWebhookSchema = defineObject("CreatedWebhook", { ...webhook, secret });
const queueAccessSchema = defineObject(
  "QueueAccess",
  {
    principal: describe(z.string(), "Our AWS account: the principal of the role's trust policy."),
    externalId: describe(
      z.string(),
      "Yours alone: the condition `sts:ExternalId` of the role's trust policy.",
    ),
    roleNamePrefix: describe(z.string(), "The role's name begins with this."),
  },
  "What the role of a queue in your own AWS account has to trust.",
);
/** All webhook endpoints of a vendor. */
export const webhookListSchema = defineObject("WebhookList", {
  webhooks: z.array(webhookSchema),
  queues: queueAccessSchema,
});

const eventId = describe(z.string(), "The event's ID, as in the header webhook-id.");

/** An event that is on its way to an endpoint. */
export const webhookDispatchSchema = defineObject("WebhookDispatch", { eventId });

const attempt = {
  id: z.string(),
  at: time,
  milliseconds: describe(whole, "How long the endpoint took."),
  eventId,
  type: optional(
    knownValues<string>([...eventTypes, "webhook.test"]),
    "Type of the event; absent if it was too large to keep.",
  ),
  cards: optional(whole, "Number of cards in the event."),
  taken: z.boolean(),
  status: optional(whole, "HTTP status of the endpoint, if it answered."),
  message: optional(z.string(), "Why it did not take the event."),
};

/** A post of an event to an endpoint. */
export const webhookAttemptSchema = defineObject("WebhookAttempt", attempt);
/** An attempt as the API lists it. Times are ISO 8601, UTC. */
export type ShownAttempt = Shape<typeof webhookAttemptSchema>;
/** The last posts to an endpoint. */
export const webhookAttemptListSchema = defineObject("WebhookAttemptList", {
  attempts: z.array(webhookAttemptSchema),
});
/** A post with the event that was posted. */
export const webhookAttemptDetailSchema = defineObject("WebhookAttemptDetail", {
  ...attempt,
  event: z.exactOptional(webhookEventSchema),
});

/** Another secret of an endpoint. */
export const webhookSecretSchema = defineObject("WebhookSecret", { secret });
/** The number of cards whose outcomes are sent again. */
export const webhookReplaySchema = defineObject("WebhookReplay", {
  cards: describe(whole, "Cards, each once; a card can be in several events."),
  next: optional(z.string(), "Set if there are more: repeat the request with it as `after`."),
});
