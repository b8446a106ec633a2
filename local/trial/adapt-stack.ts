import { CfnResource, type Stack, Validations } from "aws-cdk-lib";
import { CfnRestApi, CfnStage } from "aws-cdk-lib/aws-apigateway";
import { CfnAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { CfnAlias, CfnFunction } from "aws-cdk-lib/aws-lambda";
import * as z from "zod";
import { adaptedBody, type BodyAdaptation } from "./adapted-body.ts";
import { bufferedResponses } from "./buffered-responses.ts";

/** How a trial's stack differs from the stage that is deployed to AWS. */
export interface Adaptation extends BodyAdaptation {
  /** Types, or logical IDs, of resources that the endpoint cannot make; the stack goes without them. */
  readonly leaveOut: readonly string[];
}

const adaptationSchema = z.strictObject({
  leaveOut: z.array(z.string()),
  withoutApiKeys: z.boolean(),
  withoutStreaming: z.boolean(),
});

/** Cards are delivered without a resource of these types. The trial names each that it left out. */
const optionalTypes: ReadonlySet<string> = new Set([
  "AWS::Budgets::Budget",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::CodeDeploy::Application",
  "AWS::CodeDeploy::DeploymentGroup",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Scheduler::Schedule",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::QueuePolicy",
  "AWS::WAFv2::WebACL",
  "AWS::WAFv2::WebACLAssociation",
]);

/** Types that refer to another one, without which they are left out, too. */
const requires: Readonly<Record<string, string>> = {
  "AWS::CodeDeploy::DeploymentGroup": "AWS::CodeDeploy::Application",
  "AWS::WAFv2::WebACLAssociation": "AWS::WAFv2::WebACL",
};

/** Stands for all alarms on an expression of metrics: an endpoint without metric math refuses one of them after the other. */
export const alarmsOnExpressions = "alarms on metric math";

/** Whether a trial may go without a resource of this type. */
export const isOptional = (type: string): boolean => optionalTypes.has(type);

/** Seconds after which a card is given up. A stage takes days, but somebody waits for a trial. */
const giveUpAfterSeconds = 10;

/** The value of the CDK context `trial` for an adaptation. */
export const trialContext = (adaptation: Adaptation): string => JSON.stringify(adaptation);

/**
 * Adapts the stack of the test stage to a trial on an endpoint that is not AWS.
 *
 * @param context the CDK context `trial`, see {@link trialContext}
 */
export function adaptStack(stack: Stack, context: unknown): void {
  const { leaveOut, withoutApiKeys, withoutStreaming } = adaptationSchema.parse(JSON.parse(String(context)));
  // The trial's union is a parameter, which the first version of each function has like everything else.
  stack.node.tryRemoveChild("UnionBaseAddressInSettings");
  const isLeftOut = (construct: CfnResource) => {
    const names = [construct.cfnResourceType, stack.resolve(construct.logicalId)];
    if (construct instanceof CfnAlarm && construct.metrics !== undefined) names.push(alarmsOnExpressions);
    return isOptional(construct.cfnResourceType) && names.some((name) => leaveOut.includes(name));
  };
  const resources = stack.node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
  const missing = new Set(resources.filter(isLeftOut).map(({ cfnResourceType }) => cfnResourceType));
  const lacksRequired = (type: string) => missing.has(requires[type] ?? "");
  const lacksFirewall = ["AWS::WAFv2::WebACL", "AWS::WAFv2::WebACLAssociation"].some((type) =>
    missing.has(type),
  );
  const lacksGroups = ["AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup"].some((type) =>
    missing.has(type),
  );
  for (const construct of resources) {
    if (isLeftOut(construct) || lacksRequired(construct.cfnResourceType)) {
      construct.node.scope?.node.tryRemoveChild(construct.node.id);
    }
    // Without CodeDeploy an alias moves at once.
    if (construct instanceof CfnAlias && lacksGroups) {
      construct.cfnOptions.updatePolicy = undefined as never;
    }
    if (construct instanceof CfnStage && lacksFirewall) {
      Validations.of(construct).acknowledge({
        id: "AwsSolutions-APIG3",
        reason: "The endpoint has no web application firewall.",
      });
    }
    if (construct instanceof CfnRestApi) {
      construct.body = adaptedBody(stack.resolve(construct.body), { withoutApiKeys, withoutStreaming });
    }
    if (construct instanceof CfnFunction) {
      adaptFunction(construct, stack);
      if (withoutStreaming)
        construct.addPropertyOverride("Environment.Variables.NODE_OPTIONS", bufferedResponses);
    }
  }
}

function adaptFunction(created: CfnFunction, stack: Stack): void {
  const variables: object = stack.resolve(created.environment)?.variables ?? {};
  const set = (name: string, value: string) =>
    created.addPropertyOverride(`Environment.Variables.${name}`, value);
  // Emulators tell functions their address by AWS_ENDPOINT_URL.
  set("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "false");
  if ("GIVE_UP_AFTER_SECONDS" in variables) set("GIVE_UP_AFTER_SECONDS", String(giveUpAfterSeconds));
}
