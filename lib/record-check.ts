import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import type { CourseMirror } from "./course-mirror.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, bind, pipelineFunction, scheduled } from "./pipeline-function.ts";
import type { Stage, StageSettings } from "./stage-settings.ts";
import { cardActions, generated, issuedByUnion, removalPolicy, unrotatedSecret } from "./stored-data.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-accounts.ts";

/** Options of {@link RecordCheck}. */
export interface RecordCheckProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly mirror: CourseMirror;
  /** The union's interface for players' records. */
  readonly records: NonNullable<StageSettings["union"]["records"]>;
  readonly key: Key;
}

/** Name of the secret with the account that reads players' records; the operator puts the credentials in. */
const recordsSecretName = (stage: Stage) => `scorecards/${stage}/records`;

/** Fewest results from which the share of missing cards is calculated: of fewer it would be accidental. */
const minResults = 50;
/** The same for cards of vendors of whom hardly any is found: fewer may be a few players of a small club. */
const minUncheckable = 10;
/** Alarms ring from this share of cards that are not in their players' records, and from this delay of the check. */
const worstShare = 0.05;
const maxDelay = Duration.hours(12);

/** Looks for delivered cards in their players' records at the union: the function, its schedule and its alarms. */
export class RecordCheck extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { settings, unionBaseAddress, scorecards, activity, mirror, records, key }: RecordCheckProps,
  ) {
    super(scope, id);
    const { stage, recordCheck, timing } = settings;
    const why = "It opens nothing, and every rotation would forget which rounds were found.";
    const hashSecret = unrotatedSecret(this, "RecordHashSecret", why, {
      description:
        "Secret of the hash under which rounds that were found are remembered; another one forgets them all",
      encryptionKey: key,
      removalPolicy: removalPolicy(settings.keepData),
      ...generated,
    });
    const check = pipelineFunction(this, "check-records", settings, {
      description: "Looks for delivered scorecards in the players' records",
      timeout: Duration.seconds(Math.min(900, timing.recordCheckEvery)),
      // Enough for the clubs of a large union and the records of all players of a run.
      memorySize: 1024,
      // Two runs at the same time would ask for every player twice, and load the union twice as much.
      reservedConcurrentExecutions: 1,
      environment: {
        UNION_BASE_ADDRESS: unionBaseAddress,
        RECORDS_API_SET: records.apiSet,
        ...(records.account === "own" && { RECORDS_SECRET: recordsSecretName(stage) }),
        VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
        RECORD_CHECK_FIRST_SECONDS: String(timing.recordCheckFirst),
        RECORD_CHECK_LAST_SECONDS: String(timing.recordCheckLast),
        RECORD_CHECK_PARALLEL_REQUESTS: String(recordCheck.parallelRequests),
      },
    });
    bind(check, "SCORECARD_TABLE", scorecards, cardActions);
    bind(check, "ACTIVITY_TABLE", activity, ["Query", "BatchGetItem", "BatchWriteItem"]);
    bind(check, "RECORD_HASH_SECRET", hashSecret, ["GetSecretValue"]);
    bind(check, "CLUB_TABLE", mirror.clubs, ["Scan"]);
    grantVendorSecrets(check, stage);
    if (records.account === "own") this.addAccount(settings, key, check);

    new Schedule(this, "RecordChecks", {
      description: "Delivered cards that are due to be looked for in the players' records",
      schedule: ScheduleExpression.rate(Duration.seconds(timing.recordCheckEvery)),
      // No retries: the next run goes on from there.
      target: scheduled(this, "SchedulerRole", check, 0)({}),
    });

    this.addAlarms(settings);
  }

  private addAlarms(settings: StageSettings): void {
    const period = Duration.hours(6);
    const sum = { statistic: "Sum", period };
    addAlarm(this, "NotRecordedAlarm", settings, {
      section: "cards-are-not-in-the-players-records",
      says: `At least ${100 * worstShare} % of the delivered cards are not in their players' records.`,
      metric: new MathExpression({
        expression: `IF(found + missing >= ${minResults}, missing / (found + missing), 0)`,
        usingMetrics: {
          found: ownMetric(this, "check-records", "RecordsFound", sum),
          missing: ownMetric(this, "check-records", "RecordsMissing", sum),
        },
        period,
      }),
      threshold: worstShare,
    });
    addAlarm(this, "RecordsUncheckableAlarm", settings, {
      section: "records-cannot-be-checked",
      says: `Of some vendors hardly any delivered card is found: ${minUncheckable} cards or more in six hours, and at least ${100 * worstShare} % of all.`,
      metric: new MathExpression({
        expression: `IF(uncheckable >= ${minUncheckable}, uncheckable / (uncheckable + FILL(found, 0)), 0)`,
        usingMetrics: {
          uncheckable: ownMetric(this, "check-records", "RecordsUncheckable", sum),
          found: ownMetric(this, "check-records", "RecordsFound", sum),
        },
        period,
      }),
      threshold: worstShare,
    });
    addAlarm(this, "RecordChecksLateAlarm", settings, {
      section: "checks-are-late",
      says: `Cards have been due for ${maxDelay.toHours()} hours to be looked for in the players' records.`,
      metric: ownMetric(this, "check-records", "RecordCheckDelay", { statistic: "Minimum", period }),
      threshold: maxDelay.toSeconds(),
      // A check that does not run publishes nothing.
      ringsWithoutData: true,
    });
  }

  private addAccount({ stage }: StageSettings, key: Key, check: LambdaFunction): void {
    const secret = unrotatedSecret(this, "RecordsSecret", issuedByUnion, {
      secretName: recordsSecretName(stage),
      encryptionKey: key,
      // Kept, it would be in the way of its own name once the setting is on again.
      removalPolicy: RemovalPolicy.DESTROY,
      description: "Account at the union with which players' records are read: username, password, token",
    });
    allow(check, ["secretsmanager:GetSecretValue"], [secret.secretArn]);
  }
}
