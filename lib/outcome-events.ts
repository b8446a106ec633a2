import { Duration } from "aws-cdk-lib";
import { type CfnTable, StreamViewType, type Table } from "aws-cdk-lib/aws-dynamodb";
import { EventBus } from "aws-cdk-lib/aws-events";
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import type { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { addAlarm } from "./alarm.ts";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What publishing outcomes is given. */
export interface OutcomeEventsProps {
  readonly settings: StageSettings;
  /** Told of what could not be published in a day. */
  readonly topic: Topic;
  readonly scorecards: Table;
}

/**
 * Puts each outcome on a bus, for rules of the operator's own.
 *
 * It follows the table's stream, so that delivery neither waits for it nor knows of it: what is recorded is in the
 * stream for a day, and is read again until it has been published.
 */
export class OutcomeEvents extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, { settings, topic, scorecards }: OutcomeEventsProps) {
    super(scope, id);
    this.bus = new EventBus(this, "Bus", { eventBusName: `scorecards-${settings.stage}` });
    const table = scorecards.node.defaultChild as CfnTable;
    table.streamSpecification = { streamViewType: StreamViewType.NEW_AND_OLD_IMAGES };

    const publish = pipelineFunction(this, "publish-outcomes", settings, {
      description: "Publishes what became of scorecards",
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: { EVENT_BUS: this.bus.eventBusName },
    });
    allow(publish, ["events:PutEvents"], [this.bus.eventBusArn]);
    allow(publish, ["sns:Publish"], [topic.topicArn]);
    // Lambda refuses to make an event source of the stream where one of these is missing.
    const reading = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
    allow(
      publish,
      reading.map((action) => `dynamodb:${action}`),
      [table.attrStreamArn],
    );

    const written = (NewImage: object) =>
      FilterCriteria.filter({ eventName: FilterRule.or("INSERT", "MODIFY"), dynamodb: { NewImage } });
    const outcome = FilterRule.or("delivered", "rejected", "undelivered");
    const source = new EventSourceMapping(this, "OutcomeSource", {
      target: publish,
      eventSourceArn: table.attrStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      maxBatchingWindow: Duration.seconds(1),
      // What is no outcome is not handed over, and costs nothing.
      filters: [written({ state: { S: outcome } })],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Until the stream forgets it; then the operator is told its place in the stream.
      maxRecordAge: Duration.hours(23),
      // The library's own destination would allow the function more than to send.
      onFailure: { bind: () => ({ destination: topic.topicArn }) },
    });
    source.node.addDependency(publish.role ?? publish);

    addAlarm(this, "OutcomesLateAlarm", settings, {
      section: "outcome-events-are-late",
      says: "Outcomes of more than half an hour ago have not been published yet.",
      metric: publish.metric("IteratorAge", { period: Duration.minutes(5), statistic: "Maximum" }),
      threshold: Duration.minutes(30).toMilliseconds(),
    });
  }
}
