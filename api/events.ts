import * as z from "zod/mini";
import { laterCodes } from "../core/cards/life/card.ts";
import { knownValues } from "../core/formats/known-values.ts";
import { type EventType, eventTypes } from "../core/webhooks/endpoint.ts";
import { cardStatusSchema, deliveryPauseSchema } from "./card-schemas.ts";
import { eventExample } from "./event-examples.ts";
import { defineOperation, jsonResponse, problemResponse, query } from "./operation.ts";
import { address, day, defineObject, describe, optional, refer, type Shape, time, whole } from "./schema.ts";

const { contentHash: _hash, requestId: _request, errors: _errors, ...told } = cardStatusSchema.shape;

const eventCardSchema = defineObject(
  "EventCard",
  {
    ...told,
    found: optional(
      z.array(knownValues([...laterCodes])),
      "Of `scorecard.warned`: the codes of the warnings that were found now.",
    ),
  },
  "A card's state, as it is read, without its hash.",
);
/** A card in an event, with its status. */
export type EventCard = Shape<typeof eventCardSchema>;

const unsentCardsSchema = defineObject("UnsentCards", {
  day: describe(day, "The day that ends, in the union's time zone."),
  cards: describe(whole, "Cards that wait."),
  acceptedToday: describe(whole, "Those of them that were accepted on this day."),
  since: optional(time, "Beginning of the hour in which the oldest of them was accepted."),
});

const toldEndpointSchema = defineObject("ToldEndpoint", {
  id: describe(z.string(), "The endpoint's ID."),
  since: optional(time, "Since when it had taken nothing; absent if it was disabled at once."),
  failures: optional(whole, "Failed posts in a row."),
  status: optional(whole, "HTTP status of the endpoint, if it answered."),
  message: optional(z.string(), "Why it did not take the last event."),
  why: optional(
    z.enum(["gone", "failed_for_days"]),
    "Why it was disabled: it answered 410, or took nothing for three days.",
  ),
});
/** An endpoint that does not take events, as the vendor is told. Its address may have a credential, so it is left out. */
export type ToldEndpoint = Shape<typeof toldEndpointSchema>;

const apiSet = z.string();

const cardsEventDataSchema = defineObject("CardsEventData", {
  apiSet,
  cards: describe(z.array(eventCardSchema), "Up to a hundred."),
});
const pauseEventDataSchema = defineObject("PauseEventData", {
  apiSet,
  paused: deliveryPauseSchema,
});
const unsentEventDataSchema = defineObject("UnsentEventData", {
  apiSet,
  unsent: unsentCardsSchema,
  paused: z.exactOptional(deliveryPauseSchema),
});
const endpointEventDataSchema = defineObject("EndpointEventData", { apiSet, endpoint: toldEndpointSchema });
const testEventDataSchema = defineObject("TestEventData", { apiSet });

function eventSchema<Type extends EventType | "webhook.test", Data extends z.ZodMiniType>(
  id: string,
  type: Type,
  data: Data,
  description: string,
) {
  const timestamp = describe(time, "When it happened.");
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

const feedEventDataSchema = defineObject("FeedEventData", {
  apiSet: z.string(),
  cards: optional(z.array(eventCardSchema), "The card that it is about, one each."),
  paused: z.exactOptional(deliveryPauseSchema),
  unsent: z.exactOptional(unsentCardsSchema),
  endpoint: z.exactOptional(toldEndpointSchema),
});
/** What an event of the feed is about. */
export type FeedEventData = Shape<typeof feedEventDataSchema>;

const feedEventSchema = defineObject("FeedEvent", {
  id: describe(z.string(), "The same whenever the event is read."),
  type: describe(knownValues(eventTypes), "As webhooks have it; others may be added at any time."),
  timestamp: time,
  data: feedEventDataSchema,
});

const feedPageSchema = defineObject("FeedPage", {
  events: describe(z.array(feedEventSchema), "The oldest first; 100 at most."),
  cursor: describe(
    z.string(),
    "Send it as `after` for what comes next. Store it when these events are done with.",
  ),
  more: describe(z.boolean(), "Whether there are further events now."),
  askAgainAfterSeconds: describe(
    whole,
    "When to ask again: 0 if there is more, 2 to 30 by the age of the newest event if not.",
  ),
});

/** The feed of events. */
export const eventOperations = [
  defineOperation("listEvents", {
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
  }),
];
