import * as z from "zod/mini";
import { defineOperation, jsonResponse } from "./operation.ts";
import { defineObject, describe, optional, refer, type Shape, time, whole } from "./schema.ts";

const count = z.int().check(z.minimum(0));
const seconds = z.number().check(z.minimum(0));

const deliveryStateSchema = defineObject("DeliveryState", {
  held: describe(z.boolean(), "Whether an operator has paused delivery, or its trigger is broken."),
  eventSource: describe(z.string(), "State of the event source mapping, as Lambda names it."),
});

const queueStateSchema = defineObject("QueueState", {
  waiting: count,
  delayed: describe(count, "Messages that wait for their next attempt."),
  inFlight: count,
  deadLetters: count,
  oldestSeconds: optional(seconds, "Age of the oldest card or message, as far as it is known."),
  cardsWithoutMessage: optional(
    count,
    "Cards that wait though neither queue has a message; absent if there are none. If it stays for more than a second, messages were lost.",
  ),
});

const openBreakerSchema = defineObject("OpenBreaker", {
  apiSet: z.string(),
  since: time,
  nextAttemptAt: time,
  status: optional(whole, "HTTP status of the exchange, if it answered."),
  message: z.string(),
});

const vendorDaySchema = defineObject("VendorDay", {
  accepted: count,
  refused: count,
  delivered: count,
  late: describe(count, "Those of the delivered that came after midnight of their day of play."),
  rejected: count,
  undelivered: count,
});

const vendorOverviewSchema = defineObject("VendorOverview", {
  username: z.string(),
  apiSet: z.string(),
  disabled: z.boolean(),
  today: vendorDaySchema,
  waiting: describe(count, "Cards that have no outcome yet, whenever they were accepted."),
});
/** One account on the overview. */
export type VendorOverview = Shape<typeof vendorOverviewSchema>;

const mirrorStateSchema = defineObject("MirrorState", {
  clubs: count,
  failing: count,
  ageSeconds: optional(seconds, "Of the club whose last sync is longest ago."),
  failure: optional(
    z.string(),
    "Why the list of clubs could not be read; if it could, why most failing clubs could not.",
  ),
});

const ringingAlarmSchema = defineObject("RingingAlarm", {
  name: z.string(),
  since: z.exactOptional(time),
  text: describe(z.string(), "Ends with the address of the runbook's section."),
});

const rate = z.number().check(z.minimum(0));

const burnRatesSchema = defineObject("BurnRates", {
  fast: describe(rate, "Now, in times of what the objective allows."),
  slow: describe(rate, "In three days."),
});

const objectiveSchema = defineObject("ObjectiveState", {
  delivered: describe(count, "Cards delivered in 30 days."),
  delayed: describe(count, "Those of them that took more than five minutes, outages of the union apart."),
  share: optional(
    z.number().check(z.minimum(0), z.maximum(1)),
    "The share that was in time; absent if nothing was delivered.",
  ),
  budgetUsed: describe(rate, "The share of the error budget that is used up: 1 is all of it."),
  burnRates: burnRatesSchema,
});

const overviewSchema = defineObject("Overview", {
  stack: z.string(),
  at: time,
  union: describe(z.string(), "The union's base address in use."),
  delivery: deliveryStateSchema,
  queue: queueStateSchema,
  breakers: z.array(openBreakerSchema),
  vendors: describe(z.array(vendorOverviewSchema), "The busiest today first."),
  objective: objectiveSchema,
  mirror: mirrorStateSchema,
  alarms: z.array(ringingAlarmSchema),
});
/** The state of a pipeline at a moment. Times are ISO 8601, UTC; ages in seconds. */
export type Overview = Shape<typeof overviewSchema>;

const overview: Shape<typeof overviewSchema> = {
  stack: "scorecard-pipeline-production",
  at: "2026-07-04T12:00:00.000Z",
  union: "https://union.example",
  delivery: { held: false, eventSource: "Enabled" },
  queue: { waiting: 3, delayed: 1, inFlight: 2, deadLetters: 0, oldestSeconds: 95 },
  breakers: [
    {
      apiSet: "tournament-system",
      since: "2026-07-04T11:58:20.000Z",
      nextAttemptAt: "2026-07-04T12:00:10.000Z",
      status: 503,
      message: "The exchange answered 503.",
    },
  ],
  vendors: [
    {
      username: "tournament-system",
      apiSet: "tournament-system",
      disabled: false,
      today: { accepted: 1_204, refused: 3, delivered: 1_198, late: 12, rejected: 1, undelivered: 0 },
      waiting: 5,
    },
  ],
  objective: {
    delivered: 48_210,
    delayed: 6,
    share: 0.999875,
    budgetUsed: 0.124,
    burnRates: { fast: 0, slow: 0.2 },
  },
  mirror: { clubs: 187, failing: 0, ageSeconds: 842 },
  alarms: [],
};

/** Operations for accounts of operators. */
export const operatorOperations = [
  defineOperation("getOverview", {
    summary: "The pipeline at a glance",
    description:
      "Whether cards are delivered, what waits, all vendors' cards today, open circuit breakers, the mirror's age and the alarms that ring.",
    responses: { 200: jsonResponse("The overview.", refer(overviewSchema), { example: overview }) },
  }),
];
