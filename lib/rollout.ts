import { Stack, Validations } from "aws-cdk-lib";
import { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { FunctionName } from "./bundles.ts";

/**
 * The functions that the setting `rollout` puts behind an alias, each with the alarms that roll a new version of it back, besides those of all functions. A
 * mistake in one of them stops every card. Alarms that ring when the union is down are not among them: nothing could be deployed then.
 */
const alarmsByFunction = {
  authorize: ["ApiFailingAlarm"],
  "submit-scorecards": ["ApiFailingAlarm", "RefusedAlarm"],
  "deliver-scorecards": ["DeadLettersAlarm", "RejectedAlarm", "FastBurnAlarm"],
} as const satisfies Partial<Record<FunctionName, readonly string[]>>;

type RolledOut = keyof typeof alarmsByFunction;

const aliasId = "Live";
const rolePolicy = "service-role/AWSCodeDeployRoleForLambdaLimited";

/** Gives a function an alias if it is one of those that are rolled out. */
export function addAlias(created: LambdaFunction): void {
  if (!(created.node.id in alarmsByFunction)) return;
  new Alias(created, aliasId, { aliasName: "live", version: created.currentVersion as IVersion });
}

const findAlias = (target: LambdaFunction) => target.node.tryFindChild(aliasId) as Alias | undefined;

/** How a function is invoked: by its alias if it has one. */
export const invoked = (target: LambdaFunction): IFunction =>
  // The CDK's own types contradict each other under exactOptionalPropertyTypes.
  (findAlias(target) as IFunction | undefined) ?? target;

/**
 * Has CodeDeploy give a new version of each function with an alias a tenth of the invocations for ten minutes, then all; and none again if an
 * alarm rings meanwhile, or did before. Create it after the alarms.
 */
export function rollOut(scope: Construct): void {
  const constructs = Stack.of(scope).node.findAll();
  const alarms = new Map(
    constructs.filter((construct) => construct instanceof Alarm).map((alarm) => [alarm.node.id, alarm]),
  );
  const application = new LambdaApplication(scope, "Application");
  // AWS documents no condition on the account for this role.
  const role = new Role(scope, "Role", { assumedBy: new ServicePrincipal("codedeploy.amazonaws.com") });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${rolePolicy}]`,
    reason:
      "AWS keeps in this policy what CodeDeploy needs to move an alias; it grants nothing of the cards.",
  });
  for (const alias of constructs.filter((construct) => construct instanceof Alias)) {
    const name = alias.node.scope?.node.id as RolledOut;
    const watched = ["FunctionsCrashAlarm", "FunctionsThrottledAlarm", ...alarmsByFunction[name]].map((id) =>
      alarms.get(id),
    );
    new LambdaDeploymentGroup(scope, name, {
      application,
      role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      alarms: watched.filter((alarm) => alarm !== undefined),
    });
  }
}
