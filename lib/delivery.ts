import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What delivery is given. */
export interface DeliveryProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
}

/** Messages handed over in one batch, and how long a batch may gather. */
const batchSize = 100;
const batchWindow = Duration.seconds(1);
/** A card is given up by age, long before its message has been received so often. */
const maxReceiveCount = 1000;

/** From the queue to the exchange: the queue, its dead letters, and the function that posts. */
export class Delivery extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** Hands the queue's messages to the function; disabled while delivery is on hold. */
  readonly eventSource: EventSourceMapping;

  constructor(scope: Construct, id: string, { settings, unionBaseAddress, scorecards }: DeliveryProps) {
    super(scope, id);
    const { stage, keepData, delivery } = settings;
    const queue = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    this.deadLetters = new Queue(this, "DeadLetterQueue", queue);
    this.queue = new Queue(this, "DeliveryQueue", {
      ...queue,
      visibilityTimeout: Duration.seconds(delivery.visibilityTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });

    const vendorSecretPrefix = `scorecards/${stage}/vendor/`;
    const deliver = pipelineFunction(this, "deliver-scorecards", {
      description: "Delivers scorecards to the union's exchange",
      timeout: Duration.seconds(delivery.timeoutSeconds),
      memorySize: 1024,
      logRetention: settings.logRetentionDays,
      environment: {
        SCORECARD_TABLE: scorecards.tableName,
        DELIVERY_QUEUE_URL: this.queue.queueUrl,
        DEAD_LETTER_QUEUE_URL: this.deadLetters.queueUrl,
        UNION_BASE_ADDRESS: unionBaseAddress,
        EXCHANGE_PATH: settings.exchangePath,
        VENDOR_SECRET_PREFIX: vendorSecretPrefix,
        POST_SIZE: String(delivery.postSize),
        PARALLEL_POSTS: String(delivery.parallelPosts),
        POST_TIMEOUT_SECONDS: String(delivery.postTimeoutSeconds),
        GIVE_UP_AFTER_SECONDS: String(delivery.giveUpAfterSeconds),
        BACKOFF_CAP_SECONDS: String(delivery.backoffCapSeconds),
        CORRECTION_DELAY_SECONDS: String(delivery.correctionDelaySeconds),
      },
    });
    allow(deliver, ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem"], [scorecards.tableArn]);
    const consuming = [
      "sqs:ReceiveMessage",
      "sqs:DeleteMessage",
      "sqs:ChangeMessageVisibility",
      "sqs:GetQueueAttributes",
    ];
    allow(deliver, consuming, [this.queue.queueArn]);
    allow(deliver, ["sqs:SendMessage"], [this.deadLetters.queueArn]);
    const { partition, region, account } = Stack.of(this);
    const vendorSecrets = `arn:${partition}:secretsmanager:${region}:${account}:secret:${vendorSecretPrefix}*`;
    allow(deliver, ["secretsmanager:GetSecretValue"], [vendorSecrets]);
    Validations.of(deliver.role ?? deliver).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${vendorSecretPrefix}*]`,
      reason:
        "One secret a vendor, made when the operator adds its account; all of them lie under this prefix.",
    });

    this.eventSource = new EventSourceMapping(this, "DeliveryEventSource", {
      target: deliver,
      eventSourceArn: this.queue.queueArn,
      batchSize,
      maxBatchingWindow: batchWindow,
      reportBatchItemFailures: true,
      maxConcurrency: delivery.maximumConcurrency,
    });
    Validations.of(this.eventSource).acknowledge({
      id: "Serverless-LambdaEventSourceMappingDestination",
      reason:
        "A destination is for streams. What fails here goes back to the queue, and in the end to its dead letters.",
    });
    Validations.of(this.deadLetters).acknowledge({
      id: "Serverless-SQSRedrivePolicy",
      reason: "These are the dead letters.",
    });

    this.alarms(deliver);
  }

  private alarms(deliver: LambdaFunction): void {
    const rings = {
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      evaluationPeriods: 1,
    };
    new Alarm(this, "DeadLettersAlarm", {
      ...rings,
      alarmDescription: "Cards were given up after two days, or messages could not be read.",
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      threshold: 1,
    });
    new Alarm(this, "OldestMessageAlarm", {
      ...rings,
      alarmDescription:
        "The oldest card has waited an hour: the exchange is down, or too slow for what comes in.",
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5) }),
      threshold: Duration.hours(1).toSeconds(),
    });
    new Alarm(this, "DeliverErrorsAlarm", {
      ...rings,
      alarmDescription: "Runs of deliver-scorecards end with an error; their cards come back by themselves.",
      metric: deliver.metricErrors({ period: Duration.minutes(5) }),
      threshold: 3,
    });
  }
}
