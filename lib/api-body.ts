import { Aws } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { AnsweringFunction, Route } from "../api/routes.ts";
import { type GatewayResponse, gatewayResponses } from "./gateway-responses.ts";
import { invoked } from "./rollout.ts";
import { isVendors, maxResources, resourcesOf, servedOperations } from "./vendor-routes.ts";

/** The function that API Gateway passes a request to, as its extension writes it. */
interface Integration {
  readonly type: "aws_proxy";
  readonly httpMethod: "POST";
  readonly uri: string;
  readonly responseTransferMode?: "STREAM";
}

/** One method of one path, as API Gateway imports it. */
interface BodyOperation {
  readonly parameters?: readonly object[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: object;
  readonly "x-amazon-apigateway-request-validator"?: string;
  readonly "x-amazon-apigateway-integration": Integration;
}

/** An API as OpenAPI 3.0.1 with API Gateway's extensions, from which API Gateway makes all its parts. */
export interface ApiBody {
  readonly openapi: "3.0.1";
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, BodyOperation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
  readonly "x-amazon-apigateway-api-key-source": "AUTHORIZER";
  readonly "x-amazon-apigateway-minimum-compression-size": number;
  readonly "x-amazon-apigateway-security-policy": string;
  readonly "x-amazon-apigateway-endpoint-access-mode": string;
  readonly "x-amazon-apigateway-request-validators": Readonly<Record<string, object>>;
  readonly "x-amazon-apigateway-gateway-responses": Readonly<Record<string, GatewayResponse>>;
}

/** The functions and limits that an API's body is made from. */
export interface ApiBodyProps {
  readonly name: string;
  readonly description: string;
  /** Bytes from which on API Gateway compresses a response. */
  readonly compressedFrom: number;
  readonly securityPolicy: string;
  readonly endpointAccessMode: string;
  readonly allowedOrigins: readonly string[];
  readonly authorize: LambdaFunction;
  readonly answeredBy: Readonly<Record<AnsweringFunction, LambdaFunction>>;
  /** Answers browsers' preflights at every path for vendors; absent if no origin is allowed. */
  readonly answerPreflights: LambdaFunction | undefined;
}

const authorizer = "vendorAccount";
const usageKey = "usageKey";
const parametersOnly = "parameters";

/**
 * The address at which API Gateway invokes a function.
 *
 * @see API Gateway developer guide, x-amazon-apigateway-integration object
 */
function invocationUri(target: LambdaFunction, streamed = false): string {
  const [version, action] = streamed
    ? ["2021-11-15", "response-streaming-invocations"]
    : ["2015-03-31", "invocations"];
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${version}/functions/${invoked(target).functionArn}/${action}`;
}

/** Passes requests to a function. @param streamed whether the function streams its responses */
const integrationWith = (target: LambdaFunction, streamed?: boolean): Integration => ({
  type: "aws_proxy",
  httpMethod: "POST",
  uri: invocationUri(target, streamed),
  ...(streamed && { responseTransferMode: "STREAM" }),
});

/** API Gateway wants both names as alternatives and requires both: the caller's account, and its usage key. */
const withAccount = [{ [authorizer]: [] }, { [usageKey]: [] }];

const token = { name: "Token", in: "header", required: true, schema: { type: "string" } };

/** An operation that a function answers; only for accounts if it is of a resource that they are granted. */
const bodyOperation = (
  { resource, playerToken, streamed }: Pick<Route, "resource" | "playerToken" | "streamed">,
  target: LambdaFunction,
): BodyOperation => ({
  ...(resource !== undefined && { security: withAccount }),
  ...(playerToken && { parameters: [token], "x-amazon-apigateway-request-validator": parametersOnly }),
  responses: {},
  "x-amazon-apigateway-integration": integrationWith(target, streamed),
});

/** @throws Error if the paths are more than API Gateway allows */
function bodyPaths({ answeredBy, answerPreflights }: ApiBodyProps): ApiBody["paths"] {
  const paths: Record<string, Record<string, BodyOperation>> = {};
  for (const { route, paths: own } of servedOperations) {
    for (const path of own) {
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = bodyOperation(route, answeredBy[route.answeredBy]);
      if (answerPreflights === undefined || !isVendors(route)) continue;
      paths[path].options = {
        responses: {},
        "x-amazon-apigateway-integration": integrationWith(answerPreflights),
      };
    }
  }
  const { size } = resourcesOf(Object.keys(paths));
  if (size > maxResources) {
    throw new Error(
      `The API has ${size} resources, and API Gateway allows ${maxResources}. Give new paths one spelling.`,
    );
  }
  return paths;
}

/**
 * The body of the API, made from the one table of routes.
 *
 * It has all that API Gateway needs to know. So if any part of the API changes, CloudFormation imports the whole API before
 * it makes a deployment.
 */
export function apiBody(props: ApiBodyProps): ApiBody {
  return {
    openapi: "3.0.1",
    info: { title: props.name, description: props.description, version: "1" },
    paths: bodyPaths(props),
    components: {
      securitySchemes: {
        [authorizer]: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          "x-amazon-apigateway-authtype": "custom",
          "x-amazon-apigateway-authorizer": {
            type: "request",
            authorizerUri: invocationUri(props.authorize),
            identitySource: "method.request.header.Authorization",
            authorizerResultTtlInSeconds: 300,
          },
        },
        // Vendors never send the key: the authorizer returns it. API Gateway knows the scheme by this header.
        [usageKey]: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    },
    "x-amazon-apigateway-api-key-source": "AUTHORIZER",
    "x-amazon-apigateway-minimum-compression-size": props.compressedFrom,
    "x-amazon-apigateway-security-policy": props.securityPolicy,
    "x-amazon-apigateway-endpoint-access-mode": props.endpointAccessMode,
    // Bodies have no model here: the functions check them and report all faults at once.
    "x-amazon-apigateway-request-validators": {
      [parametersOnly]: { validateRequestBody: true, validateRequestParameters: true },
    },
    "x-amazon-apigateway-gateway-responses": gatewayResponses(props.allowedOrigins),
  };
}
