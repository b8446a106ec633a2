import { Duration, Stack, Validations } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { allow, bind, pipelineFunction } from "./pipeline-function.ts";
import type { Stage, StageSettings } from "./stage-settings.ts";
import { pipelineTable } from "./stored-data.ts";

/** Options of {@link VendorAccounts}. */
export interface VendorAccountsProps {
  readonly settings: StageSettings;
  readonly key: Key;
}

/** The vendors' accounts, and the authorizer that checks the credentials of a request. */
export class VendorAccounts extends Construct {
  readonly table: Table;
  readonly authorize: LambdaFunction;

  constructor(scope: Construct, id: string, { settings, key }: VendorAccountsProps) {
    super(scope, id);
    this.table = pipelineTable(this, "AccountTable", {
      keepData: settings.keepData,
      generation: settings.tableGeneration.accounts,
      key,
      partitionKey: "username",
    });
    this.authorize = pipelineFunction(this, "authorize", settings, {
      description: "Tells which vendor a request comes from",
      timeout: Duration.seconds(10),
      // It needs less than 100 MB. More memory brings more of a processor, for the TLS handshake with DynamoDB that a
      // cold start makes while a vendor waits.
      memorySize: 512,
      environment: {},
    });
    bind(this.authorize, "ACCOUNT_TABLE", this.table, ["GetItem"]);
  }
}

/** Prefix of the vendors' secrets: each vendor has one, with its credentials at the union. */
export const vendorSecretPrefix = (stage: Stage) => `scorecards/${stage}/vendor/`;

/** Lets a function act at the union as any vendor of a stage. */
export function grantVendorSecrets(to: LambdaFunction, stage: Stage): void {
  const prefix = vendorSecretPrefix(stage);
  const { partition, region, account } = Stack.of(to);
  const secrets = `arn:${partition}:secretsmanager:${region}:${account}:secret:${prefix}*`;
  allow(to, ["secretsmanager:GetSecretValue"], [secrets]);
  Validations.of(to.role ?? to).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${prefix}*]`,
    reason: "Each vendor has a secret under this prefix, made when the operator adds its account.",
  });
}
