import { Duration } from "aws-cdk-lib";
import { AttributeType, ProjectionType, type Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { MetricName } from "../functions/runtime/metrics.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, bind, pipelineFunction, scheduled } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";
import { issuedByUnion, pipelineTable, removalPolicy, unrotatedSecret } from "./stored-data.ts";

/** Options of {@link CourseMirror}. */
export interface CourseMirrorProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly key: Key;
}

/** How far before a club's last successful sync `changedsince` begins, because clocks may differ. */
const overlapSeconds = 600;
/** From when on the first sync of a night is a full one, in the union's time zone. */
const fullSyncAt = { hour: 3, minute: 30 };

/** The mirror of the union's clubs and courses: its tables, the function that syncs them, and its schedule. */
export class CourseMirror extends Construct {
  /** Course versions by ID, with indexes by course and by club. */
  readonly courses: Table;
  readonly clubs: Table;
  /** Name of the secret with the pipeline's own account at the union; the operator puts the credentials in. */
  readonly secretName: string;
  private readonly secret: Secret;

  constructor(scope: Construct, id: string, { settings, unionBaseAddress, key }: CourseMirrorProps) {
    super(scope, id);
    const { stage, keepData, tableGeneration } = settings;

    this.courses = pipelineTable(this, "CourseTable", {
      keepData,
      generation: tableGeneration.courses,
      partitionKey: "id",
    });
    this.courses.addGlobalSecondaryIndex({
      indexName: "byCourse",
      partitionKey: { name: "templateId", type: AttributeType.STRING },
      sortKey: { name: "version", type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
    this.courses.addGlobalSecondaryIndex({
      indexName: "byClub",
      partitionKey: { name: "clubId", type: AttributeType.STRING },
      sortKey: { name: "id", type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.clubs = pipelineTable(this, "ClubTable", {
      keepData,
      generation: tableGeneration.clubs,
      partitionKey: "id",
    });

    this.secretName = `scorecards/${stage}/mirror`;
    this.secret = unrotatedSecret(this, "MirrorSecret", issuedByUnion, {
      secretName: this.secretName,
      encryptionKey: key,
      removalPolicy: removalPolicy(keepData),
      description:
        "Account at the union with which clubs and courses are mirrored: username, password, apiSet, token",
    });

    this.addSync(settings, unionBaseAddress);
    this.addAlarms(settings);
  }

  /** The function that syncs, and its schedule. */
  private addSync(settings: StageSettings, unionBaseAddress: string): void {
    const { mirror, timing } = settings;
    const mirrorCourses = pipelineFunction(this, "mirror-courses", settings, {
      description: "Mirrors the union's clubs and courses",
      timeout: Duration.seconds(Math.min(600, timing.mirrorEvery)),
      memorySize: 1024,
      // Two syncs at the same time would send every request to the union twice; the mirror would be right all the same. The schedule leaves
      // time between two.
      reservedConcurrentExecutions: 1,
      environment: {
        UNION_BASE_ADDRESS: unionBaseAddress,
        MIRROR_SECRET: this.secretName,
        MIRROR_PARALLEL_REQUESTS: String(mirror.parallelRequests),
        MIRROR_OVERLAP_SECONDS: String(overlapSeconds),
        FULL_SYNC_HOUR: String(fullSyncAt.hour),
        FULL_SYNC_MINUTE: String(fullSyncAt.minute),
        TIME_ZONE: settings.union.timeZone,
      },
    });
    const courseActions = ["GetItem", "BatchGetItem", "BatchWriteItem", "PartiQLInsert", "PartiQLUpdate"];
    bind(mirrorCourses, "COURSE_TABLE", this.courses, courseActions, "byClub");
    bind(mirrorCourses, "CLUB_TABLE", this.clubs, ["Scan", "BatchWriteItem"]);
    allow(mirrorCourses, ["secretsmanager:GetSecretValue"], [this.secret.secretArn]);

    // No retries: the next sync goes on from there, and a union that is down should not get three times the requests.
    const target = scheduled(this, "SchedulerRole", mirrorCourses, 0);
    new Schedule(this, "MirrorChanges", {
      description: "What changed at the union since the last sync; everything once a night",
      schedule: ScheduleExpression.rate(Duration.seconds(timing.mirrorEvery)),
      target: target({ pass: "changes" }),
    });
  }

  private addAlarms(settings: StageSettings): void {
    // Two runs end at most half an hour and a run's time apart.
    const period = Duration.seconds(3 * settings.timing.mirrorEvery);
    const worst = (name: MetricName) =>
      ownMetric(this, "mirror-courses", name, { statistic: "Maximum", period });
    addAlarm(this, "MirrorStaleAlarm", settings, {
      section: "the-mirror-is-stale",
      says: "Clubs and courses have not been synced for too long: new courses are unknown here.",
      // The lowest, so that the first good sync clears the alarm, although there were bad ones before it.
      metric: worst("MirrorAge").with({ statistic: "Minimum" }),
      threshold: settings.timing.mirrorAge,
      // A mirror that does not run publishes nothing.
      ringsWithoutData: true,
    });
    addAlarm(this, "MirrorSkipsAlarm", settings, {
      section: "entries-of-the-union-are-not-mirrored",
      says: "The union lists clubs or courses that cannot be read: what is mirrored of them is old or missing.",
      metric: worst("MirrorEntriesSkipped"),
      threshold: 1,
    });
    addAlarm(this, "MirrorUnlistedAlarm", settings, {
      section: "clubs-are-missing-from-the-unions-list",
      says: "The union's list lacks clubs that are mirrored. They are kept until an operator says that they are gone.",
      metric: worst("MirrorClubsUnlisted"),
      threshold: 1,
    });
  }

  /** Names the two tables in a function's environment, and lets it read single items of them. */
  private addTables(to: LambdaFunction): void {
    to.addEnvironment("COURSE_TABLE", this.courses.tableName);
    to.addEnvironment("CLUB_TABLE", this.clubs.tableName);
    allow(to, ["dynamodb:GetItem"], [this.courses.tableArn, this.clubs.tableArn]);
  }

  /** Lets a function list the versions of a course, and those of a club. */
  private allowLists(to: LambdaFunction): void {
    allow(to, ["dynamodb:BatchGetItem"], [this.courses.tableArn]);
    const indexes = ["byCourse", "byClub"].map((index) => `${this.courses.tableArn}/index/${index}`);
    allow(to, ["dynamodb:Query"], indexes);
  }

  /** Lets a function look courses up, and fetch one that is not mirrored from the union. */
  bindLookup(to: LambdaFunction): void {
    this.addTables(to);
    to.addEnvironment("MIRROR_SECRET", this.secretName);
    this.allowLists(to);
    allow(to, ["secretsmanager:GetSecretValue"], [this.secret.secretArn]);
  }

  /** Lets a function read the whole mirror. */
  bindRead(to: LambdaFunction): void {
    this.addTables(to);
    this.allowLists(to);
    allow(to, ["dynamodb:Scan"], [this.clubs.tableArn]);
  }
}
