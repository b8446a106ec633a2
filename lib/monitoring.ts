import { Duration, Stack, Validations } from "aws-cdk-lib";
import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import { type CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { MetricName } from "../functions/runtime/metrics.ts";
import type { FunctionName } from "./bundles.ts";
import type { StageSettings } from "./stage-settings.ts";

/** Options of an alarm. */
export interface PipelineAlarmProps {
  /** Heading in docs/runbook.md that says what the alarm means and what to do. */
  readonly section: string;
  /** What has happened, in one sentence. */
  readonly says: string;
  readonly metric: IMetric;
  /** The alarm rings at this value and above. */
  readonly threshold: number;
  /** Whether the alarm rings if the metric has no data. */
  readonly ringsWithoutData?: boolean;
  /** How many of the last periods must be bad; one of one if absent. */
  readonly rings?: { readonly bad: number; readonly ofPeriods: number };
}

/** Adds an alarm that rings after one bad period, or as it says, and links the runbook. `Monitoring` connects it to the topic. */
export function addAlarm(
  scope: Construct,
  id: string,
  { alarms }: Pick<StageSettings, "alarms">,
  { section, says, metric, threshold, ringsWithoutData = false, rings }: PipelineAlarmProps,
): void {
  new Alarm(scope, id, {
    alarmDescription: `${says} What to do: ${alarms.runbook}#${section}`,
    metric,
    threshold,
    evaluationPeriods: rings?.ofPeriods ?? 1,
    ...(rings && { datapointsToAlarm: rings.bad }),
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: ringsWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

/**
 * Adds an alarm that rings if a metric had no value on two days in a row: a schedule that does not run any more is
 * silent otherwise. One day alone may lack a value, when the clocks change. It also rings from the first deployment to
 * the first value.
 */
export function addMissedRunsAlarm(
  scope: Construct,
  id: string,
  { alarms }: Pick<StageSettings, "alarms">,
  { says, metric }: { readonly says: string; readonly metric: Metric },
): void {
  new Alarm(scope, id, {
    alarmDescription: `${says} What to do: ${alarms.runbook}#a-schedule-does-not-run`,
    metric: metric.with({ statistic: Stats.SAMPLE_COUNT, period: Duration.days(1) }),
    threshold: 1,
    evaluationPeriods: 2,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  });
}

/** A metric that one of the functions publishes itself; the sum of five minutes, unless `options` say otherwise. */
export function ownMetric(
  scope: Construct,
  publishedBy: FunctionName,
  metricName: MetricName,
  options: MetricOptions = {},
): Metric {
  return new Metric({
    namespace: Stack.of(scope).stackName,
    metricName,
    dimensionsMap: { service: publishedBy },
    period: Duration.minutes(5),
    statistic: "Sum",
    ...options,
  });
}

/** The topic that mails alarms to the operator; CloudWatch's alarms may publish to it. */
export function alarmTopic(scope: Construct, { stage, alarms }: StageSettings, key: Key): Topic {
  const topic = new Topic(scope, "AlarmTopic", {
    displayName: `Scorecards ${stage}`,
    masterKey: key,
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  if (alarms.address !== undefined) {
    const subscription = topic.addSubscription(new EmailSubscription(alarms.address));
    Validations.of(subscription).acknowledge({
      id: "Serverless-SNSRedrivePolicy",
      reason:
        "SNS hands a mail over once and learns nothing of it later, so no mail ever reaches a dead-letter queue.",
    });
  }
  return topic;
}

/** Options of {@link Monitoring}. */
export interface MonitoringProps {
  readonly settings: StageSettings;
  /** Receives all alarms. */
  readonly topic: Topic;
  readonly api: SpecRestApi;
}

/** Crashes in five minutes from which on the alarm rings. A single one is repeated by the queue or the vendor. */
const crashes = 3;
/** The same limit for scheduled functions, which run once in five minutes at most. */
const scheduledCrashes: Partial<
  Record<FunctionName, { readonly crashes: number; readonly within: Duration }>
> = {
  "mirror-courses": { crashes: 2, within: Duration.hours(1) },
  "check-records": { crashes: 2, within: Duration.hours(2) },
  "measure-unsent": { crashes: 1, within: Duration.hours(1) },
  "wake-waiting-cards": { crashes: 2, within: Duration.hours(1) },
};
/** Responses with 5xx in five minutes from which on the alarm rings. */
const failedResponses = 5;

/**
 * The dimensions of the API's metrics without a reference to it: the API refers to aliases, and these wait for the alarms that roll them
 * back, among them the API's.
 */
const namedByText = ({ restApiName: ApiName }: SpecRestApi, { stage: Stage }: StageSettings) => ({
  dimensionsMap: { ApiName, Stage },
});

/** Alarms of the API and of every function. Connects all alarms of the stack to the topic, so create it last. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { settings, topic, api }: MonitoringProps) {
    super(scope, id);
    const sum = { period: Duration.minutes(5), statistic: "Sum" };
    const all = api.deploymentStage.metricServerError(sum);
    const failed = settings.rollout === "canary" ? all.with(namedByText(api, settings)) : all;
    const busy = ownMetric(this, "submit-scorecards", "SandboxBusy", sum);
    addAlarm(this, "ApiFailingAlarm", settings, {
      section: "the-api-fails",
      says: `The API answers with 5xx: ${failedResponses} times or more in five minutes.`,
      // A vendor that tries the sandbox's 503 is no failure.
      metric:
        settings.stage === "test"
          ? new MathExpression({
              expression: "failed - FILL(busy, 0)",
              usingMetrics: { failed, busy },
              period: sum.period,
            })
          : failed,
      threshold: failedResponses,
    });
    for (const construct of Stack.of(this).node.findAll()) {
      if (construct instanceof LambdaFunction) this.addFunctionAlarms(construct, settings);
    }
    for (const construct of Stack.of(this).node.findAll()) {
      if (!(construct instanceof Alarm)) continue;
      construct.addAlarmAction(new SnsAction(topic));
      // The operator also gets a mail when the alarm clears.
      construct.addOkAction(new SnsAction(topic));
    }
  }

  private addFunctionAlarms(target: LambdaFunction, settings: StageSettings): void {
    const name = target.node.id as FunctionName;
    const period = Duration.minutes(5);
    const limit = scheduledCrashes[name] ?? { crashes, within: period };
    addAlarm(this, `${name}-errors`, settings, {
      section: "a-function-crashes",
      says: `${name} crashes: ${limit.crashes} times or more in ${limit.within.toMinutes()} minutes.`,
      // Lambda counts a wrong password as an error, since an authorizer answers 401 by throwing.
      metric:
        name === "authorize"
          ? ownMetric(this, name, "UnexpectedErrors")
          : target.metricErrors({ period: limit.within }),
      threshold: limit.crashes,
    });
    // A function with one run at a time waits for its turn, which Lambda counts as throttled.
    if ((target.node.defaultChild as CfnFunction).reservedConcurrentExecutions === 1) return;
    addAlarm(this, `${name}-throttles`, settings, {
      section: "a-function-is-throttled",
      says: `${name} is not given the concurrency it needs.`,
      metric: target.metricThrottles({ period }),
      threshold: 1,
    });
  }
}
