import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import type { CourseMirror } from "./course-mirror.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, pipelineFunction, scheduled } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";
import { cardActions } from "./stored-data.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-accounts.ts";

/** Options of {@link RecordCheck}. */
export interface RecordCheckProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly mirror: CourseMirror;
}

/** Fewest results from which the share of missing cards is calculated: of fewer it would be accidental. */
const fewestResults = 50;
/** Alarms ring from this share of cards that are not in their players' records, and from this delay of the check. */
const worstShare = 0.05;
const longestDelay = Duration.hours(12);

/** Looks for delivered cards in their players' records at the union: the function, its schedule and its alarms. */
export class RecordCheck extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { settings, unionBaseAddress, scorecards, activity, mirror }: RecordCheckProps,
  ) {
    super(scope, id);
    const { stage, recordCheck } = settings;
    const check = pipelineFunction(this, "check-records", settings, {
      description: "Looks for delivered scorecards in the players' records",
      timeout: Duration.seconds(recordCheck.timeoutSeconds),
      // Enough for the clubs of a large union and the records of all players of a run.
      memorySize: 1024,
      // Two runs at the same time would ask for every player twice, and load the union twice as much.
      reservedConcurrentExecutions: 1,
      untracedBecause: "It asks for players, and a trace would have the addresses.",
      environment: {
        SCORECARD_TABLE: scorecards.tableName,
        ACTIVITY_TABLE: activity.tableName,
        CLUB_TABLE: mirror.clubs.tableName,
        UNION_BASE_ADDRESS: unionBaseAddress,
        RECORDS_API_SET: settings.recordsApiSet,
        VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
        RECORD_CHECK_FIRST_SECONDS: String(recordCheck.firstAfterSeconds),
        RECORD_CHECK_LAST_SECONDS: String(recordCheck.lastAfterSeconds),
        RECORD_CHECK_PARALLEL_REQUESTS: String(recordCheck.parallelRequests),
      },
    });
    allow(check, cardActions, [scorecards.tableArn]);
    allow(check, ["dynamodb:Query", "dynamodb:BatchWriteItem"], [activity.tableArn]);
    allow(check, ["dynamodb:Scan"], [mirror.clubs.tableArn]);
    grantVendorSecrets(check, stage);

    new Schedule(this, "RecordChecks", {
      description: "Delivered cards that are due to be looked for in the players' records",
      schedule: ScheduleExpression.rate(Duration.minutes(recordCheck.everyMinutes)),
      // No retries: the next run goes on from there.
      target: scheduled(this, "SchedulerRole", check, 0)({}),
    });

    const period = Duration.hours(6);
    const sum = { statistic: "Sum", period };
    addAlarm(this, "NotRecordedAlarm", settings, {
      section: "cards-are-not-in-the-players-records",
      says: `At least ${100 * worstShare} % of the delivered cards are not in their players' records.`,
      metric: new MathExpression({
        expression: `IF(found + missing >= ${fewestResults}, missing / (found + missing), 0)`,
        usingMetrics: {
          found: ownMetric(this, "check-records", "RecordsFound", sum),
          missing: ownMetric(this, "check-records", "RecordsMissing", sum),
        },
        period,
      }),
      threshold: worstShare,
    });
    addAlarm(this, "RecordChecksLateAlarm", settings, {
      section: "record-checks-are-late",
      says: `Cards have been due for ${longestDelay.toHours()} hours to be looked for in the players' records.`,
      metric: ownMetric(this, "check-records", "RecordCheckDelay", { statistic: "Minimum", period }),
      threshold: longestDelay.toSeconds(),
      // A check that does not run publishes nothing.
      ringsWithoutData: true,
    });
  }
}
