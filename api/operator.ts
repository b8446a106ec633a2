import * as z from "zod/mini";
import { jsonResponse, type Operation, requestOf } from "./operation.ts";
import { describe, refer, type Shape } from "./schema.ts";

const time = z.iso.datetime();
const count = z.int().check(z.minimum(0));
const seconds = z.number().check(z.minimum(0));

const deliveryStateSchema = z
  .object({
    held: describe(z.boolean(), "Whether an operator has paused delivery, or its trigger is broken."),
    eventSource: describe(z.string(), "State of the event source mapping, as Lambda names it."),
  })
  .check(z.meta({ id: "DeliveryState" }));

const queueStateSchema = z
  .object({
    waiting: count,
    delayed: describe(count, "Messages that wait for their next attempt."),
    inFlight: count,
    deadLetters: count,
    oldestSeconds: describe(
      z.exactOptional(seconds),
      "Age of the oldest card or message, as far as it is known.",
    ),
    cardsWithoutMessage: describe(
      z.exactOptional(count),
      "Cards that wait though neither queue has a message; absent if there are none. If it stays for more than a second, messages were lost.",
    ),
  })
  .check(z.meta({ id: "QueueState" }));

const openBreakerSchema = z
  .object({
    apiSet: z.string(),
    since: time,
    nextAttemptAt: time,
    status: describe(z.exactOptional(z.int()), "HTTP status of the exchange, if it answered."),
    message: z.string(),
  })
  .check(z.meta({ id: "OpenBreaker" }));

const vendorDaySchema = z
  .object({
    accepted: count,
    refused: count,
    delivered: count,
    late: describe(count, "Those of the delivered that came after midnight of their day of play."),
    rejected: count,
    undelivered: count,
  })
  .check(z.meta({ id: "VendorDay" }));

/** A vendor at a glance. */
export const vendorOverviewSchema = z
  .object({
    username: z.string(),
    apiSet: z.string(),
    disabled: z.boolean(),
    today: vendorDaySchema,
    waiting: describe(count, "Cards that have no outcome yet, whenever they were accepted."),
  })
  .check(z.meta({ id: "VendorOverview" }));
/** One account on the overview. */
export type VendorOverview = Shape<typeof vendorOverviewSchema>;

const mirrorStateSchema = z
  .object({
    clubs: count,
    failing: count,
    ageSeconds: describe(z.exactOptional(seconds), "Of the club whose last sync is longest ago."),
    failure: describe(
      z.exactOptional(z.string()),
      "Why the list of clubs could not be read; if it could, why most failing clubs could not.",
    ),
  })
  .check(z.meta({ id: "MirrorState" }));

const ringingAlarmSchema = z
  .object({
    name: z.string(),
    since: z.exactOptional(time),
    text: describe(z.string(), "Ends with the address of the runbook's section."),
  })
  .check(z.meta({ id: "RingingAlarm" }));

const rate = z.number().check(z.minimum(0));

const burnRatesSchema = z
  .object({
    fast: describe(rate, "Now, in times of what the objective allows."),
    slow: describe(rate, "In three days."),
  })
  .check(z.meta({ id: "BurnRates" }));

const objectiveSchema = z
  .object({
    delivered: describe(count, "Cards delivered in 30 days."),
    delayed: describe(count, "Those of them that took more than five minutes, outages of the union apart."),
    share: describe(
      z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
      "The share that was in time; absent if nothing was delivered.",
    ),
    budgetUsed: describe(rate, "The share of the error budget that is used up: 1 is all of it."),
    burnRates: burnRatesSchema,
  })
  .check(z.meta({ id: "ObjectiveState" }));

/** The pipeline at a glance. */
export const overviewSchema = z
  .object({
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
  })
  .check(z.meta({ id: "Overview" }));
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
export const operatorOperations: readonly Operation[] = [
  {
    ...requestOf("getOverview"),
    summary: "The pipeline at a glance",
    description:
      "Whether cards are delivered, what waits, all vendors' cards today, open circuit breakers, the mirror's age and the alarms that ring.",
    responses: { 200: jsonResponse("The overview.", refer(overviewSchema), { example: overview }) },
  },
];
