import { Duration, Validations } from "aws-cdk-lib";
import { MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import { EventSourceMapping, type Function as LambdaFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { awsLimits } from "./aws-facts.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, bind, daily, pipelineFunction, scheduled } from "./pipeline-function.ts";
import { invoked } from "./rollout.ts";
import { addObjectiveAlarms } from "./service-objective.ts";
import { type StageSettings, stackName } from "./stage-settings.ts";
import { giveUpAfterSeconds, postSize } from "./stage-timing.ts";
import { cardActions, queueWithDeadLetters } from "./stored-data.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-accounts.ts";
import type { Webhooks } from "./webhooks.ts";

/** A vendor's few wrong cards are its own concern. So many of all cards mean that the exchange, or what it was told, has changed. */
const minRejections = 5;
const worstRejectedShare = 0.02;

/**
 * Messages in one batch, and seconds that Lambda may collect them. Of a large submission, each message names 50 cards. In a larger batch single
 * cards share runs and posts: slower and cheaper, docs/costs.md.
 */
const batches = {
  fast: { size: awsLimits.batchSizeWithoutWindow, window: 0 },
  cheap: { size: 50, window: 1 },
} as const;
/** Vendors that one execution environment posts for at the same time. */
const parallelPosts = 4;

/** Options of {@link Delivery}. */
export interface DeliveryProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly key: Key;
}

const listVariables = ({ stage, union, delivery, timing }: StageSettings, unionBaseAddress: string) => ({
  UNION_BASE_ADDRESS: unionBaseAddress,
  EXCHANGE_PATH: union.exchangePath,
  VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
  BATCH_SIZE: String(batches[delivery.singles].size),
  POST_SIZE: String(postSize),
  PARALLEL_POSTS: String(parallelPosts),
  POST_TIMEOUT_SECONDS: String(timing.post),
  GIVE_UP_AFTER_SECONDS: String(giveUpAfterSeconds),
  TIME_ZONE: union.timeZone,
});

/** Delivers cards to the exchange: the queue, its dead letters, and the function that posts. */
export class Delivery extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** Invokes the function with the queue's messages; disabled while delivery is on hold. */
  readonly eventSource: EventSourceMapping;

  constructor(scope: Construct, id: string, { settings, unionBaseAddress, scorecards, key }: DeliveryProps) {
    super(scope, id);
    const { stage, keepData, delivery, timing } = settings;
    const ids = { queue: "DeliveryQueue", deadLetters: "DeadLetterQueue" };
    const visibilitySeconds = timing.redelivery;
    const queues = queueWithDeadLetters(this, ids, { keepData, visibilitySeconds }, key);
    this.deadLetters = queues.deadLetters;
    this.queue = queues.queue;

    const deliver = pipelineFunction(this, "deliver-scorecards", settings, {
      // With less than the event source may use, Lambda would throttle its own batches.
      reservedConcurrentExecutions: delivery.maximumConcurrency,
      description: "Delivers scorecards to the union's exchange",
      timeout: Duration.seconds(timing.deliveryRun),
      // Twice what a batch of the largest cards takes. It mostly waits for the exchange, and more memory would cost more.
      memorySize: 640,
      // A retry is a new message to the function's own queue. Lambda would stop such a chain after about 16 runs, and drop the cards
      // of a long outage into the dead letters.
      recursiveLoop: RecursiveLoop.ALLOW,
      environment: listVariables(settings, unionBaseAddress),
    });
    bind(deliver, "SCORECARD_TABLE", scorecards, cardActions);
    // The event source receives and deletes by the function's role; the function does so itself when it is given a full batch.
    const receiving = ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"];
    bind(deliver, "DELIVERY_QUEUE_URL", this.queue, receiving);
    allow(deliver, ["sqs:SendMessage"], [this.queue.queueArn]);
    grantVendorSecrets(deliver, stage);

    this.eventSource = new EventSourceMapping(this, "DeliveryEventSource", {
      target: invoked(deliver),
      eventSourceArn: this.queue.queueArn,
      batchSize: batches[delivery.singles].size,
      maxBatchingWindow: Duration.seconds(batches[delivery.singles].window),
      reportBatchItemFailures: true,
      maxConcurrency: delivery.maximumConcurrency,
    });
    Validations.of(this.eventSource).acknowledge({
      id: "Serverless-LambdaEventSourceMappingDestination",
      reason:
        "Destinations are for streams. A message that fails returns to the queue, and in the end to the dead letters.",
    });

    this.addOutcomeAlarms(settings);
    this.addWaitingAlarms(settings, deliver);
    this.addExchangeAlarms(settings);
  }

  /** Alarms on cards that are not delivered, and will not be by themselves. */
  private addOutcomeAlarms(settings: StageSettings): void {
    const period = Duration.minutes(5);
    addAlarm(this, "DeadLettersAlarm", settings, {
      section: "dead-letters",
      says: "Messages crashed the function repeatedly, or it cannot read them.",
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      threshold: 1,
    });
    addAlarm(this, "UndeliveredAlarm", settings, {
      section: "cards-were-given-up",
      says: "Cards were given up after two days of attempts.",
      metric: ownMetric(this, "deliver-scorecards", "CardsUndelivered"),
      threshold: 1,
    });
    const hour = { statistic: "Sum", period: Duration.hours(1) };
    addAlarm(this, "RejectedAlarm", settings, {
      section: "cards-are-rejected",
      says: `The exchange has rejected ${minRejections} cards or more in an hour, and at least ${100 * worstRejectedShare} % of all.`,
      metric: new MathExpression({
        expression: `IF(rejected >= ${minRejections}, rejected / (rejected + FILL(delivered, 0)), 0)`,
        usingMetrics: {
          rejected: ownMetric(this, "deliver-scorecards", "CardsRejected", hour),
          delivered: ownMetric(this, "deliver-scorecards", "CardsDelivered", hour),
        },
        period: hour.period,
      }),
      threshold: worstRejectedShare,
    });
  }

  /** Alarms on cards that wait for too long. */
  private addWaitingAlarms(settings: StageSettings, deliver: LambdaFunction): void {
    addAlarm(this, "StoppedAlarm", settings, {
      section: "delivery-has-stopped",
      says: "Cards have waited for a quarter of an hour, and delivery has not run once.",
      // A function that does not run publishes no age, and SQS's own age leaves out a message after its third receive.
      metric: new MathExpression({
        expression: "IF(FILL(runs, 0) > 0, 0, FILL(waiting, 0))",
        usingMetrics: {
          runs: deliver.metricInvocations({ statistic: "Sum" }),
          waiting: this.queue.metricApproximateNumberOfMessagesVisible({ statistic: "Minimum" }),
        },
        period: Duration.minutes(15),
      }),
      threshold: 1,
    });
    // While the exchange is down, up to seven minutes pass between two runs.
    const oldest = { statistic: "Maximum", period: Duration.minutes(10) };
    addAlarm(this, "OldestCardAlarm", settings, {
      section: "the-oldest-card-is-too-old",
      says: "A card has waited for too long: it is retried, or not received from the queue.",
      metric: new MathExpression({
        expression: "IF(FILL(queued, 0) > FILL(retried, 0), queued, FILL(retried, 0))",
        usingMetrics: {
          queued: this.queue.metricApproximateAgeOfOldestMessage(oldest),
          retried: ownMetric(this, "deliver-scorecards", "OldestCardAge", oldest),
        },
        period: oldest.period,
      }),
      threshold: settings.timing.oldestCard,
    });
  }

  private addExchangeAlarms(settings: StageSettings): void {
    addAlarm(this, "ExchangeFailingAlarm", settings, {
      section: "the-exchange-fails",
      says: "At least half of the posts to the exchange have failed for a quarter of an hour.",
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
    addAlarm(this, "UnknownAnswersAlarm", settings, {
      section: "answers-are-not-understood",
      says: "The exchange answers with success, and does not show that it has the cards; they wait.",
      metric: ownMetric(this, "deliver-scorecards", "UnknownAnswers"),
      threshold: 1,
    });
  }
}

/**
 * Counts the cards that are still queued when the day ends, since a round counts on the day it is played.
 *
 * A CloudWatch alarm cannot be limited to a time of day, so a scheduled function publishes a metric at that time.
 */
export function measureUnsentCards(scope: Construct, settings: StageSettings, queue: Queue): void {
  const measure = pipelineFunction(scope, "measure-unsent", settings, {
    description: "Counts the cards that are still unsent when the day ends",
    timeout: Duration.seconds(10),
    memorySize: 256,
    environment: {},
  });
  bind(measure, "DELIVERY_QUEUE_URL", queue, ["GetQueueAttributes"]);

  const { hour, minute } = settings.alarms.unsentAt;
  new Schedule(scope, "EndOfDay", {
    description: "When the day's cards should be delivered",
    schedule: daily(settings.alarms.unsentAt, settings),
    // Retried, because it runs once a day, and counting twice does no harm.
    target: scheduled(scope, "SchedulerRole", measure, 2)({}),
  });
  const metric = ownMetric(scope, "measure-unsent", "MessagesUnsent", { statistic: "Maximum" });
  addAlarm(scope, "UnsentAlarm", settings, {
    section: "cards-are-unsent-at-the-end-of-the-day",
    says: `Cards are still unsent at ${hour}:${String(minute).padStart(2, "0")} the union's time.`,
    metric,
    threshold: 1,
  });
  // A schedule that does not run any more is silent otherwise. One day may lack a value when the clocks change.
  addAlarm(scope, "UncountedAlarm", settings, {
    section: "a-schedule-does-not-run",
    says: "Nobody has counted the unsent cards at the end of the last two days.",
    metric: metric.with({ statistic: Stats.SAMPLE_COUNT, period: Duration.days(1) }),
    threshold: 1,
    ringsBelow: true,
    ringsWithoutData: true,
    rings: { bad: 2, ofPeriods: 2 },
  });
}

/** Options of {@link wakeWaitingCards}. */
export interface WakingProps {
  readonly settings: StageSettings;
  readonly delivery: Delivery;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly accounts: Table;
  readonly webhooks: Webhooks;
}

/** A lost wake-up is found within 50 minutes, or 10 minutes after the probe that it waited for: see `wakeWaitingCards`. */
const wakingRate = Duration.minutes(5);

/**
 * Wakes up cards whose wake-ups were lost, for example because the queue was purged or replaced; measures how the service objective
 * is met, and which vendors are silent; and tells vendors before midnight how many of their cards wait.
 */
export function wakeWaitingCards(
  scope: Construct,
  { settings, delivery, scorecards, activity, accounts, webhooks }: WakingProps,
): void {
  const { queue, eventSource } = delivery;
  const wake = pipelineFunction(scope, "wake-waiting-cards", settings, {
    description: "Wakes up waiting cards whose messages were lost, and measures the service",
    timeout: Duration.minutes(5),
    memorySize: 512,
    environment: {
      STACK_NAME: stackName(settings.stage),
      ACTIVITY_RETENTION_DAYS: String(settings.cardRetentionDays),
      DELIVERY_EVENT_SOURCE_ID: eventSource.eventSourceMappingId,
      POST_TIMEOUT_SECONDS: String(settings.timing.post),
      TIME_ZONE: settings.union.timeZone,
    },
  });
  bind(wake, "ACCOUNT_TABLE", accounts, ["Scan"]);
  bind(wake, "ACTIVITY_TABLE", activity, ["Query", "PutItem"]);
  bind(wake, "SCORECARD_TABLE", scorecards, ["BatchGetItem", "PartiQLUpdate"], "byState");
  bind(wake, "DELIVERY_QUEUE_URL", queue, ["SendMessage", "GetQueueAttributes"]);
  allow(wake, ["lambda:GetEventSourceMapping"], [eventSource.eventSourceMappingArn]);
  // A metric has no ARN.
  allow(wake, ["cloudwatch:GetMetricData"], ["*"]);

  webhooks.bindTell(wake);

  // Retried for the sake of the notice, which is sent once a day and told apart by its ID; waking a card twice does no harm.
  const target = scheduled(scope, "SchedulerRole", wake, 2);
  new Schedule(scope, "LostWakeUps", {
    description: "When cards are looked for that nothing will deliver",
    schedule: ScheduleExpression.rate(wakingRate),
    target: target({}),
  });
  new Schedule(scope, "UnsentNotice", {
    description: "When vendors are told how many of their cards wait at the end of the day",
    schedule: daily(settings.alarms.unsentAt, settings),
    target: target({ tells: "unsent" }),
  });
  addAlarm(scope, "WakeUpsLostAlarm", settings, {
    section: "wake-ups-were-lost",
    says: "Cards waited, and the queue is empty or has only younger messages (`cause` in the log says which): theirs were lost. The cards were woken up.",
    metric: ownMetric(scope, "wake-waiting-cards", "WakeUpsLost"),
    threshold: 1,
  });
  addObjectiveAlarms(scope, settings);
}
