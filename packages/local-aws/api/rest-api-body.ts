import * as z from "zod";
import type { ApiParts, MethodDeclaration } from "./rest-api-declaration.ts";

/*
 * An API's OpenAPI body, as the template's RestApi has it. Every object is strict: an extension of API Gateway that is not
 * supported here is an error that names it.
 */

/** Ignored: descriptions for people, and settings that only matter on AWS. */
const ignored = z.unknown().optional();

const texts = z.record(z.string(), z.coerce.string()).default({});

const integrationSchema = z.strictObject({
  type: z.literal("aws_proxy"),
  httpMethod: z.literal("POST"),
  uri: z.string(),
  timeoutInMillis: z.coerce.number().default(29_000),
  responseTransferMode: z.enum(["BUFFERED", "STREAM"]).default("BUFFERED"),
});

const parameterSchema = z.strictObject({
  name: z.string(),
  in: z.literal("header"),
  required: z.literal(true),
  schema: ignored,
});

const operationSchema = z.strictObject({
  responses: ignored,
  parameters: z.array(parameterSchema).default([]),
  security: z.array(z.record(z.string(), z.array(z.never()))).default([]),
  "x-amazon-apigateway-request-validator": z.string().optional(),
  "x-amazon-apigateway-integration": integrationSchema,
});

type Operation = z.output<typeof operationSchema>;

const pathSchema = z.partialRecord(
  z.enum(["get", "put", "post", "delete", "options", "head", "patch"]),
  operationSchema,
);

const authorizerScheme = z.strictObject({
  type: z.literal("apiKey"),
  in: z.literal("header"),
  name: z.string(),
  "x-amazon-apigateway-authtype": ignored,
  "x-amazon-apigateway-authorizer": z.strictObject({
    type: z.literal("request"),
    authorizerUri: z.string(),
    identitySource: z.string().default(""),
    authorizerResultTtlInSeconds: z.coerce.number().default(300),
  }),
});

/** Requests count under the usage plan of an API key. API Gateway knows the scheme by the header's name. */
const usageKeyScheme = z.strictObject({
  type: z.literal("apiKey"),
  in: z.literal("header"),
  name: z.literal("x-api-key"),
});

/** Bodies are not validated: the local run has no models for them. */
const validatorSchema = z.strictObject({
  validateRequestBody: z.boolean().optional(),
  validateRequestParameters: z.boolean().default(false),
});

const gatewayResponseSchema = z
  .strictObject({
    statusCode: z.coerce.number().optional(),
    responseParameters: texts,
    responseTemplates: texts,
  })
  .transform(({ statusCode, responseParameters, responseTemplates }) => ({
    statusCode,
    parameters: responseParameters,
    templates: responseTemplates,
  }));

/** The body of a REST API that the local run can serve. */
export const bodySchema = z.strictObject({
  openapi: z.string().regex(/^3\.0\./, "API Gateway imports OpenAPI 3.0"),
  info: z.strictObject({ title: z.string(), version: ignored, description: ignored }),
  paths: z.record(z.string(), pathSchema),
  components: z
    .strictObject({
      securitySchemes: z.record(z.string(), z.union([usageKeyScheme, authorizerScheme])).default({}),
    })
    .default({ securitySchemes: {} }),
  // AWS can also take the key from a header; the local run only takes it from the authorizer.
  "x-amazon-apigateway-api-key-source": z.literal("AUTHORIZER").optional(),
  "x-amazon-apigateway-minimum-compression-size": z.number().optional(),
  "x-amazon-apigateway-endpoint-access-mode": ignored,
  "x-amazon-apigateway-security-policy": ignored,
  "x-amazon-apigateway-request-validators": z.record(z.string(), validatorSchema).default({}),
  "x-amazon-apigateway-gateway-responses": z.record(z.string(), gatewayResponseSchema).default({}),
});

type Body = z.output<typeof bodySchema>;

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

function readIntegration({
  uri,
  timeoutInMillis,
  responseTransferMode,
}: Operation["x-amazon-apigateway-integration"]): MethodDeclaration["integration"] {
  const streams = responseTransferMode === "STREAM";
  const functionArn = functionArnIn(uri, streams ? "response-streaming-invocations" : "invocations");
  return { functionArn, timeoutMilliseconds: timeoutInMillis, streams };
}

/** The headers without which a method refuses a request; none if its validator does not check parameters. */
function requiredHeaders(
  { parameters, "x-amazon-apigateway-request-validator": validator }: Operation,
  validators: Body["x-amazon-apigateway-request-validators"],
): string[] {
  if (validator === undefined) return [];
  const declared = validators[validator];
  if (declared === undefined) throw new Error(`the body has no request validator ${validator}`);
  return declared.validateRequestParameters ? parameters.map(({ name }) => name) : [];
}

/** The schemes of a method: API Gateway requires all that its security names, also if they are listed as alternatives. */
function readSecurity(
  { security }: Operation,
  schemes: Body["components"]["securitySchemes"],
): Pick<MethodDeclaration, "authorizer" | "counted"> {
  const names = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  const authorizers: string[] = [];
  for (const name of names) {
    const scheme = schemes[name];
    if (scheme === undefined) throw new Error(`the body has no security scheme ${name}`);
    if ("x-amazon-apigateway-authorizer" in scheme) authorizers.push(name);
  }
  if (authorizers.length > 1)
    throw new Error(`a method has one authorizer, not ${authorizers.join(" and ")}`);
  return { authorizer: authorizers[0], counted: names.size > authorizers.length };
}

/**
 * The methods, authorizers and gateway responses of a body.
 *
 * @throws Error naming a function address, validator or security scheme that does not exist
 */
export function partsOf(body: Body): ApiParts {
  const { securitySchemes } = body.components;
  const methods = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): MethodDeclaration => {
      try {
        return {
          path,
          httpMethod: method.toUpperCase(),
          ...readSecurity(operation, securitySchemes),
          required: requiredHeaders(operation, body["x-amazon-apigateway-request-validators"]),
          integration: readIntegration(operation["x-amazon-apigateway-integration"]),
        };
      } catch (cause) {
        throw new Error(`${method} ${path}: ${(cause as Error).message}`, { cause });
      }
    }),
  );
  const authorizers = Object.entries(securitySchemes).flatMap(([name, scheme]) => {
    if (!("x-amazon-apigateway-authorizer" in scheme)) return [];
    const settings = scheme["x-amazon-apigateway-authorizer"];
    return [
      [
        name,
        {
          functionArn: functionArnIn(settings.authorizerUri),
          identitySources: settings.identitySource.split(",").filter((source) => source !== ""),
          cacheSeconds: settings.authorizerResultTtlInSeconds,
        },
      ] as const,
    ];
  });
  return {
    methods,
    authorizers: new Map(authorizers),
    gatewayResponses: new Map(Object.entries(body["x-amazon-apigateway-gateway-responses"])),
  };
}
