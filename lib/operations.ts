import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { Delivery } from "./delivery.ts";
import { allow, bind, pipelineFunction } from "./pipeline-function.ts";
import { type StageSettings, stackName } from "./stage-settings.ts";

/** The resources that the overview reads. */
export interface OperationsProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly accounts: Table;
  readonly courses: Table;
  readonly delivery: Delivery;
}

/** Creates the function that shows operators the whole pipeline. It may change nothing. */
export function readOperations(scope: Construct, props: OperationsProps): LambdaFunction {
  const { settings, unionBaseAddress, scorecards, activity, accounts, courses, delivery } = props;
  const { queue, deadLetters, eventSource } = delivery;
  const read = pipelineFunction(new Construct(scope, "Operations"), "read-operations", settings, {
    description: "Shows operators the pipeline at a glance",
    timeout: Duration.seconds(15),
    memorySize: 512,
    environment: {
      STACK_NAME: stackName(settings.stage),
      UNION_BASE_ADDRESS: unionBaseAddress,
      TIME_ZONE: settings.union.timeZone,
      DELIVERY_QUEUE_URL: queue.queueUrl,
      DEAD_LETTER_QUEUE_URL: deadLetters.queueUrl,
      DELIVERY_EVENT_SOURCE_ID: eventSource.eventSourceMappingId,
    },
  });
  bind(read, "ACCOUNT_TABLE", accounts, ["Scan"]);
  bind(read, "ACTIVITY_TABLE", activity, ["Query"]);
  bind(read, "SCORECARD_TABLE", scorecards, ["BatchGetItem"]);
  bind(read, "COURSE_TABLE", courses, ["GetItem"]);
  allow(read, ["sqs:GetQueueAttributes"], [queue.queueArn, deadLetters.queueArn]);
  allow(read, ["lambda:GetEventSourceMapping"], [eventSource.eventSourceMappingArn]);
  // Neither supports a narrower resource that would do: a metric has no ARN, and alarms are found by the prefix of their names.
  allow(read, ["cloudwatch:GetMetricData", "cloudwatch:DescribeAlarms"], ["*"]);
  return read;
}
