import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { CfnSamplingRule } from "aws-cdk-lib/aws-xray";
import type { Construct } from "constructs";

/** The share of the requests to the API of which X-Ray records a trace. */
export const tracedShare = 0.002;

/**
 * Has X-Ray record one in five hundred requests to an API, with the functions behind it.
 *
 * By X-Ray's own rule it would be the first of each second and one in twenty of the others: 0.25 USD for a million
 * cards that come singly.
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
