import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What the API's description is given. */
export interface ApiDescriptionProps {
  readonly settings: StageSettings;
  /** The vendors' accounts, by user name. */
  readonly accounts: Table;
}

/** What the API says of itself: its OpenAPI document to everybody, to the holder of an account what it may use. */
export class ApiDescription extends Construct {
  readonly describeAccount: LambdaFunction;
  readonly describeApi: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, accounts }: ApiDescriptionProps) {
    super(scope, id);
    this.describeAccount = pipelineFunction(this, "describe-account", settings, {
      description: "Shows the holder of an account what it may use",
      timeout: Duration.seconds(10),
      // As the authorizer, for the share of a processor that comes with it.
      memorySize: 512,
      environment: {
        ACCOUNT_TABLE: accounts.tableName,
        USAGE_PLANS: JSON.stringify(settings.usagePlans),
        THROTTLING: JSON.stringify(settings.throttling),
      },
    });
    allow(this.describeAccount, ["dynamodb:GetItem"], [accounts.tableArn]);

    this.describeApi = pipelineFunction(this, "describe-api", settings, {
      description: "Answers with the API's OpenAPI document",
      timeout: Duration.seconds(10),
      memorySize: 512,
      environment: {},
    });
  }
}
