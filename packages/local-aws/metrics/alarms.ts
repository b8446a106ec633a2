import * as z from "zod";
import { type AwsEnvironment, arn } from "../base/environment.ts";
import type { ResourceType } from "../base/resource-type.ts";
import { readMetricMath } from "./metric-math.ts";
import type { MetricIdentity, MetricStore } from "./metric-store.ts";

/** The states of an alarm. */
export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

/** An alarm of the stack, as its template defines it. */
export interface Alarm {
  readonly name: string;
  /** Path of its construct within the stack. */
  readonly path: string;
  readonly description: string;
  /** The metrics that it watches: several if it watches an expression of them. */
  readonly metrics: readonly MetricIdentity[];
  /** Seconds of data that one value is made from. */
  readonly period: number;
  /** Its state at a time, in milliseconds since 1970, from the values of the periods before it. */
  state(at: number): AlarmState;
}

/** Ignored: actions, labels and tags. */
const ignored = z.unknown().optional();

const dimensionsSchema = z
  .array(z.strictObject({ Name: z.string(), Value: z.string() }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ Name, Value }) => [Name, Value])));

/** The statistics that can be read of a period's values. */
export const statisticSchema = z.enum(["Sum", "Average", "Minimum", "Maximum", "SampleCount"]);

/** The properties that decide an alarm's state, whatever it watches. */
const decisionSchema = z.strictObject({
  AlarmName: z.string().optional(),
  AlarmDescription: z.string().default(""),
  EvaluationPeriods: z.coerce.number(),
  /** How many of the evaluation periods must be bad; all if absent. */
  DatapointsToAlarm: z.coerce.number().optional(),
  Threshold: z.coerce.number(),
  ComparisonOperator: z.enum([
    "GreaterThanOrEqualToThreshold",
    "GreaterThanThreshold",
    "LessThanThreshold",
    "LessThanOrEqualToThreshold",
  ]),
  TreatMissingData: z.enum(["breaching", "notBreaching", "missing"]).default("missing"),
  ActionsEnabled: ignored,
  AlarmActions: ignored,
  OKActions: ignored,
  InsufficientDataActions: ignored,
  Tags: ignored,
});

const metricAlarmSchema = decisionSchema.extend({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: dimensionsSchema,
  Statistic: statisticSchema,
  Period: z.coerce.number(),
});

const metricStatSchema = z.strictObject({
  Metric: z.strictObject({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensionsSchema }),
  Stat: statisticSchema,
  Period: z.coerce.number(),
});

/** An alarm on an expression, which comes first, of metrics of one period. */
const mathAlarmSchema = decisionSchema.extend({
  Metrics: z.tuple(
    [z.strictObject({ Id: ignored, Label: ignored, Expression: z.string(), ReturnData: ignored })],
    z.strictObject({ Id: z.string(), Label: ignored, MetricStat: metricStatSchema, ReturnData: ignored }),
  ),
});

type Decision = z.output<typeof decisionSchema>;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Each statistic of one value or more. */
export const statistics: Record<z.output<typeof statisticSchema>, (values: readonly number[]) => number> = {
  Sum: sum,
  Average: (values) => sum(values) / values.length,
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values),
  SampleCount: (values) => values.length,
};

const comparisons: Record<Decision["ComparisonOperator"], (value: number, threshold: number) => boolean> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

const stateWithoutData = { breaching: "ALARM", notBreaching: "OK", missing: "INSUFFICIENT_DATA" } as const;

/**
 * The metric or expression that an alarm watches: its value in a period, undefined without data. Times in milliseconds since
 * 1970.
 */
type Watched = Pick<Alarm, "metrics" | "period"> & { value(from: number, to: number): number | undefined };

function watchedBy(properties: unknown, store: MetricStore): { own: Decision; watched: Watched } {
  const statistic = (metric: MetricIdentity, name: keyof typeof statistics) => (from: number, to: number) => {
    const values = store.values(metric, from, to);
    return values.length === 0 ? undefined : statistics[name](values);
  };
  if (!Object.hasOwn(properties as object, "Metrics")) {
    const own = metricAlarmSchema.parse(properties);
    const metric = { namespace: own.Namespace, name: own.MetricName, dimensions: own.Dimensions };
    const value = statistic(metric, own.Statistic);
    return { own, watched: { metrics: [metric], period: own.Period, value } };
  }
  const own = mathAlarmSchema.parse(properties);
  const [{ Expression }, ...sources] = own.Metrics;
  const evaluate = readMetricMath(Expression);
  const named = sources.map(({ Id, MetricStat: { Metric, Stat, Period } }) => {
    const metric = { namespace: Metric.Namespace, name: Metric.MetricName, dimensions: Metric.Dimensions };
    return { id: Id, metric, period: Period, value: statistic(metric, Stat) };
  });
  const watched: Watched = {
    metrics: named.map(({ metric }) => metric),
    period: Math.max(...named.map(({ period }) => period)),
    value: (from, to) => evaluate((id) => named.find((one) => one.id === id)?.value(from, to)),
  };
  return { own, watched };
}

/**
 * AWS::CloudWatch::Alarm on a metric or on an expression of metrics, evaluated with the metrics of the run.
 *
 * A missing value is ignored for a period that began before the run. On AWS it would count, so an alarm that rings without
 * data rings right after its creation there.
 *
 * @param speed divides the periods, so that a rehearsal takes minutes
 */
export function alarmType(
  environment: AwsEnvironment,
  store: MetricStore,
  found: (alarm: Alarm) => void,
  speed = 1,
): ResourceType {
  return ({ physicalName, path, properties }) => {
    const { own, watched } = watchedBy(properties, store);
    const { metrics, value } = watched;
    const period = watched.period / speed;
    const name = own.AlarmName ?? physicalName;
    const stateIn = (from: number, to: number): AlarmState => {
      const found = value(from, to);
      if (found !== undefined) {
        return comparisons[own.ComparisonOperator](found, own.Threshold) ? "ALARM" : "OK";
      }
      const isBeforeRun = own.TreatMissingData === "breaching" && from < store.since;
      return isBeforeRun ? "INSUFFICIENT_DATA" : stateWithoutData[own.TreatMissingData];
    };
    found({
      name,
      path,
      description: own.AlarmDescription,
      metrics,
      period,
      state(at) {
        const states = Array.from({ length: own.EvaluationPeriods }, (_, before) => {
          const to = at - before * period * 1000;
          return stateIn(to - period * 1000, to);
        });
        const bad = states.filter((state) => state === "ALARM").length;
        if (bad >= (own.DatapointsToAlarm ?? own.EvaluationPeriods)) return "ALARM";
        return states.includes("OK") ? "OK" : "INSUFFICIENT_DATA";
      },
    });
    return { ref: name, attributes: { Arn: arn(environment, "cloudwatch", `alarm:${name}`) } };
  };
}
