import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { laterCodes } from "../core/golf/later-warnings.ts";
import type { WebhookEvent } from "../core/webhooks/event.ts";
import { address, type EventSchemaName } from "./schema.ts";
import { cardStatusSchema, deliveryPauseSchema } from "./status-schemas.ts";

const time = z.iso.datetime();
const { contentHash: _hash, requestId: _request, errors: _errors, ...told } = cardStatusSchema.shape;

/** A card in an event. */
export const eventCardSchema = z
  .object({
    ...told,
    found: z
      .exactOptional(z.array(knownValues([...laterCodes])))
      .check(z.describe("Of `scorecard.warned`: the codes of the warnings that were found now.")),
  })
  .check(z.describe("A card's state, as it is read, without its hash."));

/** The cards that wait shortly before midnight. */
export const unsentCardsSchema = z.object({
  day: z.iso.date().check(z.describe("The day that ends, in the union's time zone.")),
  cards: z.int().check(z.describe("Cards that wait.")),
  acceptedToday: z.int().check(z.describe("Those of them that were accepted on this day.")),
  since: z
    .exactOptional(time)
    .check(z.describe("Beginning of the hour in which the oldest of them was accepted.")),
});

/** An endpoint that does not take events, or does so again. */
export const toldEndpointSchema = z.object({
  id: z.string().check(z.describe("The endpoint's ID.")),
  since: z
    .exactOptional(time)
    .check(z.describe("Since when it had taken nothing; absent if it was disabled at once.")),
  failures: z.exactOptional(z.int()).check(z.describe("Failed posts in a row.")),
  status: z.exactOptional(z.int()).check(z.describe("HTTP status of the endpoint, if it answered.")),
  message: z.exactOptional(z.string()).check(z.describe("Why it did not take the last event.")),
  why: z
    .exactOptional(z.enum(["gone", "failed_for_days"]))
    .check(z.describe("Why it was disabled: it answered 410, or took nothing for three days.")),
});

const apiSet = z.string();

/** The content of an event about cards. */
export const cardsEventDataSchema = z.object({
  apiSet,
  cards: z.array(eventCardSchema).check(z.describe("Up to a hundred.")),
});
/** The content of an event about a vendor's delivery. */
export const pauseEventDataSchema = z.object({
  apiSet,
  paused: deliveryPauseSchema,
});
/** The content of an event about the cards that wait shortly before midnight. */
export const unsentEventDataSchema = z.object({
  apiSet,
  unsent: unsentCardsSchema,
  paused: z.exactOptional(deliveryPauseSchema),
});
/** The content of an event about an endpoint. */
export const endpointEventDataSchema = z.object({ apiSet, endpoint: toldEndpointSchema });
/** The content of a test event. */
export const testEventDataSchema = z.object({ apiSet });

function eventSchema<Type extends WebhookEvent["type"], Data extends z.ZodMiniType>(
  type: Type,
  data: Data,
  description: string,
) {
  const timestamp = time.check(z.describe("When it happened."));
  return z.object({ type: z.literal(type), timestamp, data }).check(z.describe(description));
}
const cards = cardsEventDataSchema;

/** The events that endpoints get, by the names of their schemas. */
export const eventSchemas = {
  ScorecardDeliveredEvent: eventSchema("scorecard.delivered", cards, "The exchange has taken these cards."),
  ScorecardRejectedEvent: eventSchema(
    "scorecard.rejected",
    cards,
    "The exchange has refused these cards; `lastError` says why.",
  ),
  ScorecardUndeliveredEvent: eventSchema(
    "scorecard.undelivered",
    cards,
    "These cards were given up after days of attempts; `lastError` says why.",
  ),
  ScorecardWithdrawnEvent: eventSchema(
    "scorecard.withdrawn",
    cards,
    "These cards were withdrawn; `maybeDelivered` says that the exchange may have one after all.",
  ),
  ScorecardWarnedEvent: eventSchema(
    "scorecard.warned",
    cards,
    "Something was found about the players, markers or rounds of these delivered cards: `found` says what, `warnings` what to do.",
  ),
  ScorecardPlayerUnknownEvent: eventSchema(
    "scorecard.player_unknown",
    cards,
    "The union does not know the players of these delivered cards.",
  ),
  ScorecardRecordedEvent: eventSchema(
    "scorecard.recorded",
    cards,
    "These delivered cards are in the players' records.",
  ),
  ScorecardNotRecordedEvent: eventSchema(
    "scorecard.not_recorded",
    cards,
    "These delivered cards are not in the players' records after three days.",
  ),
  DeliveryPausedEvent: eventSchema(
    "delivery.paused",
    pauseEventDataSchema,
    "Nothing can be delivered for you: since when, and why.",
  ),
  DeliveryResumedEvent: eventSchema(
    "delivery.resumed",
    pauseEventDataSchema,
    "Cards are delivered again; `paused` says why they were not.",
  ),
  ScorecardsUnsentEvent: eventSchema(
    "scorecards.unsent",
    unsentEventDataSchema,
    "Cards wait shortly before midnight.",
  ),
  EndpointFailingEvent: eventSchema(
    "endpoint.failing",
    endpointEventDataSchema,
    "A webhook endpoint of yours has taken nothing for an hour.",
  ),
  EndpointDisabledEvent: eventSchema(
    "endpoint.disabled",
    endpointEventDataSchema,
    "A webhook endpoint of yours was disabled: it is gone, or took nothing for three days.",
  ),
  EndpointRecoveredEvent: eventSchema(
    "endpoint.recovered",
    endpointEventDataSchema,
    "A webhook endpoint that you were told of takes events again.",
  ),
  WebhookTestEvent: eventSchema("webhook.test", testEventDataSchema, "You asked for it."),
} satisfies Record<EventSchemaName, z.ZodMiniType>;

/** The type of each event by the name of its schema. */
export const eventTypesByName = Object.entries(eventSchemas).map(([name, schema]) => ({
  name: name as EventSchemaName,
  type: schema.shape.type.def.values[0] as WebhookEvent["type"],
  description: z.globalRegistry.get(schema)?.description ?? "",
}));

/** Any event. Its type says which one, so that generated clients need not try them one by one. */
export const webhookEventSchema = z.union(Object.values<z.ZodMiniType>(eventSchemas)).check(
  z.meta({
    description: "An event, as it is posted to endpoints. Ignore types that you do not know.",
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(eventTypesByName.map(({ type, name }) => [type, address(name)])),
    },
  }),
);
