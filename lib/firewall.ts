import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import type { StageSettings } from "./stage-settings.ts";

/**
 * Blocks an IP address that sends too many requests, before API Gateway counts them: somebody guesses passwords, or a
 * vendor's program repeats requests without end. All of a vendor's requests may come from one address.
 */
export function addFirewall(
  scope: Construct,
  { deploymentStage }: SpecRestApi,
  { requestsInFiveMinutes }: NonNullable<StageSettings["firewall"]>,
  stage: string,
): void {
  const metrics = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    // A sampled request shows its query string, which may hold a player's number.
    sampledRequestsEnabled: false,
  });
  const firewall = new CfnWebACL(scope, "Firewall", {
    scope: "REGIONAL",
    defaultAction: { allow: {} },
    visibilityConfig: metrics(`scorecards-${stage}`),
    rules: [
      {
        name: "rate-by-address",
        priority: 0,
        action: { block: { customResponse: { responseCode: 429 } } },
        statement: { rateBasedStatement: { aggregateKeyType: "IP", limit: requestsInFiveMinutes } },
        visibilityConfig: metrics(`scorecards-${stage}-blocked`),
      },
    ],
  });
  new CfnWebACLAssociation(scope, "FirewallOfStage", {
    resourceArn: deploymentStage.stageArn,
    webAclArn: firewall.attrArn,
  });
}
