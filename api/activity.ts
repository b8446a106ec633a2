import * as z from "zod/mini";
import { maxExternalIdLength } from "../core/formats/external-ids.ts";
import { faultCodes } from "../core/golf/findings.ts";
import { denmark } from "../unions/denmark.ts";
import { badExternalId, errors } from "./card-examples.ts";
import { deliveryPauseSchema } from "./card-schemas.ts";
import { exampleExternalId } from "./examples.ts";
import { dateOfQuery, defineOperation, jsonResponse, query } from "./operation.ts";
import { faultCode, findingSchema, warningCode } from "./problems.ts";
import { day, defineObject, describe, optional, refer, type Shape, time, whole } from "./schema.ts";

const deliverySecondsSchema = defineObject(
  "DeliverySeconds",
  {
    half: describe(z.number(), "Half of the cards were delivered in this time."),
    most: describe(z.number(), "95 % of the cards were delivered in this time."),
  },
  "From accepting a card to recording its delivery, to within a quarter.",
);

const activityCounts = {
  accepted: describe(whole, "New cards."),
  refused: describe(whole, "Cards with a fault; each counts once, however many it has."),
  corrected: describe(whole, "Other contents of cards that were there."),
  resent: describe(
    whole,
    "Contents that were submitted or sent on again after they were given up, rejected or withdrawn.",
  ),
  withdrawn: whole,
  delivered: whole,
  onDayOfPlay: describe(whole, "Delivered before midnight of the day on which the round was played."),
  late: describe(whole, "Delivered later than that."),
  rejected: whole,
  undelivered: whole,
  warned: describe(
    whole,
    "Delivered cards about whose player, marker or round something was found afterwards.",
  ),
  playersUnknown: describe(whole, "Delivered cards of players whom the union did not know."),
  recorded: describe(whole, "Delivered cards that are in the player's record at the union."),
  notRecorded: describe(
    whole,
    "Delivered cards that are not in it, although they were looked for several times.",
  ),
  deliverySeconds: z.exactOptional(deliverySecondsSchema),
};

const activityCountsSchema = defineObject("ActivityCounts", activityCounts);
/** A vendor's counts of some time. */
export type ActivityCounts = Shape<typeof activityCountsSchema>;
const activityDaySchema = defineObject("ActivityDay", { day, ...activityCounts });
const activityHourSchema = defineObject("ActivityHour", { start: time, ...activityCounts });

const waitingCardsSchema = defineObject(
  "WaitingCards",
  {
    cards: whole,
    since: optional(time, "Beginning of the hour in which the oldest of them was accepted."),
    paused: z.exactOptional(deliveryPauseSchema),
  },
  "Cards that have no outcome yet, whenever they were accepted.",
);

const refusalExampleSchema = defineObject("RefusalExample", {
  externalId: optional(z.string(), "Absent if the card had none that can be read."),
  pointer: describe(z.string(), "JSON pointer into the card; empty for the whole card."),
  at: time,
});
/** A refused card, so that the vendor can look at one. */
export type RefusalExample = Shape<typeof refusalExampleSchema>;

/** The cards that were refused for one fault. */
export const refusalSchema = defineObject("Refusal", {
  code: faultCode,
  cards: whole,
  examples: describe(z.array(refusalExampleSchema), "Some of them, the newest first."),
});
/** The cards that were refused for one fault. */
export type CountedRefusal = Shape<typeof refusalSchema>;

const refusalTournamentSchema = defineObject(
  "RefusalTournament",
  {
    id: z.string(),
    name: z.string(),
    day: describe(day, "Day of play, or of the refusal if the card says none."),
    round: describe(whole, "0 if the card has no TournamentRoundNumber from 1 to 99."),
  },
  "Absent if the card names no tournament.",
);
/** The tournament that a card names. */
export type TournamentOfCard = Shape<typeof refusalTournamentSchema>;

const cardRefusalSchema = defineObject("CardRefusal", {
  at: describe(time, "When the submission was refused."),
  requestId: describe(z.string(), "The submission's header x-amzn-RequestId."),
  tournament: z.exactOptional(refusalTournamentSchema),
  ...findingSchema.shape,
});
/** A fault of a refused card, as the log of refusals keeps it. */
export type LoggedFault = Shape<typeof cardRefusalSchema>;

const cardRefusalListSchema = defineObject("CardRefusalList", {
  refusals: z.array(cardRefusalSchema),
  next: optional(
    z.string(),
    "Query of the next page; absent on the last. A page of a search can be empty and have one.",
  ),
});

/** The cards with a warning. */
export const countedWarningSchema = defineObject("TournamentWarning", {
  code: describe(warningCode, "One of the warnings in docs/faults.md; others may be added at any time."),
  cards: whole,
});
/** Cards with a warning. */
export type CountedWarning = Shape<typeof countedWarningSchema>;

const activitySchema = defineObject("Activity", {
  from: describe(day, "The first day, in the union's time zone."),
  to: describe(day, "The last day."),
  timeZone: describe(z.string(), "IANA name."),
  waiting: waitingCardsSchema,
  totals: activityCountsSchema,
  days: describe(z.array(activityDaySchema), "Only days on which something was counted."),
  hours: describe(z.array(activityHourSchema), "Only hours in which something was counted."),
  warnings: describe(
    z.array(countedWarningSchema),
    "Delivered cards by the warning that was found afterwards, the most frequent first.",
  ),
  refusals: describe(z.array(refusalSchema), "By fault, the most frequent first."),
});
/** A vendor's activity: counts, delivery times and refusals, and the cards that wait. Times are ISO 8601, UTC; days in the union's time zone. */
export type Activity = Shape<typeof activitySchema>;

const counts = {
  accepted: 214,
  refused: 8,
  corrected: 3,
  resent: 0,
  withdrawn: 1,
  delivered: 215,
  onDayOfPlay: 209,
  late: 6,
  rejected: 1,
  undelivered: 0,
  warned: 3,
  playersUnknown: 2,
  recorded: 209,
  notRecorded: 2,
  deliverySeconds: { half: 0.465, most: 1.42 },
};
const activity: Shape<typeof activitySchema> = {
  from: "2025-06-22",
  to: "2025-06-22",
  timeZone: denmark.timeZone,
  waiting: { cards: 0 },
  totals: counts,
  days: [{ day: "2025-06-22", ...counts }],
  hours: [{ start: "2025-06-22T17:00:00.000Z", ...counts }],
  warnings: [
    { code: "player_unknown", cards: 2 },
    { code: "round_seen", cards: 1 },
  ],
  refusals: [
    {
      code: "strokes_count",
      cards: 1,
      examples: [{ externalId: badExternalId, pointer: "/Result/Strokes", at: "2025-06-22T17:02:03.214Z" }],
    },
  ],
};

const days = [
  query("from", "First day, in the union's time zone; `to` if left out.", dateOfQuery),
  query("to", "Last day, at most 31 days from the first; today if left out.", dateOfQuery),
];

/** What became of a vendor's cards, in counts, and why some were refused. */
export const activityOperations = [
  defineOperation("getActivity", {
    summary: "What your cards did",
    description:
      "Counts by hour and by day, refusals by fault with examples, delivery times, and what waits, since when and why. " +
      "Counts follow within seconds.",
    parameters: days,
    responses: { 200: jsonResponse("The vendor's activity.", refer(activitySchema), { example: activity }) },
  }),
  defineOperation("listRefusals", {
    summary: "Why cards were refused",
    description:
      "Every fault of the cards that were refused on some days, the newest submission first, up to 100 a page. Kept as long as cards are.",
    parameters: [
      ...days,
      query("code", "Only this fault.", { type: "string", enum: faultCodes }, "strokes_count"),
      query(
        "externalId",
        "Only cards with this ExternalID.",
        { type: "string", minLength: 1, maxLength: maxExternalIdLength },
        exampleExternalId,
      ),
      query(
        "cursor",
        "Start of the page, from `next` of the previous page.",
        { type: "string" },
        "2025-06-22T17:02:03.214Z#0b9e5b3c-5d1f-4f0e-9d55-7c1b2f3a4d5e#0000#1",
      ),
    ],
    responses: {
      200: jsonResponse("The faults.", refer(cardRefusalListSchema), {
        example: {
          refusals: errors.map((fault) => ({
            at: "2025-06-22T17:02:03.214Z",
            requestId: "5cf3a1a8-6b0e-4d0c-9a53-0d8d0c0f4b5e",
            ...fault,
          })),
        },
      }),
    },
  }),
];
