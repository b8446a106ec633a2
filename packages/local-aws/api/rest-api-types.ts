import * as z from "zod";
import type { AwsEnvironment } from "../base/environment.ts";
import type { DeclaredResource, ResourceType } from "../base/resource-type.ts";
import type { ResourceValues } from "../template/intrinsics.ts";
import { bodySchema, partsOf } from "./rest-api-body.ts";
import type { RestApiDeclaration } from "./rest-api-declaration.ts";
import { shortId } from "./short-id.ts";
import type { UsagePlans } from "./usage-plans.ts";

/** Ignored: names, documents, logs, limits of methods. */
const ignored = z.unknown().optional();

const restApiSchema = z.strictObject({
  Body: bodySchema,
  Name: z.string().optional(),
  Description: ignored,
  MinimumCompressionSize: z.coerce.number().optional(),
  // AWS can also take the key from a header; the local run only takes it from the authorizer.
  ApiKeySourceType: z.literal("AUTHORIZER").optional(),
  EndpointConfiguration: ignored,
  // The local run begins with the body. AWS would otherwise keep paths of the body before it.
  Mode: z.literal("overwrite").optional(),
  EndpointAccessMode: ignored,
  SecurityPolicy: ignored,
});

const deploymentSchema = z.strictObject({ RestApiId: z.string(), Description: ignored });

const stageSchema = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string(),
  DeploymentId: z.string(),
  AccessLogSetting: ignored,
  MethodSettings: ignored,
});

const usagePlanSchema = z.strictObject({
  ApiStages: z.array(z.strictObject({ ApiId: z.string(), Stage: z.string(), Throttle: ignored })).default([]),
  Throttle: z
    .strictObject({ RateLimit: z.coerce.number(), BurstLimit: z.coerce.number() })
    .transform(({ RateLimit, BurstLimit }) => ({ ratePerSecond: RateLimit, burst: BurstLimit }))
    .optional(),
  Quota: z
    .strictObject({ Limit: z.coerce.number(), Period: z.literal("DAY") })
    .transform(({ Limit }) => ({ limit: Limit }))
    .optional(),
  UsagePlanName: ignored,
});

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
      const { Body: body } = own;
      api.id = id;
      api.name = own.Name ?? body.info.title;
      api.minimumCompressionBytes =
        own.MinimumCompressionSize ?? body["x-amazon-apigateway-minimum-compression-size"];
      api.parts = partsOf(body);
      return { RestApiId: id, RootResourceId: shortId(environment, "/") };
    }),
    "AWS::ApiGateway::UsagePlan": identified(({ properties }, id) => {
      const { Throttle, Quota } = usagePlanSchema.parse(properties);
      usagePlans.plans.set(id, { throttle: Throttle, quota: Quota });
      return { Id: id };
    }),
    "AWS::ApiGateway::Deployment": identified(({ properties }, id) => {
      deploymentSchema.parse(properties);
      return { DeploymentId: id };
    }),
    "AWS::ApiGateway::Stage": ({ properties }) => {
      const own = stageSchema.parse(properties);
      if (api.stage !== undefined) throw new Error("the local run serves one stage, and the API has another");
      api.stage = { name: own.StageName, deploymentId: own.DeploymentId };
      return { ref: own.StageName, attributes: {} };
    },
  };
}
