import { Duration, Stack, Validations } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { allow, bind, pipelineFunction } from "./pipeline-function.ts";
import type { Stage, StageSettings } from "./stage-settings.ts";
import { generated, pipelineTable, removalPolicy, unrotatedSecret } from "./stored-data.ts";

/** Options of {@link VendorAccounts}. */
export interface VendorAccountsProps {
  readonly settings: StageSettings;
  readonly key: Key;
}

/** The vendors' accounts, and the authorizer that checks the credentials of a request. */
export class VendorAccounts extends Construct {
  readonly table: Table;
  readonly authorize: LambdaFunction;
  private readonly sessionSecret: Secret;

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
    const why = "Every rotation would sign out all people; an operator who has to, replaces it.";
    this.sessionSecret = unrotatedSecret(this, "SessionSecret", why, {
      description: "Signs the sessions of the portal; another one ends them all",
      encryptionKey: key,
      removalPolicy: removalPolicy(settings.keepData),
      ...generated,
    });
    bind(this.authorize, "SESSION_SECRET", this.sessionSecret, ["GetSecretValue"]);
  }

  /** Lets a function check passwords, and begin and end sessions of the portal. */
  bindSignIn(to: LambdaFunction): void {
    bind(to, "ACCOUNT_TABLE", this.table, ["GetItem"]);
    bind(to, "SESSION_SECRET", this.sessionSecret, ["GetSecretValue"]);
    // Of an account it changes nothing else.
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ["dynamodb:UpdateItem"],
        resources: [this.table.tableArn],
        conditions: {
          "ForAllValues:StringEquals": {
            "dynamodb:Attributes": ["username", "sessionsFrom", "endedSessions"],
          },
        },
      }),
    );
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
