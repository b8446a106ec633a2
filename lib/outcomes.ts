import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { FilterCriteria, FilterRule, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import type { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { statesThat } from "../core/cards/life/states.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, bind, pipelineFunction, scheduled } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";
import { followTable } from "./stored-data.ts";
import type { Webhooks } from "./webhooks.ts";

/** Options of {@link Outcomes}. */
export interface OutcomesProps {
  readonly settings: StageSettings;
  /** Receives the stream positions of changes that could not be followed in a day. */
  readonly topic: Topic;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly webhooks: Webhooks;
}

/**
 * Counts and lists what happens to cards, and tells vendors of it.
 *
 * The function reads the table's stream, so that neither submission nor delivery waits for it. The stream keeps each change for
 * a day, and Lambda retries until the function has taken it.
 */
export class Outcomes extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { settings, topic, scorecards, activity, webhooks }: OutcomesProps,
  ) {
    super(scope, id);
    const follow = pipelineFunction(this, "follow-outcomes", settings, {
      description: "Counts, lists and tells what happens to scorecards",
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: {
        ACTIVITY_RETENTION_DAYS: String(settings.cardRetentionDays),
        TIME_ZONE: settings.union.timeZone,
      },
    });
    const activityActions = ["UpdateItem", "GetItem", "BatchWriteItem", "Query", "PutItem", "DeleteItem"];
    bind(follow, "ACTIVITY_TABLE", activity, activityActions);
    webhooks.bindTell(follow);
    if (settings.recordCheck.share > 0) {
      const { recordCheckFirst, recordCheckLast } = settings.timing;
      follow.addEnvironment("RECORD_CHECK_SHARE", String(settings.recordCheck.share));
      follow.addEnvironment("RECORD_CHECK_FIRST_SECONDS", String(recordCheckFirst));
      follow.addEnvironment("RECORD_CHECK_LAST_SECONDS", String(recordCheckLast));
    }
    allow(follow, ["sns:Publish"], [topic.topicArn]);

    followTable(this, "OutcomeSource", follow, scorecards, {
      // Changes are followed in their order, so one vendor's ten thousand cards delay the webhooks of others: a run of a thousand
      // changes takes hardly three times as long as one of two hundred.
      batchSize: 1_000,
      // Only with a tumbling window do events have their shard's ID, which is needed to count each change once, and a state, in
      // which the changes of a vendor wait whose items are throttled. Its end costs a run and a read, so it is the longest that
      // Lambda allows.
      tumblingWindow: Duration.minutes(15),
      // Lambda filters out all other changes without charge: attempts that failed, remembered players. What is let through must
      // be all that a count depends on.
      filters: followedChanges(),
      // What fails waits in the state, and no record is handed back.
      reportBatchItemFailures: false,
      // Shortly before the stream drops a change, its position is sent to the operator.
      maxRecordAge: Duration.hours(23),
      // The CDK's own destination would grant the function more than sns:Publish.
      onFailure: { bind: () => ({ destination: topic.topicArn }) },
    });
    new Schedule(this, "LateWork", {
      description: "Work that shards of the stream left which have no further changes",
      schedule: ScheduleExpression.rate(Duration.minutes(15)),
      // No retries: the next run goes on from there.
      target: scheduled(this, "SchedulerRole", follow, 0)({ resume: true }),
    });

    addAlarms(this, settings, follow);
  }
}

/** The changes of cards and breakers that are followed. */
function followedChanges() {
  const changed = (dynamodb: object) =>
    FilterCriteria.filter({ eventName: FilterRule.or("INSERT", "MODIFY"), dynamodb });
  const open = { S: FilterRule.exists() };
  const inOutage = { state: { S: FilterRule.or(...statesThat("followed", "suspicion")) } };
  const known = { N: FilterRule.exists() };
  const unknown = { N: FilterRule.notExists() };
  return [
    changed({ NewImage: { state: { S: FilterRule.or(...statesThat("followed", "all")) } } }),
    // A card becomes suspected, or a withdrawal that came too late leaves it so.
    changed({ NewImage: { ...inOutage, suspicion: known }, OldImage: { suspicion: unknown } }),
    changed({
      NewImage: { ...inOutage, suspicion: known },
      OldImage: { state: { S: FilterRule.or(...statesThat("followed", "all")) } },
    }),
    // It is retried, and no longer suspected.
    changed({ NewImage: { ...inOutage, suspicion: unknown }, OldImage: { suspicion: known } }),
    // Circuit breakers that open, are tried, or close.
    changed({ NewImage: { open } }),
    changed({ OldImage: { open } }),
  ];
}

/** Alarms on outcomes that are read late, wait, or are not read at all. */
function addAlarms(scope: Construct, settings: StageSettings, follow: LambdaFunction): void {
  // While a shard has no changes, only the schedule's runs, every quarter of an hour, publish how long those of a vendor have waited.
  const longest = { period: Duration.minutes(20), statistic: "Maximum" };
  addAlarm(scope, "OutcomesLateAlarm", settings, {
    section: "outcome-events-are-late",
    says: "Outcomes have waited for more than half an hour to be counted, listed or told.",
    metric: new MathExpression({
      expression: "IF(FILL(unread, 0) / 1000 > FILL(waiting, 0), unread / 1000, FILL(waiting, 0))",
      usingMetrics: {
        unread: follow.metric("IteratorAge", longest),
        waiting: ownMetric(scope, "follow-outcomes", "OutcomesLateAge", longest),
      },
      period: longest.period,
    }),
    threshold: Duration.minutes(30).toSeconds(),
  });
  const recorded = (name: "CardsDelivered" | "CardsRejected" | "CardsUndelivered") =>
    ownMetric(scope, "deliver-scorecards", name);
  addAlarm(scope, "OutcomesUnreadAlarm", settings, {
    section: "outcome-events-are-late",
    says: "Outcomes are recorded, and follow-outcomes does not run: its trigger is disabled or gone.",
    // A function that does not run publishes no age of the changes that it should read.
    metric: new MathExpression({
      expression: "IF(FILL(runs, 0) > 0, 0, FILL(delivered, 0) + FILL(rejected, 0) + FILL(undelivered, 0))",
      usingMetrics: {
        runs: follow.metricInvocations({ statistic: "Sum" }),
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
