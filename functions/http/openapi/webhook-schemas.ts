import * as z from "zod/mini";
import { knownValues } from "../../../core/formats/known-values.ts";
import { eventTypes, longestUrl } from "../../../core/webhooks/endpoint.ts";
import type { ShownEndpoint } from "../../manage-webhooks/answer.ts";

const time = z.iso.datetime();
const types = z
  .array(knownValues(eventTypes))
  .check(z.describe("The events that are sent; others may be added at any time."));
/** A request may have these types only; a response may have others, which are added later. */
const chosenTypes = z.array(z.enum(eventTypes)).check(z.minLength(1));

/** Why an endpoint takes nothing at present. */
export const webhookFailureSchema = z
  .object({
    since: time,
    failures: z.int().check(z.describe("Failed posts in a row.")),
    nextAttemptAt: time,
    status: z.exactOptional(z.int()).check(z.describe("HTTP status of the endpoint, if it answered.")),
    message: z.string(),
  })
  .check(
    z.describe("Present while the endpoint takes nothing: since when, why, and when it is tried again."),
  );

/** Why nothing is sent to an endpoint any more. */
export const webhookDisabledSchema = z.object({
  at: time,
  why: z
    .enum(["gone", "failed_for_days", "by_vendor"])
    .check(z.describe("`gone`: it answered 410; `failed_for_days`: it took nothing for three days.")),
});

const webhook = {
  id: z.string(),
  url: z.string(),
  types,
  createdAt: time,
  lastTakenAt: z
    .exactOptional(time)
    .check(z.describe("When it took an event last; up to a minute late. Absent if it never did.")),
  state: z.enum(["active", "failing", "disabled"]),
  failing: z.exactOptional(webhookFailureSchema),
  disabled: z.exactOptional(webhookDisabledSchema),
};
const secret = z.string().check(z.describe("`whsec_` and base64. It is shown once: store it."));

/** A webhook endpoint. */
export const webhookSchema = z.object(webhook) satisfies z.ZodMiniType<ShownEndpoint>;
/** A webhook endpoint that was just made. */
export const newWebhookSchema = z.object({ ...webhook, secret });
/** All webhook endpoints of a vendor. */
export const webhookListSchema = z.object({ webhooks: z.array(webhookSchema) });

const url = z
  .string()
  .check(
    z.regex(/^https?:\/\//),
    z.maxLength(longestUrl),
    z.describe("https, at an address that everybody can reach; on the local run also http at 127.0.0.1."),
  );

/** The fields of a new endpoint that a vendor sets. */
export const webhookInputSchema = z.object({
  url,
  types: z.exactOptional(chosenTypes).check(z.describe("All events if left out.")),
});
/** The fields of an endpoint that a vendor can change. */
export const webhookChangeSchema = z.object({
  url: z.exactOptional(url),
  types: z.exactOptional(chosenTypes),
  enabled: z.exactOptional(z.boolean()),
});
/** An endpoint's response to a test event. */
export const webhookTrialSchema = z.object({
  taken: z.boolean(),
  status: z.exactOptional(z.int()).check(z.describe("HTTP status of the endpoint, if it answered.")),
  message: z.exactOptional(z.string()).check(z.describe("Why it did not take the event.")),
});
/** Another secret of an endpoint. */
export const webhookSecretSchema = z.object({ secret });
/** The number of cards whose outcomes are sent again. */
export const webhookReplaySchema = z.object({
  cards: z.int().check(z.describe("Cards, each once; a card can be in several events.")),
});
