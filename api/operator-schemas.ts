import * as z from "zod/mini";
import type { Overview, VendorOverview } from "../core/operations/overview.ts";

const time = z.iso.datetime();
const count = z.int().check(z.minimum(0));
const seconds = z.number().check(z.minimum(0));

/** Whether cards are delivered. */
export const deliveryStateSchema = z.object({
  held: z.boolean().check(z.describe("Whether an operator has paused delivery, or its trigger is broken.")),
  eventSource: z.string().check(z.describe("State of the event source mapping, as Lambda names it.")),
});

/** The messages of the delivery queue. */
export const queueStateSchema = z.object({
  waiting: count,
  delayed: count.check(z.describe("Messages that wait for their next attempt.")),
  inFlight: count,
  deadLetters: count,
  oldestSeconds: z
    .exactOptional(seconds)
    .check(z.describe("Age of the oldest card or message, as far as it is known.")),
  cardsWithoutMessage: z
    .exactOptional(count)
    .check(
      z.describe(
        "Cards that wait though neither queue has a message; absent if there are none. If it stays for more than a second, messages were lost.",
      ),
    ),
});

/** A vendor whose circuit breaker is open. */
export const openBreakerSchema = z.object({
  apiSet: z.string(),
  since: time,
  nextAttemptAt: time,
  status: z.exactOptional(z.int()).check(z.describe("HTTP status of the exchange, if it answered.")),
  message: z.string(),
});

/** Cards of a vendor today. */
export const vendorDaySchema = z.object({
  accepted: count,
  refused: count,
  delivered: count,
  late: count.check(z.describe("Those of the delivered that came after midnight of their day of play.")),
  rejected: count,
  undelivered: count,
});

/** A vendor at a glance. */
export const vendorOverviewSchema = z.object({
  username: z.string(),
  apiSet: z.string(),
  disabled: z.boolean(),
  today: vendorDaySchema,
  waiting: count.check(z.describe("Cards that have no outcome yet, whenever they were accepted.")),
}) satisfies z.ZodMiniType<VendorOverview>;

/** How old the mirror of clubs and courses is. */
export const mirrorStateSchema = z.object({
  clubs: count,
  failing: count,
  ageSeconds: z.exactOptional(seconds).check(z.describe("Of the club whose last sync is longest ago.")),
  failure: z
    .exactOptional(z.string())
    .check(
      z.describe("Why the list of clubs could not be read; if it could, why most failing clubs could not."),
    ),
});

/** An alarm that rings. */
export const ringingAlarmSchema = z.object({
  name: z.string(),
  since: z.exactOptional(time),
  text: z.string().check(z.describe("Ends with the address of the runbook's section.")),
});

const rate = z.number().check(z.minimum(0));

/** The rates at which the error budget is used up. */
export const burnRatesSchema = z.object({
  fast: rate.check(z.describe("Now, in times of what the objective allows.")),
  slow: rate.check(z.describe("In three days.")),
});

/** How the service objective is met. */
export const objectiveSchema = z.object({
  delivered: count.check(z.describe("Cards delivered in 30 days.")),
  delayed: count.check(
    z.describe("Those of them that took more than five minutes, outages of the union apart."),
  ),
  share: z
    .exactOptional(z.number().check(z.minimum(0), z.maximum(1)))
    .check(z.describe("The share that was in time; absent if nothing was delivered.")),
  budgetUsed: rate.check(z.describe("The share of the error budget that is used up: 1 is all of it.")),
  burnRates: burnRatesSchema,
});

/** The pipeline at a glance. */
export const overviewSchema = z.object({
  stack: z.string(),
  at: time,
  union: z.string().check(z.describe("The union's base address in use.")),
  delivery: deliveryStateSchema,
  queue: queueStateSchema,
  breakers: z.array(openBreakerSchema),
  vendors: z.array(vendorOverviewSchema).check(z.describe("The busiest today first.")),
  objective: objectiveSchema,
  mirror: mirrorStateSchema,
  alarms: z.array(ringingAlarmSchema),
}) satisfies z.ZodMiniType<Overview>;
