import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { eventTypes } from "../core/webhooks/endpoint.ts";
import { eventCardSchema, toldEndpointSchema, unsentCardsSchema } from "./events.ts";
import { deliveryPauseSchema } from "./status-schemas.ts";

const time = z.iso.datetime();

/** What an event of the feed is about. */
export const feedEventDataSchema = z.object({
  apiSet: z.string(),
  cards: z.exactOptional(z.array(eventCardSchema)).check(z.describe("The card that it is about, one each.")),
  paused: z.exactOptional(deliveryPauseSchema),
  unsent: z.exactOptional(unsentCardsSchema),
  endpoint: z.exactOptional(toldEndpointSchema),
});

/** An event of the feed. */
export const feedEventSchema = z.object({
  id: z.string().check(z.describe("The same whenever the event is read.")),
  type: knownValues(eventTypes).check(z.describe("As webhooks have it; others may be added at any time.")),
  timestamp: time,
  data: feedEventDataSchema,
});

/** One page of a vendor's events. */
export const feedPageSchema = z.object({
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
});
