import { Duration, Validations } from "aws-cdk-lib";
import {
  AuthorizationType,
  type Integration,
  type IResource,
  LambdaIntegration,
  Method,
  type MethodOptions,
  Resource,
  ResponseTransferMode,
} from "aws-cdk-lib/aws-apigateway";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/**
 * Adds a method to a path below a resource, with each segment as the union writes it and in lower case, since the union's
 * server ignores case.
 *
 * @param path e.g. `Clubs/{clubId}/courses`
 */
export function addRoute(
  below: IResource,
  method: string,
  path: string,
  integration: Integration,
  options: MethodOptions = {},
): void {
  const [segment, ...rest] = path.split("/");
  if (segment === undefined || segment === "") {
    below.addMethod(method, integration, options);
    return;
  }
  const spellings = segment.startsWith("{") ? [segment] : new Set([segment, segment.toLowerCase()]);
  for (const spelling of spellings) {
    const resource = below.getResource(spelling) ?? below.addResource(spelling);
    addRoute(resource, method, rest.join("/"), integration, options);
  }
}

/**
 * An integration with one permission per function instead of one per method, since several methods share a function.
 *
 * @param streamed whether the function streams its responses; API Gateway needs the same permission for that
 */
export const integrationWith = (target: LambdaFunction, streamed = false) =>
  new LambdaIntegration(target, {
    scopePermissionToMethod: false,
    ...(streamed && { responseTransferMode: ResponseTransferMode.STREAM }),
  });

/**
 * Adds a method that needs no credentials.
 *
 * @param reason why not, for readers of cdk-nag's report
 */
export function addOpenMethod(
  resource: IResource,
  method: string,
  integration: Integration,
  reason: string,
): void {
  const open = resource.addMethod(method, integration, {
    authorizationType: AuthorizationType.NONE,
    apiKeyRequired: false,
  });
  Validations.of(open).acknowledge({ id: "AwsSolutions-APIG4", reason });
}

/**
 * Lets browsers call the API from pages of the allowed origins.
 *
 * Browsers send a preflight without credentials. A function without permissions handles it, so that no such request
 * reaches a function that has some. A fixed response of API Gateway's own could allow one origin only.
 *
 * @param below answers preflights at every path below it that has a method
 * @param functions answer at those paths
 */
export function addCrossOrigin(
  below: Resource,
  functions: Iterable<LambdaFunction>,
  scope: Construct,
  settings: StageSettings,
): void {
  const ALLOWED_ORIGINS = settings.allowedOrigins.join(" ");
  for (const each of functions) each.addEnvironment("ALLOWED_ORIGINS", ALLOWED_ORIGINS);
  const answerPreflights = pipelineFunction(
    new Construct(scope, "CrossOrigin"),
    "answer-preflights",
    settings,
    {
      description: "Tells browsers what pages of other origins may send",
      timeout: Duration.seconds(5),
      memorySize: 256,
      environment: { ALLOWED_ORIGINS },
    },
  );
  const integration = integrationWith(answerPreflights);
  const resources = below.node.findAll().filter((construct) => construct instanceof Resource);
  for (const resource of resources) {
    if (!resource.node.children.some((child) => child instanceof Method)) continue;
    addOpenMethod(resource, "OPTIONS", integration, "Browsers send no credentials with a preflight.");
  }
}
