import { CfnResource, type Stack } from "aws-cdk-lib";
import { CfnMethod } from "aws-cdk-lib/aws-apigateway";
import { CfnFunction } from "aws-cdk-lib/aws-lambda";
import * as z from "zod";
import { bufferedResponses } from "./buffered-responses.ts";

/** How a trial's stack differs from the stage that is deployed to AWS. */
export interface Adaptation {
  /** Types, or logical IDs, of resources that the endpoint cannot make; the stack goes without them. */
  readonly leaveOut: readonly string[];
  /** Whether methods need no API key, because the endpoint does not read the authorizer's. */
  readonly withoutApiKeys: boolean;
  /** Whether functions return their responses, because the endpoint does not stream them. */
  readonly withoutStreaming: boolean;
}

const adaptationSchema = z.strictObject({
  leaveOut: z.array(z.string()),
  withoutApiKeys: z.boolean(),
  withoutStreaming: z.boolean(),
});

/** Cards are delivered without a resource of these types. The trial names each that it left out. */
const optionalTypes: ReadonlySet<string> = new Set([
  "AWS::ApiGateway::GatewayResponse",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Scheduler::Schedule",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::QueuePolicy",
  "AWS::XRay::SamplingRule",
]);

/** Whether a trial may go without a resource of this type. */
export const isOptional = (type: string): boolean => optionalTypes.has(type);

/** Seconds after which a card is given up in a trial, where somebody waits for it; a stage takes days. */
const giveUpAfterSeconds = 10;

/** The value of the CDK context `trial` that has an adaptation made. */
export const trialContext = (adaptation: Adaptation): string => JSON.stringify(adaptation);

/**
 * Adapts the stack of the test stage to a trial on an endpoint that is not AWS.
 *
 * @param context the CDK context `trial`, see {@link trialContext}
 */
export function adaptStack(stack: Stack, context: unknown): void {
  const { leaveOut, withoutApiKeys, withoutStreaming } = adaptationSchema.parse(JSON.parse(String(context)));
  for (const construct of stack.node.findAll()) {
    if (!CfnResource.isCfnResource(construct)) continue;
    const { cfnResourceType: type } = construct;
    const names = [type, stack.resolve(construct.logicalId)];
    if (isOptional(type) && names.some((name) => leaveOut.includes(name))) {
      construct.node.scope?.node.tryRemoveChild(construct.node.id);
    }
    if (construct instanceof CfnMethod && withoutApiKeys) construct.apiKeyRequired = false;
    if (construct instanceof CfnMethod && withoutStreaming) bufferResponses(construct, stack);
    if (construct instanceof CfnFunction) {
      adaptFunction(construct, stack);
      if (withoutStreaming)
        construct.addPropertyOverride("Environment.Variables.NODE_OPTIONS", bufferedResponses);
    }
  }
}

/** Has the API invoke a function without streaming. */
function bufferResponses(method: CfnMethod, stack: Stack): void {
  const { responseTransferMode, uri } = stack.resolve(method.integration) as CfnMethod.IntegrationProperty;
  if (responseTransferMode !== "STREAM") return;
  const buffered = JSON.stringify(uri)
    .replace("path/2021-11-15/", "path/2015-03-31/")
    .replace("/response-streaming-invocations", "/invocations");
  method.addPropertyOverride("Integration.Uri", JSON.parse(buffered));
  method.addPropertyDeletionOverride("Integration.ResponseTransferMode");
}

function adaptFunction(created: CfnFunction, stack: Stack): void {
  const variables: object = stack.resolve(created.environment)?.variables ?? {};
  const set = (name: string, value: string) =>
    created.addPropertyOverride(`Environment.Variables.${name}`, value);
  // Emulators tell functions their address by AWS_ENDPOINT_URL.
  set("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "false");
  if ("GIVE_UP_AFTER_SECONDS" in variables) set("GIVE_UP_AFTER_SECONDS", String(giveUpAfterSeconds));
}
