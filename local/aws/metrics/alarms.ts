import * as z from "zod";
import { type AwsEnvironment, arn } from "../environment.ts";
import type { ResourceType } from "../resource-type.ts";
import type { MetricIdentity, MetricStore } from "./metric-store.ts";

/** An alarm of the stack, as its template defines it. */
export interface Alarm {
  readonly name: string;
  /** Path of its construct within the stack. */
  readonly path: string;
  readonly description: string;
  readonly metric: MetricIdentity;
  /** Its state at a time, in milliseconds since 1970, from the values of the period before it. */
  state(at: number): "OK" | "ALARM" | "INSUFFICIENT_DATA";
}

/** Ignored: actions and tags. */
const ignored = z.unknown().optional();

const propertiesSchema = z.strictObject({
  AlarmName: z.string().optional(),
  AlarmDescription: z.string().default(""),
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]),
  Statistic: z.enum(["Sum", "Average", "Minimum", "Maximum", "SampleCount"]),
  Period: z.coerce.number(),
  EvaluationPeriods: z.literal(1),
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

type Properties = z.output<typeof propertiesSchema>;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const statistics: Record<Properties["Statistic"], (values: readonly number[]) => number> = {
  Sum: sum,
  Average: (values) => sum(values) / values.length,
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values),
  SampleCount: (values) => values.length,
};

const comparisons: Record<Properties["ComparisonOperator"], (value: number, threshold: number) => boolean> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

const stateWithoutData = { breaching: "ALARM", notBreaching: "OK", missing: "INSUFFICIENT_DATA" } as const;

/** AWS::CloudWatch::Alarm on one metric and one period, evaluated with the metrics of the run. */
export function alarmType(
  environment: AwsEnvironment,
  metrics: MetricStore,
  found: (alarm: Alarm) => void,
): ResourceType {
  return ({ physicalName, path, properties }) => {
    const own = propertiesSchema.parse(properties);
    const name = own.AlarmName ?? physicalName;
    const metric: MetricIdentity = {
      namespace: own.Namespace,
      name: own.MetricName,
      dimensions: Object.fromEntries(own.Dimensions.map(({ Name, Value }) => [Name, Value])),
    };
    found({
      name,
      path,
      description: own.AlarmDescription,
      metric,
      state(at) {
        const values = metrics.values(metric, at - own.Period * 1000);
        if (values.length === 0) return stateWithoutData[own.TreatMissingData];
        const value = statistics[own.Statistic](values);
        return comparisons[own.ComparisonOperator](value, own.Threshold) ? "ALARM" : "OK";
      },
    });
    return { ref: name, attributes: { Arn: arn(environment, "cloudwatch", `alarm:${name}`) } };
  };
}
