import { objectiveTime } from "../cards/delivery/record.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import {
  burnAlarms,
  burnRate,
  type ObjectiveState,
  objective,
  objectiveState,
  stuckMessages,
} from "./service-objective.ts";

const minute = 60_000;
const day = 1440 * minute;
const allowedSeconds = objectiveTime / 1000;

type Measured = Pick<DeliveryMetrics, "delivered" | "queue">;

/** The rates at which the error budget is used up now; an alarm rings from its rate in `burnAlarms` on. */
export type BurnRates = Readonly<Record<keyof typeof burnAlarms, number>>;

/** Reads the rates at which the error budget is used up. @param now milliseconds since 1970, UTC */
export async function readBurnRates(metrics: Measured, now: number): Promise<BurnRates> {
  const { fast, slow } = burnAlarms;
  const [counts, queue] = await Promise.all([
    metrics.delivered(now - slow.long, now, fast.short / 1000),
    // SQS publishes a minute's figures in the next one.
    metrics.queue(now - objectiveTime - minute, now),
  ]);
  const stuck = stuckMessages(queue, allowedSeconds);
  return { fast: burnRate(counts, stuck, fast, now), slow: burnRate(counts, stuck, slow, now) };
}

/** How the objective is met, with the rates at which its error budget is used up now. */
export type ObjectiveOverview = ObjectiveState & { readonly burnRates: BurnRates };

/** Reads how the service objective is met. @param now milliseconds since 1970, UTC */
export async function readObjective(metrics: Measured, now: number): Promise<ObjectiveOverview> {
  const [counts, burnRates] = await Promise.all([
    metrics.delivered(now - objective.days * day, now, 3600),
    readBurnRates(metrics, now),
  ]);
  return { ...objectiveState(counts, now), burnRates };
}
