import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { laterCodes } from "../core/golf/later-warnings.ts";
import { type EventType, eventTypes } from "../core/webhooks/endpoint.ts";
import { cardStatusSchema, deliveryPauseSchema } from "./card-schemas.ts";
import { eventExample } from "./event-examples.ts";
import { jsonResponse, type Operation, problemResponse, query, requestOf } from "./operation.ts";
import type { Shape } from "./schema.ts";
import { address, refer } from "./schema.ts";

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
  .check(z.meta({ id: "EventCard", description: "A card's state, as it is read, without its hash." }));
/** A card in an event, with its status. */
export type EventCard = Shape<typeof eventCardSchema>;

/** The cards that wait shortly before midnight. */
export const unsentCardsSchema = z
  .object({
    day: z.iso.date().check(z.describe("The day that ends, in the union's time zone.")),
    cards: z.int().check(z.describe("Cards that wait.")),
    acceptedToday: z.int().check(z.describe("Those of them that were accepted on this day.")),
    since: z
      .exactOptional(time)
      .check(z.describe("Beginning of the hour in which the oldest of them was accepted.")),
  })
  .check(z.meta({ id: "UnsentCards" }));
/** The cards of a vendor that wait shortly before midnight. */
export type UnsentCards = Shape<typeof unsentCardsSchema>;

/** An endpoint that does not take events, or does so again. */
export const toldEndpointSchema = z
  .object({
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
  })
  .check(z.meta({ id: "ToldEndpoint" }));
/** An endpoint that does not take events, as the vendor is told. Its address may have a credential, so it is left out. */
export type ToldEndpoint = Shape<typeof toldEndpointSchema>;

const apiSet = z.string();

const cardsEventDataSchema = z
  .object({
    apiSet,
    cards: z.array(eventCardSchema).check(z.describe("Up to a hundred.")),
  })
  .check(z.meta({ id: "CardsEventData" }));
const pauseEventDataSchema = z
  .object({
    apiSet,
    paused: deliveryPauseSchema,
  })
  .check(z.meta({ id: "PauseEventData" }));
const unsentEventDataSchema = z
  .object({
    apiSet,
    unsent: unsentCardsSchema,
    paused: z.exactOptional(deliveryPauseSchema),
  })
  .check(z.meta({ id: "UnsentEventData" }));
const endpointEventDataSchema = z
  .object({ apiSet, endpoint: toldEndpointSchema })
  .check(z.meta({ id: "EndpointEventData" }));
const testEventDataSchema = z.object({ apiSet }).check(z.meta({ id: "TestEventData" }));

function eventSchema<Type extends EventType | "webhook.test", Data extends z.ZodMiniType>(
  id: string,
  type: Type,
  data: Data,
  description: string,
) {
  const timestamp = time.check(z.describe("When it happened."));
  return z.object({ type: z.literal(type), timestamp, data }).check(z.meta({ id, description }));
}
const cards = cardsEventDataSchema;

const eventSchemas = [
  eventSchema("ScorecardDeliveredEvent", "scorecard.delivered", cards, "The exchange has taken these cards."),
  eventSchema(
    "ScorecardRejectedEvent",
    "scorecard.rejected",
    cards,
    "The exchange has refused these cards; `lastError` says why.",
  ),
  eventSchema(
    "ScorecardUndeliveredEvent",
    "scorecard.undelivered",
    cards,
    "These cards were given up after days of attempts; `lastError` says why.",
  ),
  eventSchema(
    "ScorecardWithdrawnEvent",
    "scorecard.withdrawn",
    cards,
    "These cards were withdrawn; `maybeDelivered` says that the exchange may have one after all.",
  ),
  eventSchema(
    "ScorecardWarnedEvent",
    "scorecard.warned",
    cards,
    "Something was found about the players, markers or rounds of these delivered cards: `found` says what, `warnings` what to do.",
  ),
  eventSchema(
    "ScorecardPlayerUnknownEvent",
    "scorecard.player_unknown",
    cards,
    "The union does not know the players of these delivered cards.",
  ),
  eventSchema(
    "ScorecardRecordedEvent",
    "scorecard.recorded",
    cards,
    "These delivered cards are in the players' records.",
  ),
  eventSchema(
    "ScorecardNotRecordedEvent",
    "scorecard.not_recorded",
    cards,
    "These delivered cards are not in the players' records after three days.",
  ),
  eventSchema(
    "DeliveryPausedEvent",
    "delivery.paused",
    pauseEventDataSchema,
    "Nothing can be delivered for you: since when, and why.",
  ),
  eventSchema(
    "DeliveryResumedEvent",
    "delivery.resumed",
    pauseEventDataSchema,
    "Cards are delivered again; `paused` says why they were not.",
  ),
  eventSchema(
    "ScorecardsUnsentEvent",
    "scorecards.unsent",
    unsentEventDataSchema,
    "Cards wait shortly before midnight.",
  ),
  eventSchema(
    "EndpointFailingEvent",
    "endpoint.failing",
    endpointEventDataSchema,
    "A webhook endpoint of yours has taken nothing for an hour.",
  ),
  eventSchema(
    "EndpointDisabledEvent",
    "endpoint.disabled",
    endpointEventDataSchema,
    "A webhook endpoint of yours was disabled: it is gone, or took nothing for three days.",
  ),
  eventSchema(
    "EndpointRecoveredEvent",
    "endpoint.recovered",
    endpointEventDataSchema,
    "A webhook endpoint that you were told of takes events again.",
  ),
  eventSchema("WebhookTestEvent", "webhook.test", testEventDataSchema, "You asked for it."),
];

/** The events that endpoints get: the name of each one's schema, its type, and what it says. */
export const webhookEvents = eventSchemas.map((schema) => ({
  name: String(z.globalRegistry.get(schema)?.id),
  schema,
  type: schema.shape.type.def.values[0] as EventType | "webhook.test",
  description: z.globalRegistry.get(schema)?.description ?? "",
}));

/** Any event. Its type says which one, so that generated clients need not try them one by one. */
export const webhookEventSchema = z.union(eventSchemas).check(
  z.meta({
    id: "WebhookEvent",
    description: "An event, as it is posted to endpoints. Ignore types that you do not know.",
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(webhookEvents.map(({ type, name }) => [type, address(name)])),
    },
  }),
);

const feedEventDataSchema = z
  .object({
    apiSet: z.string(),
    cards: z
      .exactOptional(z.array(eventCardSchema))
      .check(z.describe("The card that it is about, one each.")),
    paused: z.exactOptional(deliveryPauseSchema),
    unsent: z.exactOptional(unsentCardsSchema),
    endpoint: z.exactOptional(toldEndpointSchema),
  })
  .check(z.meta({ id: "FeedEventData" }));

const feedEventSchema = z
  .object({
    id: z.string().check(z.describe("The same whenever the event is read.")),
    type: knownValues(eventTypes).check(z.describe("As webhooks have it; others may be added at any time.")),
    timestamp: time,
    data: feedEventDataSchema,
  })
  .check(z.meta({ id: "FeedEvent" }));

const feedPageSchema = z
  .object({
    events: z.array(feedEventSchema).check(z.describe("The oldest first; 100 at most.")),
    cursor: z
      .string()
      .check(z.describe("Send it as `after` for what comes next. Store it when these events are done with.")),
    more: z.boolean().check(z.describe("Whether there are further events now.")),
    askAgainAfterSeconds: z
      .int()
      .check(
        z.describe("When to ask again: 0 if there is more, 2 to 30 by the age of the newest event if not."),
      ),
  })
  .check(z.meta({ id: "FeedPage" }));

/** The feed of events. */
export const eventOperations: readonly Operation[] = [
  {
    ...requestOf("listEvents"),
    summary: "What has happened since",
    description:
      "The events that webhooks carry, the oldest first, one card each, for vendors without an address of their own. Each event is there at " +
      "least once, none is left out, and those of a card are in the order in which they happened. Kept as long as cards are. The " +
      "request does not wait for events: ask again after `askAgainAfterSeconds`.",
    parameters: [
      query(
        "after",
        "`cursor` of the page before; `latest` for what comes from now on; left out for the oldest event.",
        { type: "string" },
        "latest",
      ),
    ],
    responses: {
      200: jsonResponse("The events after the cursor.", refer(feedPageSchema), {
        example: {
          events: [{ id: "evt_Jx2PWq7d1mXh0b9yV3sK4A", ...eventExample("scorecard.delivered") }],
          cursor: "29175902000001-1",
          more: false,
          askAgainAfterSeconds: 2,
        },
      }),
      410: problemResponse(
        "The feed does not have the cursor's place any more; the type ends in `cursor-gone`.",
      ),
    },
  },
];
