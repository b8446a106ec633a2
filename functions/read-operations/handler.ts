import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { readOverview } from "../../core/operations/overview.ts";
import { json } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables(
  "STACK_NAME",
  "UNION_BASE_ADDRESS",
  "TIME_ZONE",
  "ACCOUNT_TABLE",
  "ACTIVITY_TABLE",
  "COURSE_TABLE",
  "SCORECARD_TABLE",
  "DELIVERY_QUEUE_URL",
  "DEAD_LETTER_QUEUE_URL",
  "DELIVERY_EVENT_SOURCE_ID",
);
const sources = {
  stack: settings.STACK_NAME,
  union: settings.UNION_BASE_ADDRESS,
  timeZone: settings.TIME_ZONE,
  tables: {
    accounts: settings.ACCOUNT_TABLE,
    activity: settings.ACTIVITY_TABLE,
    courses: settings.COURSE_TABLE,
    scorecards: settings.SCORECARD_TABLE,
  },
  queues: { delivery: settings.DELIVERY_QUEUE_URL, deadLetters: settings.DEAD_LETTER_QUEUE_URL },
  eventSourceId: settings.DELIVERY_EVENT_SOURCE_ID,
  dynamodb: sdkClient(DynamoDBClient),
  sqs: sdkClient(SQSClient),
  cloudWatch: sdkClient(CloudWatchClient),
  lambda: sdkClient(LambdaClient),
};

/** The pipeline at a glance, for accounts of operators. */
export const handler = vendorApi(async () => json(200, await readOverview(sources, new Date())));
