import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { CfnSamplingRule } from "aws-cdk-lib/aws-xray";
import type { Construct } from "constructs";

/** Of the requests to the API, those of which X-Ray records a trace. */
export const tracedShare = 0.002;

/**
 * Has X-Ray record one in five hundred requests to an API, with the functions behind it.
 *
 * By its own rule it would be one in twenty, and one each second besides: 0.25 USD for a million cards that come singly.
 *
 * @see X-Ray developer guide, Configuring sampling rules
 */
export function sampleTraces(scope: Construct, api: RestApi, stage: string): void {
  new CfnSamplingRule(scope, "TraceSampling", {
    samplingRule: {
      ruleName: `scorecards-${stage}`,
      version: 1,
      priority: 1000,
      resourceArn: api.deploymentStage.stageArn,
      serviceType: "AWS::ApiGateway::Stage",
      serviceName: "*",
      host: "*",
      httpMethod: "*",
      urlPath: "*",
      fixedRate: tracedShare,
      reservoirSize: 0,
    },
  });
}
