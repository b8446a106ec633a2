import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { CourseMirror } from "./course-mirror.ts";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import { cardActions } from "./scorecard-store.ts";
import type { StageSettings } from "./settings.ts";

/** What submission is given. */
export interface SubmissionProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly queue: Queue;
  readonly mirror: CourseMirror;
}

/** API Gateway gives an answer 29 seconds. */
const timeout = Duration.seconds(29);

/** Where a vendor's cards come in, are checked, and are taken back. */
export class Submission extends Construct {
  readonly submitScorecards: LambdaFunction;
  readonly validateScorecards: LambdaFunction;
  readonly changeDelivery: LambdaFunction;

  constructor(scope: Construct, id: string, props: SubmissionProps) {
    super(scope, id);
    const { settings, unionBaseAddress, scorecards, queue, mirror } = props;
    const retention = { CARD_RETENTION_DAYS: String(settings.cardRetentionDays) };
    const postTimeout = { POST_TIMEOUT_SECONDS: String(settings.delivery.postTimeoutSeconds) };
    const judging = {
      COURSE_TABLE: mirror.courses.tableName,
      CLUB_TABLE: mirror.clubs.tableName,
      TIME_ZONE: settings.timeZone,
      UNION_BASE_ADDRESS: unionBaseAddress,
      MIRROR_SECRET: mirror.secret.secretName,
    };

    this.submitScorecards = pipelineFunction(this, "submit-scorecards", settings, {
      description: "Takes scorecards from vendors",
      timeout,
      // A virtual processor is had from 1,769 on; this is twice what the largest submission takes.
      memorySize: 1920,
      environment: {
        ...judging,
        ...postTimeout,
        ...retention,
        SCORECARD_TABLE: scorecards.tableName,
        DELIVERY_QUEUE_URL: queue.queueUrl,
      },
    });
    allow(this.submitScorecards, cardActions, [scorecards.tableArn]);
    allow(this.submitScorecards, ["sqs:SendMessage"], [queue.queueArn]);
    mirror.grantLookup(this.submitScorecards);

    this.validateScorecards = pipelineFunction(this, "validate-scorecards", settings, {
      description: "Says what a submission would be answered, and why",
      timeout,
      // The more it is given, the later V8 collects: with 2,432 the largest submissions in turn took 1,444 of it.
      memorySize: 2176,
      environment: judging,
    });
    mirror.grantLookup(this.validateScorecards);

    this.changeDelivery = pipelineFunction(this, "change-delivery", settings, {
      description: "Withdraws a scorecard before it is delivered, or has it tried at once",
      timeout,
      memorySize: 512,
      environment: {
        ...postTimeout,
        ...retention,
        SCORECARD_TABLE: scorecards.tableName,
        DELIVERY_QUEUE_URL: queue.queueUrl,
      },
    });
    allow(this.changeDelivery, cardActions, [scorecards.tableArn]);
    allow(this.changeDelivery, ["sqs:SendMessage"], [queue.queueArn]);
  }
}
