import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What tracking is given. */
export interface TrackingProps {
  readonly settings: StageSettings;
  readonly scorecards: Table;
}

/** Where a vendor asks what became of its cards. */
export class Tracking extends Construct {
  readonly trackScorecards: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, scorecards }: TrackingProps) {
    super(scope, id);
    this.trackScorecards = pipelineFunction(this, "track-scorecards", settings, {
      description: "Says what became of scorecards",
      timeout: Duration.seconds(15),
      memorySize: 1024,
      environment: { SCORECARD_TABLE: scorecards.tableName },
    });
    allow(this.trackScorecards, ["dynamodb:BatchGetItem"], [scorecards.tableArn]);
    allow(this.trackScorecards, ["dynamodb:Query"], [`${scorecards.tableArn}/index/byState`]);
  }
}
