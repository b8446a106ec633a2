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
      // It checks a password in microseconds, in less than 100 MB. The memory is for the share of a processor that comes with
      // it: a fresh environment makes its TLS connection to DynamoDB while a vendor waits.
      memorySize: 512,
      environment: { ACCOUNT_TABLE: this.table.tableName },
    });
    allow(this.authorize, ["dynamodb:GetItem"], [this.table.tableArn]);
  }
}
