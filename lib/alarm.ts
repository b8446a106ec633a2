import { Duration, Stack } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  type MetricOptions,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { MetricName } from "../functions/runtime/metrics.ts";
import type { FunctionName } from "./bundles.ts";
import type { StageSettings } from "./settings.ts";

/** What an alarm watches and says. */
export interface AlarmProps {
  /** The heading in docs/runbook.md that says what it means, how to look and what to do. */
  readonly section: string;
  /** What has happened, in one sentence. */
  readonly says: string;
  readonly metric: IMetric;
  /** Rings at this value and above. */
  readonly threshold: number;
  /** Whether to ring where there are no figures at all. */
  readonly ringsWithoutFigures?: boolean;
}

/** Adds an alarm whose text says what to do. It rings after one bad period; `Monitoring` has it tell the operator. */
export function addAlarm(
  scope: Construct,
  id: string,
  { alarms }: Pick<StageSettings, "alarms">,
  { section, says, metric, threshold, ringsWithoutFigures = false }: AlarmProps,
): Alarm {
  return new Alarm(scope, id, {
    alarmDescription: `${says} What to do: ${alarms.runbook}#${section}`,
    metric,
    threshold,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: ringsWithoutFigures ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

/**
 * A metric that one of the functions publishes itself.
 *
 * @param by further dimensions
 */
export function ownMetric(
  scope: Construct,
  publishedBy: FunctionName,
  metricName: MetricName,
  { dimensionsMap: by, ...options }: MetricOptions = {},
): Metric {
  return new Metric({
    namespace: Stack.of(scope).stackName,
    metricName,
    dimensionsMap: { service: publishedBy, ...by },
    period: Duration.minutes(5),
    statistic: "Sum",
    ...options,
  });
}
