import { Duration, Stack, Validations } from "aws-cdk-lib";
import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription, type EmailSubscriptionProps } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { MetricName } from "../functions/runtime/metrics.ts";
import type { FunctionName } from "./bundles.ts";
import { isReserving } from "./reserved-runs.ts";
import type { StageSettings } from "./stage-settings.ts";

/** Options of an alarm. */
export interface PipelineAlarmProps {
  /** Heading in docs/runbook.md that says what the alarm means and what to do. */
  readonly section: string;
  /** What has happened, in one sentence. */
  readonly says: string;
  readonly metric: IMetric;
  /** The alarm rings at this value and above, or below it. */
  readonly threshold: number;
  readonly ringsBelow?: boolean;
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
  { section, says, metric, threshold, ringsBelow, ringsWithoutData = false, rings }: PipelineAlarmProps,
): void {
  const { LESS_THAN_THRESHOLD, GREATER_THAN_OR_EQUAL_TO_THRESHOLD } = ComparisonOperator;
  new Alarm(scope, id, {
    alarmDescription: `${says} What to do: ${alarms.runbook}#${section}`,
    metric,
    threshold,
    evaluationPeriods: rings?.ofPeriods ?? 1,
    ...(rings && { datapointsToAlarm: rings.bad }),
    comparisonOperator: ringsBelow ? LESS_THAN_THRESHOLD : GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: ringsWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
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

/** The topics of alarms: who is woken, and who reads in the morning. */
export interface AlarmTopics {
  readonly wake: Topic;
  readonly morning: Topic;
}

/** The topics that mail alarms to the operator; CloudWatch's alarms may publish to them. */
export function alarmTopics(scope: Construct, settings: StageSettings, key: Key): AlarmTopics {
  const { stage } = settings;
  return {
    wake: alarmTopic(scope, "AlarmTopic", `Scorecards ${stage}`, settings, key),
    morning: alarmTopic(scope, "MorningTopic", `Scorecards ${stage}, not urgent`, settings, key),
  };
}

function alarmTopic(scope: Construct, id: string, displayName: string, { alarms }: StageSettings, key: Key) {
  const topic = new Topic(scope, id, { displayName, masterKey: key, enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  if (alarms.address !== undefined) subscribeByMail(topic, alarms.address);
  return topic;
}

/** Lets a topic mail its messages to an address. */
export function subscribeByMail(topic: Topic, address: string, options: EmailSubscriptionProps = {}): void {
  const subscription = topic.addSubscription(new EmailSubscription(address, options));
  Validations.of(subscription).acknowledge({
    id: "Serverless-SNSRedrivePolicy",
    reason:
      "SNS hands a mail over once and learns nothing of it later, so no mail ever reaches a dead-letter queue.",
  });
}

/** Options of {@link Monitoring}. */
export interface MonitoringProps {
  readonly settings: StageSettings;
  readonly topics: AlarmTopics;
  readonly api: SpecRestApi;
}

/**
 * The alarms that wake somebody: cards are lost or wait, or vendors get no answer, until a person acts. Of all others no card suffers before
 * the morning.
 */
const waking: ReadonlySet<string> = new Set([
  "DeadLettersAlarm",
  "StoppedAlarm",
  "ExchangeFailingAlarm",
  "CredentialsRefusedAlarm",
  "UnknownAnswersAlarm",
  "UnsentAlarm",
  "FastBurnAlarm",
  "VendorSilentAlarm",
  "RefusedAlarm",
  "ApiFailingAlarm",
  "FunctionsCrashAlarm",
  "FunctionsThrottledAlarm",
]);

/** Functions that answer 5xx if the union does not answer. */
export const askingTheUnion: readonly FunctionName[] = [
  "read-courses",
  "read-members",
  "submit-scorecards",
  "validate-scorecards",
];
/** Responses with 5xx in three minutes, not counting the union's, from which on the alarm rings, and their least share of all 5xx. */
const failedResponses = { count: 3, share: 0.1 };

/** Functions behind the API have no crash of their own here: each is a response with 5xx. */
const inTheBackground: ReadonlySet<string> = new Set<FunctionName>([
  "check-players",
  "check-records",
  "deliver-scorecards",
  "deliver-webhooks",
  "follow-outcomes",
  "measure-unsent",
  "mirror-courses",
  "wake-waiting-cards",
]);
/** Crashes in an hour from which on the alarm rings. A single one is repeated by the queue, the stream or the schedule. */
const crashes = 3;

/** The sum of several metrics, none of which has data at all times, as an expression of metric math. */
const sumOf = (metrics: Readonly<Record<string, IMetric>>) =>
  Object.keys(metrics)
    .map((id) => `FILL(${id}, 0)`)
    .join(" + ");

/** A metric of several functions by ids that metric math takes, e.g. `deliver_scorecards`. */
const byFunction = (targets: readonly LambdaFunction[], metric: (of: LambdaFunction) => IMetric) =>
  Object.fromEntries(targets.map((of) => [of.node.id.replaceAll("-", "_"), metric(of)]));

/**
 * The dimensions of the API's metrics without a reference to it: the API refers to aliases, and these wait for the alarms that roll them
 * back, among them the API's.
 */
const namedByText = ({ restApiName: ApiName }: SpecRestApi, { stage: Stage }: StageSettings) => ({
  dimensionsMap: { ApiName, Stage },
});

/** Alarms of the API and of the functions. Connects all alarms of the stack to a topic, so create it last. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { settings, topics, api }: MonitoringProps) {
    super(scope, id);
    this.addApiAlarm(settings, api);
    this.addFunctionAlarms(settings);
    for (const construct of Stack.of(this).node.findAll()) {
      if (!(construct instanceof Alarm)) continue;
      const action = new SnsAction(waking.has(construct.node.id) ? topics.wake : topics.morning);
      construct.addAlarmAction(action);
      // The operator also gets a mail when the alarm clears.
      construct.addOkAction(action);
    }
  }

  /** An outage of the union is not the API's failure, and must not keep an update back. */
  private addApiAlarm(settings: StageSettings, api: SpecRestApi): void {
    const period = Duration.minutes(3);
    const all = api.deploymentStage.metricServerError({ period, statistic: "Sum" });
    const others = {
      ...Object.fromEntries(
        askingTheUnion.map((name) => [
          name.replaceAll("-", "_"),
          ownMetric(this, name, "UnionFailures", { period }),
        ]),
      ),
      // A vendor that tries the sandbox's 503 is no failure.
      ...(settings.stage === "test" && {
        sandbox: ownMetric(this, "submit-scorecards", "SandboxBusy", { period }),
      }),
    };
    const { count, share } = failedResponses;
    addAlarm(this, "ApiFailingAlarm", settings, {
      section: "the-api-fails",
      says: `The API answers with 5xx, and not because of the union: ${count} times or more in three minutes, twice in a row.`,
      metric: new MathExpression({
        expression: `IF(failures - (${sumOf(others)}) >= ${share} * failures, failures - (${sumOf(others)}), 0)`,
        usingMetrics: {
          failures: settings.rollout === "canary" ? all.with(namedByText(api, settings)) : all,
          ...others,
        },
        period,
      }),
      threshold: count,
      // API Gateway may count a request in another period than its function did, which is no failure of ours.
      rings: { bad: 2, ofPeriods: 2 },
    });
  }

  private addFunctionAlarms(settings: StageSettings): void {
    const functions = Stack.of(this)
      .node.findAll()
      .filter((construct) => construct instanceof LambdaFunction);
    const hour = { period: Duration.hours(1) };
    const failing = functions.filter(({ node }) => inTheBackground.has(node.id));
    const errors = byFunction(failing, (of) => of.metricErrors(hour));
    addAlarm(this, "FunctionsCrashAlarm", settings, {
      section: "a-function-crashes",
      says: `Functions in the background have crashed ${crashes} times or more in an hour.`,
      metric: new MathExpression({ expression: sumOf(errors), usingMetrics: errors, ...hour }),
      threshold: crashes,
    });
    // All others share what these leave, and are throttled with them, or answer vendors with 5xx.
    const period = { period: Duration.minutes(5) };
    const busy = functions.filter(({ node }) => isReserving(node.id as FunctionName));
    const throttles = byFunction(busy, (of) => of.metricThrottles(period));
    addAlarm(this, "FunctionsThrottledAlarm", settings, {
      section: "a-function-is-throttled",
      says: "A function is not given the concurrency it needs.",
      metric: new MathExpression({ expression: sumOf(throttles), usingMetrics: throttles, ...period }),
      threshold: 1,
    });
  }
}
