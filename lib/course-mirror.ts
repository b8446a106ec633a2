import { Duration, TimeZone, Validations } from "aws-cdk-lib";
import { AttributeType, ProjectionType, type Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { addAlarm, ownMetric } from "./alarm.ts";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import { pipelineTable } from "./pipeline-table.ts";
import { removalPolicy } from "./removal-policy.ts";
import { scheduled } from "./scheduled-function.ts";
import type { StageSettings } from "./settings.ts";

/** What the mirror is given. */
export interface CourseMirrorProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly key: Key;
}

/** The mirror of the union's clubs and courses: its tables, the function that fills them, and when. */
export class CourseMirror extends Construct {
  /** Course versions by ID, with indexes by course and by club. */
  readonly courses: Table;
  readonly clubs: Table;
  /** The pipeline's own account at the union; the operator puts the credentials in. */
  readonly secret: Secret;
  readonly mirrorCourses: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, unionBaseAddress, key }: CourseMirrorProps) {
    super(scope, id);
    const { stage, keepData, mirror } = settings;

    this.courses = pipelineTable(this, "CourseTable", { keepData, partitionKey: "id" });
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
    this.clubs = pipelineTable(this, "ClubTable", { keepData, partitionKey: "id" });

    this.secret = new Secret(this, "MirrorSecret", {
      secretName: `scorecards/${stage}/mirror`,
      encryptionKey: key,
      removalPolicy: removalPolicy(keepData),
      description:
        "Account at the union with which clubs and courses are mirrored: username, password, apiSet, token",
    });

    Validations.of(this.secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: "The union issues this password and knows no call to change it.",
    });

    this.mirrorCourses = pipelineFunction(this, "mirror-courses", settings, {
      description: "Mirrors the union's clubs and courses",
      timeout: Duration.seconds(mirror.timeoutSeconds),
      memorySize: 1024,
      // Two passes at the same time would ask the union twice.
      reservedConcurrentExecutions: 1,
      environment: {
        COURSE_TABLE: this.courses.tableName,
        CLUB_TABLE: this.clubs.tableName,
        UNION_BASE_ADDRESS: unionBaseAddress,
        MIRROR_SECRET: this.secret.secretName,
        MIRROR_PARALLEL_REQUESTS: String(mirror.parallelRequests),
        MIRROR_OVERLAP_SECONDS: String(mirror.overlapSeconds),
      },
    });
    const writing = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:BatchWriteItem"];
    allow(this.mirrorCourses, writing, [this.courses.tableArn]);
    allow(this.mirrorCourses, ["dynamodb:Query"], [`${this.courses.tableArn}/index/byClub`]);
    allow(this.mirrorCourses, ["dynamodb:Scan", "dynamodb:BatchWriteItem"], [this.clubs.tableArn]);
    allow(this.mirrorCourses, ["secretsmanager:GetSecretValue"], [this.secret.secretArn]);

    // What a pass leaves undone the next one does; a union that is down is not to be asked three times as often.
    const target = scheduled(this, "SchedulerRole", this.mirrorCourses, 0);
    new Schedule(this, "MirrorChanges", {
      description: "What changed at the union since the last pass",
      schedule: ScheduleExpression.rate(Duration.minutes(mirror.everyMinutes)),
      target: target({ pass: "changes" }),
    });
    new Schedule(this, "MirrorAll", {
      description: "Everything, once a night, to see what the union no longer shows",
      schedule: ScheduleExpression.cron({
        hour: String(mirror.fullPassAt.hour),
        minute: String(mirror.fullPassAt.minute),
        timeZone: TimeZone.of(settings.timeZone),
      }),
      target: target({ pass: "full" }),
    });

    addAlarm(this, "MirrorStaleAlarm", settings, {
      section: "the-mirror-is-stale",
      says: "Clubs and courses have not been mirrored for too long: new courses are unknown here.",
      metric: ownMetric(this, "mirror-courses", "MirrorAge", {
        statistic: "Maximum",
        period: Duration.minutes(Math.max(60, 3 * mirror.everyMinutes)),
      }),
      threshold: settings.alarms.mirrorAgeSeconds,
      // A mirror that does not run at all says nothing.
      ringsWithoutFigures: true,
    });
  }

  /** Lets a function look courses up, and ask the union once for one that is not mirrored. */
  grantLookup(to: LambdaFunction): void {
    allow(to, ["dynamodb:GetItem"], [this.courses.tableArn, this.clubs.tableArn]);
    allow(to, ["dynamodb:Query"], [`${this.courses.tableArn}/index/byCourse`]);
    allow(to, ["secretsmanager:GetSecretValue"], [this.secret.secretArn]);
  }

  /** Lets a function read all that is mirrored. */
  grantRead(to: LambdaFunction): void {
    allow(to, ["dynamodb:GetItem"], [this.courses.tableArn, this.clubs.tableArn]);
    allow(
      to,
      ["dynamodb:Query"],
      [`${this.courses.tableArn}/index/byCourse`, `${this.courses.tableArn}/index/byClub`],
    );
    allow(to, ["dynamodb:Scan"], [this.clubs.tableArn]);
  }
}
