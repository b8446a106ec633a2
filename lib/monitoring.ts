import { Duration, Stack } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
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

/** So many crashes in five minutes are no accident. What crashed is done again, by the queue or the vendor. */
const crashes = 3;
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
      if (alarm instanceof Alarm) alarm.addAlarmAction(new SnsAction(topic));
    }
  }

  private watchFunction(watched: LambdaFunction, settings: StageSettings): void {
    const name = watched.node.id as FunctionName;
    const period = Duration.minutes(5);
    addAlarm(this, `${name}-errors`, settings, {
      section: "a-function-crashes",
      says: `${name} crashes: ${crashes} times or more in five minutes.`,
      // A wrong password is an error to Lambda, since that is how an authorizer says 401.
      metric:
        name === "authorize" ? ownMetric(this, name, "UnexpectedErrors") : watched.metricErrors({ period }),
      threshold: crashes,
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

const hasReservedConcurrency = (watched: LambdaFunction) =>
  (watched.node.defaultChild as CfnFunction).reservedConcurrentExecutions !== undefined;
