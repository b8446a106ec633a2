import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { CourseMirror } from "./course-mirror.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { bind, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";
import { cardActions } from "./stored-data.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-accounts.ts";

/** Options of {@link Submission}. */
export interface SubmissionProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly queue: Queue;
  readonly mirror: CourseMirror;
  /** By which the delivered rounds of players are found. */
  readonly hashSecret: Secret;
}

/** A vendor's few wrong cards are its own concern; so many mean that a program or the mirror is wrong. */
const minRefusals = 20;
const worstRefusedShare = 0.1;
/** Numbers of a tee are the mirror's or copied from it, so far fewer cards mean that one of the two is wrong. */
const minTeeRefusals = 5;

/** API Gateway waits no longer for a response. */
const timeout = Duration.seconds(29);

/** The functions that accept, validate and withdraw cards. */
export class Submission extends Construct {
  readonly submitScorecards: LambdaFunction;
  readonly validateScorecards: LambdaFunction;
  readonly changeDelivery: LambdaFunction;

  constructor(scope: Construct, id: string, props: SubmissionProps) {
    super(scope, id);
    const { settings, unionBaseAddress, scorecards, activity, queue, mirror, hashSecret } = props;
    const storing = {
      POST_TIMEOUT_SECONDS: String(settings.timing.post),
      CARD_RETENTION_DAYS: String(settings.cardRetentionDays),
    };
    const assessing = {
      COUNTRY: settings.union.country,
      HIGHEST_HANDICAP_INDEX: String(settings.union.rules.highestHandicapIndex),
      UNION_BASE_ADDRESS: unionBaseAddress,
      SANDBOX: settings.stage === "test" ? "on" : "off",
    };

    this.submitScorecards = pipelineFunction(this, "submit-scorecards", settings, {
      description: "Takes scorecards from vendors",
      timeout,
      // Twice the memory of the largest submission; 1,769 MB and more come with a whole virtual processor.
      memorySize: 1920,
      environment: { ...assessing, ...storing },
    });
    bind(this.submitScorecards, "ACTIVITY_TABLE", activity, ["UpdateItem", "BatchWriteItem", "Query"]);
    bind(this.submitScorecards, "SCORECARD_TABLE", scorecards, cardActions);
    bind(this.submitScorecards, "DELIVERY_QUEUE_URL", queue, ["SendMessage"]);
    bind(this.submitScorecards, "PLAYER_HASH_SECRET", hashSecret, ["GetSecretValue"]);
    mirror.bindLookup(this.submitScorecards);

    this.validateScorecards = pipelineFunction(this, "validate-scorecards", settings, {
      description: "Says what a submission would be answered, and why",
      timeout,
      // V8 collects later the more memory there is: of 2,432 MB the largest submissions in a row took 1,444.
      memorySize: 2176,
      environment: { ...assessing, SCORES_FOR_HANDICAP: String(settings.union.rules.scoresForHandicap) },
    });
    bind(this.validateScorecards, "SCORECARD_TABLE", scorecards, ["BatchGetItem"]);
    bind(this.validateScorecards, "ACTIVITY_TABLE", activity, ["Query"]);
    mirror.bindLookup(this.validateScorecards);
    if (settings.playerCheck !== "off") {
      this.validateScorecards.addEnvironment("VENDOR_SECRET_PREFIX", vendorSecretPrefix(settings.stage));
      grantVendorSecrets(this.validateScorecards, settings.stage);
      if (settings.playerCheck === "rounds")
        bind(this.validateScorecards, "PLAYER_HASH_SECRET", hashSecret, ["GetSecretValue"]);
    }

    this.addAlarms(settings);

    this.changeDelivery = pipelineFunction(this, "change-delivery", settings, {
      description: "Withdraws a scorecard before it is delivered, or has it tried at once",
      timeout,
      memorySize: 512,
      environment: storing,
    });
    bind(this.changeDelivery, "SCORECARD_TABLE", scorecards, cardActions);
    bind(this.changeDelivery, "DELIVERY_QUEUE_URL", queue, ["SendMessage"]);
  }

  private addAlarms(settings: StageSettings): void {
    const sum = { statistic: "Sum", period: Duration.minutes(5) };
    addAlarm(this, "RefusedAlarm", settings, {
      section: "cards-are-refused",
      says: `At least ${minRefusals} cards were refused in five minutes, and at least ${100 * worstRefusedShare} % of all.`,
      metric: new MathExpression({
        expression: `IF(refused >= ${minRefusals}, refused / (refused + FILL(accepted, 0)), 0)`,
        usingMetrics: {
          refused: ownMetric(this, "submit-scorecards", "CardsRefused", sum),
          accepted: ownMetric(this, "submit-scorecards", "CardsAccepted", sum),
        },
        period: sum.period,
      }),
      threshold: worstRefusedShare,
    });
    const window = { statistic: "Sum", period: Duration.minutes(15) };
    const faults = (code: string) =>
      ownMetric(this, "submit-scorecards", "CardFaults", {
        ...window,
        dimensionsMap: { service: "submit-scorecards", code },
      });
    addAlarm(this, "TeeNumbersRefusedAlarm", settings, {
      section: "cards-are-refused",
      says: `At least ${minTeeRefusals} cards were refused in a quarter of an hour because the mirror has another rating or slope.`,
      metric: new MathExpression({
        expression: "FILL(rating, 0) + FILL(slope, 0)",
        usingMetrics: { rating: faults("tee_rating_mismatch"), slope: faults("tee_slope_mismatch") },
        period: window.period,
      }),
      threshold: minTeeRefusals,
    });
  }
}
