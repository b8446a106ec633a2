import { CfnOutput } from "aws-cdk-lib";
import { DomainName, EndpointType, SecurityPolicy, type SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import type { Construct } from "constructs";
import type { Stage, StageSettings } from "./stage-settings.ts";

/**
 * Serves the API under a name of the operator's own, so that the vendors' base address outlives the stack: a new stack
 * takes the name over, and only the name's CNAME record changes.
 *
 * @returns the base address below that name; it ends in the stage, as the API's own address does
 */
export function serveUnderDomain(
  scope: Construct,
  api: SpecRestApi,
  { name, certificateArn }: NonNullable<StageSettings["domain"]>,
  stage: Stage,
): string {
  const domain = new DomainName(scope, "Domain", {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, "Certificate", certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  domain.addBasePathMapping(api, { basePath: stage, stage: api.deploymentStage });
  new CfnOutput(scope, "DomainTarget", {
    description: `The name that a CNAME record of ${name} has to point to`,
    value: domain.domainNameAliasDomainName,
  }).overrideLogicalId("DomainTarget");
  return `https://${name}/${stage}/`;
}
