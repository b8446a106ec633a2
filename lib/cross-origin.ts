import { Duration } from "aws-cdk-lib";
import { LambdaIntegration, Method, Resource } from "aws-cdk-lib/aws-apigateway";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { addOpenMethod } from "./open-method.ts";
import { pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./settings.ts";

/** What allowing pages of other origins is given. */
export interface CrossOriginProps {
  /** With at least one allowed origin. */
  readonly settings: StageSettings;
  /** Where preflights are answered: at every path below that has a method. */
  readonly below: Resource;
  /** What answers at those paths. */
  readonly functions: readonly LambdaFunction[];
}

/**
 * Lets pages of other origins use the API: browsers ask beforehand, without credentials, what a page may send, and
 * every answer says whose pages may read it.
 *
 * What browsers ask is answered by a function without any permissions, so that no request without credentials reaches
 * one that has some. A fixed answer of API Gateway's own could allow one origin only.
 */
export class CrossOrigin extends Construct {
  constructor(scope: Construct, id: string, { settings, below, functions }: CrossOriginProps) {
    super(scope, id);
    const ALLOWED_ORIGINS = settings.allowedOrigins.join(" ");
    for (const answering of functions) answering.addEnvironment("ALLOWED_ORIGINS", ALLOWED_ORIGINS);

    const answerPreflights = pipelineFunction(this, "answer-preflights", settings, {
      description: "Tells browsers what pages of other origins may send",
      timeout: Duration.seconds(5),
      memorySize: 256,
      environment: { ALLOWED_ORIGINS },
    });
    const integration = new LambdaIntegration(answerPreflights, { scopePermissionToMethod: false });
    const answered = below.node
      .findAll()
      .filter((place) => place instanceof Resource)
      .filter((place) => place.node.children.some((child) => child instanceof Method));
    for (const place of answered) {
      addOpenMethod(place, "OPTIONS", integration, "Browsers send no credentials with a preflight.");
    }
  }
}

/** Headers, as literals, with which API Gateway's own refusals can be read by pages of allowed origins. */
export function refusalHeaders(allowedOrigins: readonly string[]): Record<string, string> {
  const [only, ...others] = allowedOrigins;
  if (only === undefined) return {};
  return {
    // API Gateway cannot choose by the request's origin here; its refusals hold nothing of anybody's.
    "Access-Control-Allow-Origin": others.length === 0 ? only : "*",
    "Access-Control-Expose-Headers": "Retry-After, x-amzn-RequestId",
  };
}
