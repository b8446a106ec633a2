import * as z from "zod/mini";
import type { Overview, VendorOverview } from "../../../core/operations/overview.ts";

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
});

/** An alarm that rings. */
export const ringingAlarmSchema = z.object({
  name: z.string(),
  since: z.exactOptional(time),
  text: z.string().check(z.describe("Ends with the address of the runbook's section.")),
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
  mirror: mirrorStateSchema,
  alarms: z.array(ringingAlarmSchema),
}) satisfies z.ZodMiniType<Overview>;
