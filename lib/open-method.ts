import { Validations } from "aws-cdk-lib";
import { AuthorizationType, type Integration, type IResource } from "aws-cdk-lib/aws-apigateway";

/**
 * Adds a method that needs no credentials.
 *
 * @param reason why it needs none, for whoever reads the checks of the template
 */
export function addOpenMethod(
  place: IResource,
  method: string,
  integration: Integration,
  reason: string,
): void {
  const open = place.addMethod(method, integration, {
    authorizationType: AuthorizationType.NONE,
    apiKeyRequired: false,
  });
  Validations.of(open).acknowledge({ id: "AwsSolutions-APIG4", reason });
}
