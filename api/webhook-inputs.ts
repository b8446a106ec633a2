import * as z from "zod/mini";
import { instantPattern } from "../core/formats/instant.ts";
import { eventTypes, maxUrlLength } from "../core/webhooks/endpoint.ts";
import { ownHeaderLimits, ownHeaderPatterns } from "../core/webhooks/own-headers.ts";
import { roleArnPattern } from "../core/webhooks/queue-address.ts";
import { optional } from "./schema.ts";

/*
 * What vendors send about webhooks, apart from what is answered: manage-webhooks reads requests with these schemas, and no other. A
 * bound that is metadata only is checked by core/webhooks, which says more about a fault.
 */

const text = z.string({ error: "must be a text" });
const truth = z.boolean({ error: "must be true or false" });

/** A URL parser would also take https:example.com, and spaces before it. */
const url = text.check(
  z.regex(/^https?:\/\//, { error: "must begin with https://" }),
  z.maxLength(maxUrlLength, { error: `has more than ${maxUrlLength} characters: shorten it` }),
  z.describe(
    "https, at an address that everybody can reach; on the local run also http at 127.0.0.1. With `roleArn`, the URL of an SQS queue.",
  ),
);
const roleArn = text.check(
  z.meta({
    pattern: roleArnPattern,
    description: "Makes the endpoint a queue of your own AWS account: the role there that may send to it.",
  }),
);

const oneType = z.enum(eventTypes, { error: `must be one of ${eventTypes.join(", ")}` });
/** A request may have these types only; a response may have others, which are added later. */
const chosenTypes = z.array(oneType, { error: "must be an array" }).check(
  z.minLength(1, { error: "must name an event; leave it out to get all" }),
  z.refine(({ length }) => length <= eventTypes.length, {
    error: `must name at most ${eventTypes.length} events`,
  }),
);

const { headers: maxHeaders, nameCharacters, valueCharacters, characters } = ownHeaderLimits;
const headers = z
  .record(
    z.string().check(z.meta({ pattern: ownHeaderPatterns.name, maxLength: nameCharacters })),
    text.check(z.meta({ pattern: ownHeaderPatterns.value, maxLength: valueCharacters })),
    { error: "must be an object with a text for each name" },
  )
  .check(
    z.meta({
      maxProperties: maxHeaders,
      description:
        `Headers of your own, such as an API key: at most ${maxHeaders}, ${characters} characters together. ` +
        "Not those that we set, and none of a connection. To a queue at most 7, as attributes.",
    }),
  );

/** A vendor's request for a new endpoint, which is a queue if it names a role. Without types it gets all events. */
export const webhookInputSchema = z
  .strictObject({
    url,
    roleArn: z.exactOptional(roleArn),
    types: optional(chosenTypes, "All events if left out."),
    headers: z.exactOptional(headers),
  })
  .check(z.meta({ id: "WebhookInput" }));

/** A vendor's change of an endpoint. Fields that are left out stay as they are. */
export const webhookChangeSchema = z
  .strictObject({
    url: z.exactOptional(url),
    roleArn: z.exactOptional(roleArn),
    types: z.exactOptional(chosenTypes),
    headers: z.exactOptional(headers),
    enabled: z.exactOptional(truth),
  })
  .check(z.meta({ id: "WebhookChange" }));

const noInstant = { error: "must be a time such as 2026-07-04T12:00:00Z" };
/** The calendar is checked, too, which the pattern of the document does not. */
const instant = z.iso.datetime({ offset: true, ...noInstant }).check(
  z.refine((time) => !time.startsWith("0000"), noInstant),
  z.meta({ pattern: instantPattern }),
);

/** Which outcomes are sent again. */
export const webhookReplayInputSchema = z
  .strictObject({
    from: optional(instant, "Outcomes from this time on; 24 hours before `to` if left out."),
    to: optional(instant, "Outcomes before this time; now if left out."),
    types: optional(chosenTypes, "The endpoint's types if left out."),
    preview: optional(truth, "Only counts the cards."),
    after: optional(text, "`next` of the answer before."),
  })
  .check(z.meta({ id: "WebhookReplayInput" }));
