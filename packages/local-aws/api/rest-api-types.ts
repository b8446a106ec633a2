import { createHash } from "node:crypto";
import * as z from "zod";
import type { AwsEnvironment } from "../environment.ts";
import type { DeclaredResource, ResourceType } from "../resource-type.ts";
import type { ResourceValues } from "../template/intrinsics.ts";
import type { GatewayResponse } from "./gateway-responses.ts";
import { type MockIntegration, mockResponse } from "./mock-integration.ts";
import type { RequiredParameter, RestApiDeclaration } from "./rest-api-declaration.ts";
import type { UsagePlans } from "./usage-plans.ts";

/** Ignored: names, documents, logs, traces, caches, certificates, tags. */
const ignored = z.unknown().optional();

const texts = z.record(z.string(), z.coerce.string()).default({});

const restApiSchema = z.strictObject({
  Name: z.string().optional(),
  Description: ignored,
  BinaryMediaTypes: z.array(z.string()).default([]),
  MinimumCompressionSize: z.coerce.number().optional(),
  // AWS can also take the key from a header; the local run only takes it from the authorizer.
  ApiKeySourceType: z.literal("AUTHORIZER").optional(),
  EndpointConfiguration: ignored,
  FailOnWarnings: ignored,
  EndpointAccessMode: ignored,
  SecurityPolicy: ignored,
  Tags: ignored,
});

const resourceSchema = z.strictObject({ RestApiId: z.string(), ParentId: z.string(), PathPart: z.string() });

const lambdaIntegration = z.strictObject({
  Type: z.literal("AWS_PROXY"),
  IntegrationHttpMethod: z.literal("POST"),
  Uri: z.string(),
  TimeoutInMillis: z.coerce.number().default(29_000),
  ResponseTransferMode: z.enum(["BUFFERED", "STREAM"]).default("BUFFERED"),
  Credentials: ignored,
  PassthroughBehavior: ignored,
});

const mockIntegration = z
  .strictObject({
    Type: z.literal("MOCK"),
    RequestTemplates: texts,
    IntegrationResponses: z
      .array(
        z
          .strictObject({
            StatusCode: z.coerce.string(),
            ResponseParameters: texts,
            ResponseTemplates: texts,
          })
          .transform((response) => ({
            statusCode: response.StatusCode,
            parameters: response.ResponseParameters,
            templates: response.ResponseTemplates,
          })),
      )
      .default([]),
    PassthroughBehavior: ignored,
    IntegrationHttpMethod: ignored,
  })
  .transform((mock): MockIntegration & { Type: "MOCK" } => ({
    Type: mock.Type,
    requestTemplates: mock.RequestTemplates,
    responses: mock.IntegrationResponses,
  }));

const methodSchema = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.string(),
  AuthorizationType: z.enum(["NONE", "CUSTOM"]),
  AuthorizerId: z.string().optional(),
  ApiKeyRequired: z.boolean().default(false),
  Integration: z.union([lambdaIntegration, mockIntegration]),
  MethodResponses: ignored,
  OperationName: ignored,
  RequestParameters: z.record(z.string(), z.boolean()).default({}),
  RequestValidatorId: z.string().optional(),
});

/** Only parameters are validated: the local run has no models for bodies. */
const requestValidatorSchema = z.strictObject({
  RestApiId: z.string(),
  Name: ignored,
  ValidateRequestBody: z.boolean().optional(),
  ValidateRequestParameters: z.boolean().default(false),
});

const authorizerSchema = z.strictObject({
  RestApiId: z.string(),
  Type: z.literal("REQUEST"),
  AuthorizerUri: z.string(),
  AuthorizerResultTtlInSeconds: z.coerce.number().default(300),
  IdentitySource: z.string().default(""),
  AuthorizerCredentials: ignored,
  AuthType: ignored,
  Name: ignored,
});

const gatewayResponseSchema = z.strictObject({
  RestApiId: z.string(),
  ResponseType: z.string(),
  StatusCode: z.coerce.number().optional(),
  ResponseParameters: texts,
  ResponseTemplates: texts,
});

const deploymentSchema = z.strictObject({ RestApiId: z.string(), Description: ignored });

const stageSchema = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string(),
  DeploymentId: z.string(),
  Variables: z.record(z.string(), z.string()).optional(),
  AccessLogSetting: ignored,
  CacheClusterEnabled: ignored,
  CacheClusterSize: ignored,
  ClientCertificateId: ignored,
  Description: ignored,
  MethodSettings: ignored,
  Tags: ignored,
  TracingEnabled: ignored,
});

const usagePlanSchema = z.strictObject({
  ApiStages: z.array(z.strictObject({ ApiId: z.string(), Stage: z.string(), Throttle: ignored })).default([]),
  Throttle: z
    .strictObject({ RateLimit: z.coerce.number(), BurstLimit: z.coerce.number() })
    .transform(({ RateLimit, BurstLimit }) => ({ ratePerSecond: RateLimit, burst: BurstLimit }))
    .optional(),
  Quota: z
    .strictObject({ Limit: z.coerce.number(), Period: z.enum(["DAY", "WEEK", "MONTH"]) })
    .transform(({ Limit, Period }) => ({ limit: Limit, period: Period }))
    .optional(),
  UsagePlanName: ignored,
  Description: ignored,
  Tags: ignored,
});

/** An id as short as API Gateway's, the same in every run. */
function shortId(environment: AwsEnvironment, logicalId: string): string {
  return createHash("sha256").update(`${environment.stackName}/${logicalId}`).digest("hex").slice(0, 10);
}

/** The parameters that a method requires, of those that it declares. */
function requiredParameters(declared: Readonly<Record<string, boolean>>): RequiredParameter[] {
  return Object.entries(declared)
    .filter(([, required]) => required)
    .flatMap(([parameter]): RequiredParameter[] => {
      const [, location, name = ""] =
        /^method\.request\.(header|querystring|path)\.(.+)$/.exec(parameter) ?? [];
      if (location === undefined) throw new Error(`${parameter} is not a parameter of a request`);
      // A path parameter is never missing: the route would not match without it.
      return location === "path" ? [] : [{ location: location as RequiredParameter["location"], name }];
    });
}

/**
 * ARN of the function in an integration's URI.
 *
 * @param action the last part of the address: how Lambda is asked to invoke the function
 */
function functionArnIn(uri: string, action = "invocations"): string {
  const [, functionArn, found] = /\/functions\/(.+)\/([^/]+)$/.exec(uri) ?? [];
  if (functionArn === undefined || found !== action) {
    throw new Error(`${uri} is not the address of a Lambda function with the action ${action}`);
  }
  return functionArn;
}

function lambdaIntegrationOf({
  Uri,
  TimeoutInMillis,
  ResponseTransferMode,
}: z.output<typeof lambdaIntegration>) {
  const streams = ResponseTransferMode === "STREAM";
  const functionArn = functionArnIn(Uri, streams ? "response-streaming-invocations" : "invocations");
  return { functionArn, timeoutMilliseconds: TimeoutInMillis, streams };
}

/**
 * The resource types of API Gateway's REST APIs.
 *
 * @param api filled in as the resources are created
 * @param usagePlans likewise
 */
export function restApiTypes(
  environment: AwsEnvironment,
  api: RestApiDeclaration,
  usagePlans: UsagePlans,
): Record<string, ResourceType> {
  const identified =
    (create: (resource: DeclaredResource, id: string) => Record<string, string> | undefined): ResourceType =>
    (resource): ResourceValues => {
      const id = shortId(environment, resource.logicalId);
      return { ref: id, attributes: create(resource, id) ?? {} };
    };

  return {
    "AWS::ApiGateway::RestApi": identified(({ properties }, id) => {
      if (api.id !== undefined) throw new Error("the local run serves one API, and the stack has another");
      const own = restApiSchema.parse(properties);
      const rootId = shortId(environment, "root");
      api.id = id;
      api.name = own.Name;
      api.minimumCompressionBytes = own.MinimumCompressionSize;
      api.binaryMediaTypes = own.BinaryMediaTypes;
      api.paths.set(rootId, "");
      return { RestApiId: id, RootResourceId: rootId };
    }),
    "AWS::ApiGateway::Resource": identified(({ properties }, id) => {
      const { ParentId, PathPart } = resourceSchema.parse(properties);
      api.paths.set(id, `${api.paths.get(ParentId)}/${PathPart}`);
      return { ResourceId: id };
    }),
    "AWS::ApiGateway::Method": identified(({ properties }) => {
      const own = methodSchema.parse(properties);
      if ((own.AuthorizationType === "CUSTOM") !== (own.AuthorizerId !== undefined)) {
        throw new Error("AuthorizerId is required with AuthorizationType CUSTOM, and allowed with no other");
      }
      const { Integration: integration } = own;
      api.methods.push({
        resourceId: own.ResourceId,
        httpMethod: own.HttpMethod,
        authorizerId: own.AuthorizerId,
        counted: own.ApiKeyRequired,
        required: api.parameterValidators.has(own.RequestValidatorId ?? "")
          ? requiredParameters(own.RequestParameters)
          : [],
        integration:
          integration.Type === "MOCK"
            ? { response: mockResponse(integration) }
            : lambdaIntegrationOf(integration),
      });
      return undefined;
    }),
    "AWS::ApiGateway::RequestValidator": identified(({ properties }, id) => {
      const own = requestValidatorSchema.parse(properties);
      if (own.ValidateRequestParameters) api.parameterValidators.add(id);
      return { RequestValidatorId: id };
    }),
    "AWS::ApiGateway::Authorizer": identified(({ properties }, id) => {
      const own = authorizerSchema.parse(properties);
      api.authorizers.set(id, {
        functionArn: functionArnIn(own.AuthorizerUri),
        identitySources: own.IdentitySource.split(",").filter((source) => source !== ""),
        cacheSeconds: own.AuthorizerResultTtlInSeconds,
      });
      return { AuthorizerId: id };
    }),
    "AWS::ApiGateway::UsagePlan": identified(({ properties }, id) => {
      const { Throttle, Quota } = usagePlanSchema.parse(properties);
      usagePlans.plans.set(id, { throttle: Throttle, quota: Quota });
      return { Id: id };
    }),
    "AWS::ApiGateway::GatewayResponse": identified(({ properties }) => {
      const own = gatewayResponseSchema.parse(properties);
      const response: GatewayResponse = {
        statusCode: own.StatusCode,
        parameters: own.ResponseParameters,
        templates: own.ResponseTemplates,
      };
      api.gatewayResponses.set(own.ResponseType, response);
      return undefined;
    }),
    "AWS::ApiGateway::Deployment": identified(({ properties }, id) => {
      deploymentSchema.parse(properties);
      return { DeploymentId: id };
    }),
    "AWS::ApiGateway::Stage": ({ properties }) => {
      const own = stageSchema.parse(properties);
      if (api.stage !== undefined) throw new Error("the local run serves one stage, and the API has another");
      api.stage = { name: own.StageName, deploymentId: own.DeploymentId, variables: own.Variables ?? null };
      return { ref: own.StageName, attributes: {} };
    },
  };
}
