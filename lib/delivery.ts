import { Duration, Validations } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { mostReceives } from "../core/delivery/timing.ts";
import { addAlarm, ownMetric } from "./alarm.ts";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import { removalPolicy } from "./removal-policy.ts";
import { cardActions } from "./scorecard-store.ts";
import type { StageSettings } from "./settings.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-secrets.ts";

/** What delivery is given. */
export interface DeliveryProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly key: Key;
}

/** From the queue to the exchange: the queue, its dead letters, and the function that posts. */
export class Delivery extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** Hands the queue's messages to the function; disabled while delivery is on hold. */
  readonly eventSource: EventSourceMapping;

  constructor(scope: Construct, id: string, { settings, unionBaseAddress, scorecards, key }: DeliveryProps) {
    super(scope, id);
    const { stage, keepData, delivery } = settings;
    const queue = {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      // The longest that the service keeps a data key: KMS is asked once a day, not with every message.
      dataKeyReuse: Duration.days(1),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: removalPolicy(keepData),
    };
    this.deadLetters = new Queue(this, "DeadLetterQueue", queue);
    this.queue = new Queue(this, "DeliveryQueue", {
      ...queue,
      visibilityTimeout: Duration.seconds(delivery.visibilityTimeoutSeconds),
      deadLetterQueue: {
        queue: this.deadLetters,
        maxReceiveCount: mostReceives(delivery.visibilityTimeoutSeconds),
      },
    });

    const deliver = pipelineFunction(this, "deliver-scorecards", settings, {
      description: "Delivers scorecards to the union's exchange",
      timeout: Duration.seconds(delivery.timeoutSeconds),
      // Most of the time it waits for the exchange, and memory is paid for while it waits: so it has twice what a batch
      // of the largest cards takes, and no more.
      memorySize: 640,
      untracedBecause:
        "X-Ray would record and charge for a run a second, and the log says of each post how long it took.",
      environment: {
        SCORECARD_TABLE: scorecards.tableName,
        DELIVERY_QUEUE_URL: this.queue.queueUrl,
        UNION_BASE_ADDRESS: unionBaseAddress,
        EXCHANGE_PATH: settings.exchangePath,
        VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
        POST_SIZE: String(delivery.postSize),
        PARALLEL_POSTS: String(delivery.parallelPosts),
        POST_TIMEOUT_SECONDS: String(delivery.postTimeoutSeconds),
        GIVE_UP_AFTER_SECONDS: String(delivery.giveUpAfterSeconds),
      },
    });
    allow(deliver, cardActions, [scorecards.tableArn]);
    const consuming = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
    allow(deliver, consuming, [this.queue.queueArn]);
    allow(deliver, ["sqs:SendMessage"], [this.queue.queueArn]);
    grantVendorSecrets(deliver, stage);

    this.eventSource = new EventSourceMapping(this, "DeliveryEventSource", {
      target: deliver,
      eventSourceArn: this.queue.queueArn,
      batchSize: delivery.batchSize,
      maxBatchingWindow: Duration.seconds(delivery.batchWindowSeconds),
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

    this.alarms(settings);
  }

  private alarms(settings: StageSettings): void {
    const period = Duration.minutes(5);
    addAlarm(this, "DeadLettersAlarm", settings, {
      section: "dead-letters",
      says: "Messages crashed the function time and again, or it cannot read them.",
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      threshold: 1,
    });
    addAlarm(this, "UndeliveredAlarm", settings, {
      section: "cards-were-given-up",
      says: "Cards were given up after two days of attempts.",
      metric: ownMetric(this, "deliver-scorecards", "CardsUndelivered"),
      threshold: 1,
    });
    addAlarm(this, "OldestMessageAlarm", settings, {
      section: "the-oldest-message-is-too-old",
      says: "Cards wait in the queue and are not taken from it.",
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period }),
      threshold: settings.alarms.oldestCardSeconds,
    });
    addAlarm(this, "OldestCardAlarm", settings, {
      section: "the-oldest-message-is-too-old",
      says: "A card has been tried for too long: the exchange is down, or refuses to answer for it.",
      metric: ownMetric(this, "deliver-scorecards", "OldestCardAge", { statistic: "Maximum" }),
      threshold: settings.alarms.oldestCardSeconds,
    });
    addAlarm(this, "ExchangeFailingAlarm", settings, {
      section: "the-exchange-fails",
      says: "Half of the posts to the exchange or more have failed for a quarter of an hour.",
      metric: ownMetric(this, "deliver-scorecards", "ExchangeFailures", {
        statistic: "Average",
        period: Duration.minutes(15),
      }),
      threshold: 0.5,
    });
    addAlarm(this, "CredentialsRefusedAlarm", settings, {
      section: "credentials-are-refused",
      says: "The union refuses a vendor's credentials, or they cannot be read; that vendor's cards wait.",
      metric: ownMetric(this, "deliver-scorecards", "CredentialsRefused"),
      threshold: 1,
    });
  }
}
