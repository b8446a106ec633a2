import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import { type CfnTable, StreamViewType, type Table } from "aws-cdk-lib/aws-dynamodb";
import { EventBus } from "aws-cdk-lib/aws-events";
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import type { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What publishing outcomes needs. */
export interface OutcomeEventsProps {
  readonly settings: StageSettings;
  /** Receives the stream positions of outcomes that could not be published in a day. */
  readonly topic: Topic;
  readonly scorecards: Table;
}

/**
 * Publishes each outcome on an event bus, for rules of the operator's own.
 *
 * The function reads the table's stream, so that delivery does not wait for it. The stream keeps each change for a day,
 * and Lambda retries until the change is published.
 */
export class OutcomeEvents extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, { settings, topic, scorecards }: OutcomeEventsProps) {
    super(scope, id);
    this.bus = new EventBus(this, "Bus", { eventBusName: `scorecards-${settings.stage}` });
    const table = scorecards.node.defaultChild as CfnTable;
    table.streamSpecification = { streamViewType: StreamViewType.NEW_AND_OLD_IMAGES };

    const publish = pipelineFunction(this, "publish-outcomes", settings, {
      description: "Publishes the outcomes of scorecards",
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: { EVENT_BUS: this.bus.eventBusName },
    });
    allow(publish, ["events:PutEvents"], [this.bus.eventBusArn]);
    allow(publish, ["sns:Publish"], [topic.topicArn]);
    // Lambda refuses to create the event source if one of these is missing.
    const readActions = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
    allow(
      publish,
      readActions.map((action) => `dynamodb:${action}`),
      [table.attrStreamArn],
    );

    const changedTo = (NewImage: object) =>
      FilterCriteria.filter({ eventName: FilterRule.or("INSERT", "MODIFY"), dynamodb: { NewImage } });
    const outcome = FilterRule.or("delivered", "rejected", "undelivered");
    const source = new EventSourceMapping(this, "OutcomeSource", {
      target: publish,
      eventSourceArn: table.attrStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      maxBatchingWindow: Duration.seconds(1),
      // Lambda filters out all other changes without charge.
      filters: [changedTo({ state: { S: outcome } })],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Shortly before the stream drops a change, its position is sent to the operator.
      maxRecordAge: Duration.hours(23),
      // The CDK's own destination would grant the function more than sns:Publish.
      onFailure: { bind: () => ({ destination: topic.topicArn }) },
    });
    source.node.addDependency(publish.role ?? publish);

    addAlarm(this, "OutcomesLateAlarm", settings, {
      section: "outcome-events-are-late",
      says: "Outcomes have waited for more than half an hour to be published.",
      metric: publish.metric("IteratorAge", { period: Duration.minutes(5), statistic: "Maximum" }),
      threshold: Duration.minutes(30).toMilliseconds(),
    });
    const recorded = (name: "CardsDelivered" | "CardsRejected" | "CardsUndelivered") =>
      ownMetric(this, "deliver-scorecards", name);
    addAlarm(this, "OutcomesUnreadAlarm", settings, {
      section: "outcome-events-are-late",
      says: "Outcomes are recorded, and publish-outcomes does not run: its trigger is disabled or gone.",
      // A function that does not run tells no age of what it should read.
      metric: new MathExpression({
        expression: "IF(FILL(runs, 0) > 0, 0, FILL(delivered, 0) + FILL(rejected, 0) + FILL(undelivered, 0))",
        usingMetrics: {
          runs: publish.metricInvocations({ statistic: "Sum" }),
          delivered: recorded("CardsDelivered"),
          rejected: recorded("CardsRejected"),
          undelivered: recorded("CardsUndelivered"),
        },
        period: Duration.minutes(15),
      }),
      threshold: 1,
      // A single outcome may be read in the minute after the period that it was recorded in.
      rings: { bad: 2, ofPeriods: 4 },
    });
  }
}
