import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { readOverview } from "../../core/operations/overview.ts";
import { json } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

const settings = readSettings({
  STACK_NAME: z.string(),
  UNION_BASE_ADDRESS: z.string(),
  TIME_ZONE: z.string(),
  ACCOUNT_TABLE: z.string(),
  ACTIVITY_TABLE: z.string(),
  COURSE_TABLE: z.string(),
  SCORECARD_TABLE: z.string(),
  DELIVERY_QUEUE_URL: z.string(),
  DEAD_LETTER_QUEUE_URL: z.string(),
  DELIVERY_EVENT_SOURCE_ID: z.string(),
});
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
