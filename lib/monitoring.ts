import { Duration, Stack } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Alarm, type Metric } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { type CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { addAlarm, ownMetric } from "./alarm.ts";
import type { FunctionName } from "./bundles.ts";
import type { StageSettings } from "./settings.ts";

/** What watching is given. */
export interface MonitoringProps {
  readonly settings: StageSettings;
  /** Where alarms ring. */
  readonly topic: Topic;
  readonly api: RestApi;
}

/** This many crashes in five minutes are no accident. The queue or the vendor repeats what crashed. */
const crashes = 3;

/** How many crashes within which time ring, of functions that a schedule runs: five minutes hold one run of theirs at most. */
const scheduledCrashes: Partial<
  Record<FunctionName, { readonly crashes: number; readonly within: Duration }>
> = {
  "mirror-courses": { crashes: 2, within: Duration.hours(1) },
  "measure-unsent": { crashes: 1, within: Duration.hours(1) },
};
/** So many answers 5xx in five minutes are no accident. */
const failedAnswers = 5;

/**
 * Has every alarm of the stack ring the operator, and adds those of all functions and of the API. Made last, so that it
 * finds them all.
 */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { settings, topic, api }: MonitoringProps) {
    super(scope, id);
    addAlarm(this, "ApiFailingAlarm", settings, {
      section: "the-api-fails",
      says: `The API answers with 5xx: ${failedAnswers} times or more in five minutes.`,
      metric: api.deploymentStage.metricServerError({ period: Duration.minutes(5), statistic: "Sum" }),
      threshold: failedAnswers,
    });

    const within = Stack.of(this).node.findAll();
    for (const watched of within.filter((construct) => construct instanceof LambdaFunction)) {
      this.watchFunction(watched, settings);
    }
    for (const alarm of Stack.of(this).node.findAll()) {
      if (!(alarm instanceof Alarm)) continue;
      alarm.addAlarmAction(new SnsAction(topic));
      // The operator reads as well that it is over.
      alarm.addOkAction(new SnsAction(topic));
    }
  }

  private watchFunction(watched: LambdaFunction, settings: StageSettings): void {
    const name = watched.node.id as FunctionName;
    const period = Duration.minutes(5);
    const limit = scheduledCrashes[name] ?? { crashes, within: period };
    addAlarm(this, `${name}-errors`, settings, {
      section: "a-function-crashes",
      says: `${name} crashes: ${limit.crashes} times or more in ${limit.within.toMinutes()} minutes.`,
      metric: errorsOf(this, watched, limit.within),
      threshold: limit.crashes,
    });
    // What may run only so often at a time waits for its turn, which Lambda counts as throttled.
    if (hasReservedConcurrency(watched)) return;
    addAlarm(this, `${name}-throttles`, settings, {
      section: "a-function-is-throttled",
      says: `${name} is not given the concurrency it needs.`,
      metric: watched.metricThrottles({ period }),
      threshold: 1,
    });
  }
}

/** A wrong password is an error to Lambda, since that is how an authorizer says 401. */
const errorsOf = (scope: Construct, watched: LambdaFunction, period: Duration): Metric =>
  watched.node.id === "authorize"
    ? ownMetric(scope, "authorize", "UnexpectedErrors", { period })
    : watched.metricErrors({ period });

const hasReservedConcurrency = (watched: LambdaFunction) =>
  (watched.node.defaultChild as CfnFunction).reservedConcurrentExecutions !== undefined;
