import { Stack, Validations } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { allow } from "./pipeline-function.ts";
import type { Stage } from "./stage.ts";

/** What the names of the vendors' secrets begin with: one secret a vendor, with its credentials at the union. */
export const vendorSecretPrefix = (stage: Stage) => `scorecards/${stage}/vendor/`;

/** Lets a function act at the union as any vendor of a stage. */
export function grantVendorSecrets(to: LambdaFunction, stage: Stage): void {
  const prefix = vendorSecretPrefix(stage);
  const { partition, region, account } = Stack.of(to);
  const secrets = `arn:${partition}:secretsmanager:${region}:${account}:secret:${prefix}*`;
  allow(to, ["secretsmanager:GetSecretValue"], [secrets]);
  Validations.of(to.role ?? to).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${prefix}*]`,
    reason:
      "One secret a vendor, made when the operator adds its account; all of them lie under this prefix.",
  });
}
