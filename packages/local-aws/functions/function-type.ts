import * as z from "zod";
import { type AwsEnvironment, arn, localCredentials } from "../base/environment.ts";
import type { ResourceType } from "../base/resource-type.ts";
import { createFunction, type FunctionMetric, type LocalFunction } from "./local-function.ts";

/** Ignored: permissions, architecture, and the destinations of logs. */
const ignored = z.unknown().optional();

const propertiesSchema = z.strictObject({
  FunctionName: z.string().optional(),
  Code: z.strictObject({ S3Bucket: ignored, S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.string().startsWith("nodejs"),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
  MemorySize: z.coerce.number().default(128),
  Timeout: z.coerce.number().default(3),
  ReservedConcurrentExecutions: z.coerce.number().optional(),
  Architectures: ignored,
  Description: ignored,
  LoggingConfig: ignored,
  RecursiveLoop: ignored,
  Role: ignored,
});

/** Endpoints of the services that functions call, by the service's name in the SDK's variables, such as DYNAMODB. */
type ServiceEndpoints = Readonly<Record<string, string>>;

/** The variables that Lambda itself sets. */
function reservedVariables(
  name: string,
  { Handler, MemorySize, Runtime }: z.output<typeof propertiesSchema>,
  code: string,
  environment: AwsEnvironment,
): Record<string, string> {
  return {
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_DEFAULT_REGION: environment.region,
    AWS_REGION: environment.region,
    // SAM's name for it; it tells libraries that the function runs on a developer's machine.
    AWS_SAM_LOCAL: "true",
    AWS_EXECUTION_ENV: `AWS_Lambda_${Runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    LAMBDA_TASK_ROOT: code,
    LANG: "en_US.UTF-8",
    PATH: "/usr/local/bin:/usr/bin:/bin",
    TZ: ":UTC",
    _HANDLER: Handler,
  };
}

/** The environment variables that point the AWS SDK at the engines. */
export function engineVariables(endpoints: ServiceEndpoints): Record<string, string> {
  const services = Object.entries(endpoints).map(([service, url]) => [`AWS_ENDPOINT_URL_${service}`, url]);
  return { ...Object.fromEntries(services), AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false" };
}

/** Endpoints, asset paths and callbacks that all functions of the stack share. */
interface FunctionDependencies {
  readonly environment: AwsEnvironment;
  readonly endpoints: ServiceEndpoints;
  readonly assetPath: (objectKey: string) => string;
  readonly log: (line: { function: string; text: string }) => void;
  readonly measure: (functionName: string, metric: FunctionMetric, value: number) => void;
  /** Called with each function, the last part of its construct's path, and its variables, which an environment takes over when it starts. */
  readonly found: (name: string, local: LocalFunction, variables: Record<string, string>) => void;
}

/** AWS::Lambda::Function with a Node.js runtime, run from its asset. */
export function functionType({
  environment,
  endpoints,
  assetPath,
  log,
  measure,
  found,
}: FunctionDependencies): ResourceType {
  return ({ physicalName, path, properties }) => {
    const own = propertiesSchema.parse(properties);
    const name = own.FunctionName ?? physicalName;
    const shortName = path.split("/").at(-1) ?? path;
    const functionArn = arn(environment, "lambda", `function:${name}`);
    const code = assetPath(own.Code.S3Key);
    const variables: Record<string, string> = {
      ...reservedVariables(name, own, code, environment),
      ...own.Environment?.Variables,
      ...engineVariables(endpoints),
    };
    const local = createFunction({
      runtime: {
        code,
        handler: own.Handler,
        functionName: name,
        functionArn,
        memoryMegabytes: own.MemorySize,
      },
      variables,
      timeoutSeconds: own.Timeout,
      reservedConcurrency: own.ReservedConcurrentExecutions,
      log: (text) => log({ function: shortName, text }),
      measure: (metric, value) => measure(name, metric, value),
    });
    found(shortName, local, variables);
    return { ref: name, attributes: { Arn: functionArn } };
  };
}
