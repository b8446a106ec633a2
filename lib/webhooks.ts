import { Duration, Stack, Validations } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import { EventSourceMapping, type Function as LambdaFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { SubscriptionFilter, Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { roleNamePrefix } from "../core/webhooks/queue-address.ts";
import { addAlarm, ownMetric, subscribeByMail } from "./monitoring.ts";
import { allow, bind, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";
import { pipelineTable, queueWithDeadLetters } from "./stored-data.ts";

/** Options of {@link Webhooks}. */
export interface WebhooksProps {
  readonly settings: StageSettings;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly key: Key;
}

/** Time for two posts of the longest duration; events for which a run has no time go back to the queue. */
const timeout = Duration.seconds(30);
/** How long the messages of a crashed run stay invisible. */
const visibilitySeconds = 35;
/** Runs at the same time: an endpoint that is slow for the first time holds one of them for ten seconds. */
const maximumConcurrency = 20;

/** Sends events to vendors' endpoints: the endpoints, the queue of events, and the functions that manage and post. */
export class Webhooks extends Construct {
  readonly endpoints: Table;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** Answers vendors' requests about their endpoints. */
  readonly manageWebhooks: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, scorecards, activity, key }: WebhooksProps) {
    super(scope, id);
    this.endpoints = pipelineTable(this, "WebhookTable", {
      keepData: settings.keepData,
      generation: settings.tableGeneration.webhooks,
      key,
      partitionKey: "apiSet",
      sortKey: "id",
    });
    const ids = { queue: "WebhookQueue", deadLetters: "DeadWebhookQueue" };
    const { keepData } = settings;
    const { queue, deadLetters } = queueWithDeadLetters(this, ids, { keepData, visibilitySeconds }, key);
    this.deadLetters = deadLetters;
    this.queue = queue;
    this.addDelivery(settings, activity, key);
    this.manageWebhooks = this.addManagement(settings, scorecards, activity);
    addAlarm(this, "WebhooksAlarm", settings, {
      section: "webhooks-fail",
      says: "A vendor's webhook endpoint has failed for an hour, or was disabled, since it is gone or has failed for three days; or events cannot be handled.",
      metric: new MathExpression({
        expression: "FILL(failing, 0) + FILL(disabled, 0) + FILL(dead, 0)",
        usingMetrics: {
          failing: ownMetric(this, "deliver-webhooks", "WebhookEndpointsFailing"),
          disabled: ownMetric(this, "deliver-webhooks", "WebhookEndpointsDisabled"),
          dead: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum" }),
        },
        period: Duration.minutes(5),
      }),
      threshold: 1,
    });
  }

  private addDelivery(settings: StageSettings, activity: Table, key: Key): void {
    const deliver = pipelineFunction(this, "deliver-webhooks", settings, {
      description: "Posts events to vendors' webhook endpoints",
      timeout,
      memorySize: 512,
      // An event that is to be posted later is a new message to the function's own queue.
      recursiveLoop: RecursiveLoop.ALLOW,
      environment: {
        EXTERNAL_ID_PREFIX: Stack.of(this).stackName,
        ACTIVITY_RETENTION_DAYS: String(settings.cardRetentionDays),
      },
    });
    // IAM checks what the statements of a BatchExecuteStatement may do, which is to insert or to update.
    const deliverActions = ["GetItem", "Query", "PartiQLInsert", "PartiQLUpdate"];
    bind(deliver, "WEBHOOK_TABLE", this.endpoints, deliverActions);
    bind(deliver, "ACTIVITY_TABLE", activity, ["PutItem", "Query"]);
    assumeVendorRoles(deliver);
    const notices = noticeTopic(this, settings, key);
    if (notices !== undefined) {
      deliver.addEnvironment("NOTICE_TOPIC", notices.topicArn);
      allow(deliver, ["sns:Publish"], [notices.topicArn]);
    }
    const queueActions = ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes", "SendMessage"];
    bind(deliver, "WEBHOOK_QUEUE_URL", this.queue, queueActions);
    const source = new EventSourceMapping(this, "WebhookEventSource", {
      target: deliver,
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: maximumConcurrency,
    });
    Validations.of(source).acknowledge({
      id: "Serverless-LambdaEventSourceMappingDestination",
      reason:
        "Destinations are for streams. A message that fails returns to the queue, and in the end to the dead letters.",
    });
  }

  private addManagement(settings: StageSettings, scorecards: Table, activity: Table): LambdaFunction {
    const { partition, account, stackName } = Stack.of(this);
    const manage = pipelineFunction(this, "manage-webhooks", settings, {
      description: "Lists, makes, changes, tries and removes vendors' webhook endpoints",
      timeout: Duration.seconds(29),
      memorySize: 512,
      environment: {
        EXTERNAL_ID_PREFIX: stackName,
        QUEUE_PRINCIPAL: `arn:${partition}:iam::${account}:root`,
        ...(settings.domain !== undefined && { API_DOMAIN: settings.domain.name }),
      },
    });
    const manageActions = ["Query", "GetItem", "PartiQLInsert", "PartiQLUpdate", "DeleteItem"];
    bind(manage, "WEBHOOK_TABLE", this.endpoints, manageActions);
    bind(manage, "ACTIVITY_TABLE", activity, ["Query"]);
    bind(manage, "SCORECARD_TABLE", scorecards, ["BatchGetItem"]);
    bind(manage, "WEBHOOK_QUEUE_URL", this.queue, ["SendMessage"]);
    assumeVendorRoles(manage);
    return manage;
  }

  /** Lets a function queue events for the endpoints of their vendors. */
  bindTell(to: LambdaFunction): void {
    bind(to, "WEBHOOK_TABLE", this.endpoints, ["Query"]);
    bind(to, "WEBHOOK_QUEUE_URL", this.queue, ["SendMessage"]);
  }
}

/**
 * Lets a function assume the roles of vendors' own AWS accounts that may send to their queues: only those of one name, and only as
 * one of this stage's vendors, whose external ID the role's trust policy has to name.
 */
function assumeVendorRoles(to: LambdaFunction): void {
  const { partition, stackName } = Stack.of(to);
  const role = `iam::*:role/${roleNamePrefix}*`;
  to.addToRolePolicy(
    new PolicyStatement({
      actions: ["sts:AssumeRole"],
      resources: [`arn:${partition}:${role}`],
      conditions: { StringLike: { "sts:ExternalId": `${stackName}:*` } },
    }),
  );
  Validations.of(to.role ?? to).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${role}]`,
    reason:
      "The roles are of vendors' own AWS accounts, which nobody knows beforehand. Each trusts this account only with the external ID of its vendor.",
  });
}

/** The topic that mails notices of vendors' endpoints, each to the addresses of its vendor; undefined if there are no addresses. */
function noticeTopic(
  scope: Construct,
  { stage, endpointMails = [] }: StageSettings,
  key: Key,
): Topic | undefined {
  if (endpointMails.length === 0) return undefined;
  const options = { displayName: `Scorecards ${stage}`, masterKey: key, enforceSSL: true };
  const topic = new Topic(scope, "NoticeTopic", options);
  for (const { address, apiSets } of endpointMails) {
    const filterPolicy = apiSets && { apiSet: SubscriptionFilter.stringFilter({ allowlist: [...apiSets] }) };
    subscribeByMail(topic, address, { ...(filterPolicy && { filterPolicy }) });
  }
  return topic;
}
