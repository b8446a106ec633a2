import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import { pipelineTable } from "./pipeline-table.ts";
import type { StageSettings } from "./settings.ts";

/** What the accounts are given. */
export interface VendorAccountsProps {
  readonly settings: StageSettings;
  readonly key: Key;
}

/** The vendors' accounts, and the function that tells whose credentials a request carries. */
export class VendorAccounts extends Construct {
  readonly table: Table;
  readonly authorize: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, key }: VendorAccountsProps) {
    super(scope, id);
    this.table = pipelineTable(this, "AccountTable", {
      keepData: settings.keepData,
      key,
      partitionKey: "username",
    });
    this.authorize = pipelineFunction(this, "authorize", settings, {
      description: "Tells which vendor a request comes from",
      timeout: Duration.seconds(10),
      // Checking a password is made to be hard work: with a whole processor it takes a fifth of a second.
      memorySize: 1769,
      environment: { ACCOUNT_TABLE: this.table.tableName },
    });
    allow(this.authorize, ["dynamodb:GetItem"], [this.table.tableArn]);
  }
}
