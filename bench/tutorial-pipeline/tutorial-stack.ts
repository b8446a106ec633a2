import { join } from "node:path";
import { CfnParameter, Duration, Stack } from "aws-cdk-lib";
import { ApiDefinition, SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import {
  Architecture,
  Code,
  EventSourceMapping,
  Function as LambdaFunction,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { integrationWith } from "../../lib/api-body.ts";
import { bundleEach } from "../../lib/bundles.ts";
import { settings } from "../../lib/settings.ts";

/**
 * What a tutorial builds for the same job, with what its reader would not leave out: one item and one message a
 * card, a message's card posted by itself, failures reported one by one. Its environments are as large, and as
 * many at once, as the pipeline's own.
 */
export class TutorialStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const exchange = new CfnParameter(this, "Exchange").valueAsString;
    const authorization = new CfnParameter(this, "Authorization").valueAsString;
    const bundles = bundleEach({
      submit: "bench/tutorial-pipeline/submit-scorecards.ts",
      deliver: "bench/tutorial-pipeline/deliver-scorecards.ts",
    });
    const codeOf = (name: "submit" | "deliver") => Code.fromAsset(join(bundles, name));
    const cards = new Table(this, "CardTable", {
      partitionKey: { name: "id", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
    const queue = new Queue(this, "Queue", { visibilityTimeout: Duration.minutes(1) });
    const runtime = {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: "index.handler",
    };
    const submit = new LambdaFunction(this, "submit-scorecards", {
      ...runtime,
      code: codeOf("submit"),
      memorySize: 1769,
      timeout: Duration.seconds(29),
      environment: { CARD_TABLE: cards.tableName, QUEUE_URL: queue.queueUrl },
    });
    const deliver = new LambdaFunction(this, "deliver-scorecards", {
      ...runtime,
      code: codeOf("deliver"),
      memorySize: 1024,
      timeout: Duration.seconds(30),
      environment: { CARD_TABLE: cards.tableName, EXCHANGE: exchange, AUTHORIZATION: authorization },
    });
    new EventSourceMapping(this, "EventSource", {
      target: deliver,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: settings.test.delivery.maximumConcurrency,
    });
    new SpecRestApi(this, "Api", {
      deployOptions: { stageName: "test" },
      cloudWatchRole: false,
      apiDefinition: ApiDefinition.fromInline({
        openapi: "3.0.1",
        info: { title: "tutorial", version: "1" },
        paths: {
          "/cards": { post: { responses: {}, "x-amazon-apigateway-integration": integrationWith(submit) } },
        },
      }),
    });
  }
}
