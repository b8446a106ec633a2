import { type Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { bundle, type FunctionName } from "./bundles.ts";
import type { StageSettings } from "./settings.ts";

/**
 * What the SDK is not told, it looks for in files that only a developer's machine has: four milliseconds of each
 * environment's first request. These are its own defaults (for the attempts DynamoDB's), and a name for AWS's logs.
 */
const sdkSettings = {
  AWS_ACCOUNT_ID_ENDPOINT_MODE: "preferred",
  AWS_AUTH_SCHEME_PREFERENCE: "sigv4",
  AWS_DEFAULTS_MODE: "legacy",
  AWS_DISABLE_CLOCK_SKEW_CORRECTION: "false",
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true",
  AWS_MAX_ATTEMPTS: "4",
  AWS_RETRY_MODE: "standard",
  AWS_SDK_UA_APP_ID: "scorecards",
  AWS_USE_DUALSTACK_ENDPOINT: "false",
  AWS_USE_FIPS_ENDPOINT: "false",
};

/** What a function is given. */
export interface PipelineFunctionProps {
  readonly description: string;
  readonly timeout: Duration;
  /** Megabytes; one virtual processor at 1,769. */
  readonly memorySize: number;
  readonly environment: Record<string, string>;
  /** At most so many runs at the same time; no limit of its own where absent. */
  readonly reservedConcurrentExecutions?: number;
  /** Why its own runs are not traced, where they are not. */
  readonly untracedBecause?: string;
}

/**
 * One of the pipeline's functions: the bundle of `functions/{name}/handler.ts`, with a role and a log group of its
 * own, so that it may do and keep no more than it needs.
 */
export function pipelineFunction(
  scope: Construct,
  name: FunctionName,
  { logRetentionDays, logLevel }: Pick<StageSettings, "logRetentionDays" | "logLevel">,
  { environment, untracedBecause, ...props }: PipelineFunctionProps,
): LambdaFunction {
  const { stackName } = Stack.of(scope);
  const logGroup = new LogGroup(scope, `${name}-logs`, {
    // Where whoever is woken finds it by what the runbook says.
    logGroupName: `/aws/lambda/${stackName}/${name}`,
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, `${name}-role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray's own two actions, to send traces and read what to sample, know no narrower resource.",
  });
  const created = new LambdaFunction(scope, name, {
    ...props,
    environment: {
      ...environment,
      ...sdkSettings,
      POWERTOOLS_SERVICE_NAME: name,
      POWERTOOLS_LOG_LEVEL: logLevel,
      POWERTOOLS_METRICS_NAMESPACE: stackName,
    },
    role,
    logGroup,
    code: bundle(name),
    handler: "index.handler",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    // Behind the API a run is traced where its request is, by the API's own rule.
    tracing: untracedBecause === undefined ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
    loggingFormat: LoggingFormat.JSON,
    // Metrics say that runs began and ended; a line is worth its price only where one fails.
    systemLogLevelV2: SystemLogLevel.WARN,
  });
  if (untracedBecause !== undefined) {
    Validations.of(created).acknowledge({ id: "Serverless-LambdaTracing", reason: untracedBecause });
  }
  return created;
}

/** Allows a function one thing, by exact actions on exact resources. */
export function allow(to: LambdaFunction, actions: readonly string[], resources: readonly string[]): void {
  to.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
}
