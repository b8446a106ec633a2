import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { eventTypes } from "../core/webhooks/endpoint.ts";
import { maxCounted } from "../core/webhooks/pending-events.ts";
import { webhookEventSchema } from "./events.ts";
import { describe, type Shape } from "./schema.ts";

const time = z.iso.datetime();
const types = describe(
  z.array(knownValues<string>(eventTypes)),
  "The events that are sent; others may be added at any time.",
);

const webhookFailureSchema = z
  .object({
    since: time,
    failures: describe(z.int(), "Failed posts in a row."),
    nextAttemptAt: describe(
      time,
      "When the first of the events that wait is posted, unless a new one comes before.",
    ),
    status: describe(z.exactOptional(z.int()), "HTTP status of the endpoint, if it answered."),
    message: z.string(),
  })
  .check(
    z.meta({
      id: "WebhookFailure",
      description: "Present while the endpoint takes nothing: since when, why, and when it is tried again.",
    }),
  );

const webhookDisabledSchema = z
  .object({
    at: time,
    why: describe(
      z.enum(["gone", "failed_for_days", "by_vendor"]),
      "`gone`: it answered 410; `failed_for_days`: it took nothing for three days.",
    ),
  })
  .check(z.meta({ id: "WebhookDisabled" }));

const webhook = {
  id: z.string(),
  url: describe(z.string(), "Where events are posted to, or a queue's URL."),
  roleArn: describe(z.exactOptional(z.string()), "Set for a queue: the role that sends to it."),
  types,
  headers: describe(
    z.exactOptional(z.array(z.string())),
    "Names of your own headers. Their values are not shown.",
  ),
  createdAt: time,
  pending: describe(
    z.int(),
    `Events of the feed that it has yet to get, counted up to ${maxCounted}. Of an address those since it fails: once it works, they follow within a quarter of an hour.`,
  ),
  lastTakenAt: describe(
    z.exactOptional(time),
    "When it took an event last; up to a minute late. Absent if it never did.",
  ),
  state: z.enum(["active", "failing", "disabled"]),
  failing: z.exactOptional(webhookFailureSchema),
  disabled: z.exactOptional(webhookDisabledSchema),
};
const secret = describe(z.string(), "`whsec_` and base64. It is shown once: store it.");

/** A webhook endpoint. */
export const webhookSchema = z.object(webhook).check(z.meta({ id: "Webhook" }));
/** An endpoint as the API shows it, without its secrets. Times are ISO 8601, UTC. */
export type ShownEndpoint = Shape<typeof webhookSchema>;
/** A webhook endpoint that was just made. */
export const createdWebhookSchema = z.object({ ...webhook, secret }).check(z.meta({ id: "CreatedWebhook" }));
const queueAccessSchema = z
  .object({
    principal: describe(z.string(), "Our AWS account: the principal of the role's trust policy."),
    externalId: describe(
      z.string(),
      "Yours alone: the condition `sts:ExternalId` of the role's trust policy.",
    ),
    roleNamePrefix: describe(z.string(), "The role's name begins with this."),
  })
  .check(
    z.meta({
      id: "QueueAccess",
      description: "What the role of a queue in your own AWS account has to trust.",
    }),
  );
/** All webhook endpoints of a vendor. */
export const webhookListSchema = z
  .object({ webhooks: z.array(webhookSchema), queues: queueAccessSchema })
  .check(z.meta({ id: "WebhookList" }));

const eventId = describe(z.string(), "The event's ID, as in the header webhook-id.");

/** An event that is on its way to an endpoint. */
export const webhookDispatchSchema = z.object({ eventId }).check(z.meta({ id: "WebhookDispatch" }));

const attempt = {
  id: z.string(),
  at: time,
  milliseconds: describe(z.int(), "How long the endpoint took."),
  eventId,
  type: describe(
    z.exactOptional(knownValues<string>([...eventTypes, "webhook.test"])),
    "Type of the event; absent if it was too large to keep.",
  ),
  cards: describe(z.exactOptional(z.int()), "Number of cards in the event."),
  taken: z.boolean(),
  status: describe(z.exactOptional(z.int()), "HTTP status of the endpoint, if it answered."),
  message: describe(z.exactOptional(z.string()), "Why it did not take the event."),
};

/** A post of an event to an endpoint. */
export const webhookAttemptSchema = z.object(attempt).check(z.meta({ id: "WebhookAttempt" }));
/** An attempt as the API lists it. Times are ISO 8601, UTC. */
export type ShownAttempt = Shape<typeof webhookAttemptSchema>;
/** The last posts to an endpoint. */
export const webhookAttemptListSchema = z
  .object({ attempts: z.array(webhookAttemptSchema) })
  .check(z.meta({ id: "WebhookAttemptList" }));
/** A post with the event that was posted. */
export const webhookAttemptDetailSchema = z
  .object({
    ...attempt,
    event: z.exactOptional(webhookEventSchema),
  })
  .check(z.meta({ id: "WebhookAttemptDetail" }));

/** Another secret of an endpoint. */
export const webhookSecretSchema = z.object({ secret }).check(z.meta({ id: "WebhookSecret" }));
/** The number of cards whose outcomes are sent again. */
export const webhookReplaySchema = z
  .object({
    cards: describe(z.int(), "Cards, each once; a card can be in several events."),
    next: describe(
      z.exactOptional(z.string()),
      "Set if there are more: repeat the request with it as `after`.",
    ),
  })
  .check(z.meta({ id: "WebhookReplay" }));
