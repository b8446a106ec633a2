import { Duration, Stack } from "aws-cdk-lib";
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { removalPolicy } from "./removal-policy.ts";
import type { StageSettings } from "./settings.ts";
import { dataKeyAlias } from "./stage.ts";

/** What the services need of a key to encrypt data for a caller and to read it again. */
const encrypting = [
  "kms:Encrypt",
  "kms:Decrypt",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:DescribeKey",
  "kms:CreateGrant",
];

/**
 * The stage's own key, for everything that holds players' data or credentials: the cards, the accounts, the queues,
 * the secrets.
 *
 * It works only through those services, and there for whoever may read the table, the queue or the secret. So a
 * function's role names what it may read, and needs no right to the key besides.
 */
export function dataKey(scope: Construct, { stage, keepData }: StageSettings): Key {
  const key = new Key(scope, "DataKey", {
    alias: dataKeyAlias(stage),
    description: `Scorecards, accounts and credentials of stage ${stage}`,
    enableKeyRotation: true,
    pendingWindow: Duration.days(keepData ? 30 : 7),
    removalPolicy: removalPolicy(keepData),
  });
  const { account, region } = Stack.of(scope);
  // In a key's own policy, * is that key.
  const resources = ["*"];
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: "ThroughTheServices",
      principals: [new AnyPrincipal()],
      actions: encrypting,
      resources,
      conditions: {
        StringEquals: {
          "kms:CallerAccount": account,
          "kms:ViaService": ["dynamodb", "sqs", "secretsmanager", "sns"].map(
            (service) => `${service}.${region}.amazonaws.com`,
          ),
        },
      },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: "AlarmsToTheirTopic",
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["kms:Decrypt", "kms:GenerateDataKey"],
      resources,
      conditions: { StringEquals: { "aws:SourceAccount": account } },
    }),
  );
  return key;
}
