import { type Duration, RemovalPolicy, Stack, TimeZone, Validations } from "aws-cdk-lib";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { type IScheduleTarget, ScheduleExpression, ScheduleTargetInput } from "aws-cdk-lib/aws-scheduler";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { bundle, type FunctionName } from "./bundles.ts";
import { findReservedRuns } from "./reserved-runs.ts";
import { addAlias } from "./rollout.ts";
import type { StageSettings } from "./stage-settings.ts";

/**
 * The SDK's own defaults (for the attempts DynamoDB's), and a name for AWS's logs. The SDK looks for missing settings in
 * files that only a developer's machine has, which delays an environment's first request by four milliseconds.
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

/** Options of a function. */
export interface PipelineFunctionProps {
  readonly description: string;
  readonly timeout: Duration;
  /** Megabytes; one virtual processor at 1,769. */
  readonly memorySize: number;
  readonly environment: Record<string, string>;
  /** Most runs at the same time, in an account that has runs to reserve; no limit of its own if absent. */
  readonly reservedConcurrentExecutions?: number;
  /** Only if the function's messages may invoke it again and again. */
  readonly recursiveLoop?: RecursiveLoop;
}

/** Creates a function from the bundle of `functions/{name}/handler.ts`, with a role and a log group of its own. */
export function pipelineFunction(
  scope: Construct,
  name: FunctionName,
  settings: Pick<StageSettings, "logRetentionDays" | "accountConcurrency" | "rollout">,
  { environment, reservedConcurrentExecutions, ...props }: PipelineFunctionProps,
): LambdaFunction {
  const { stackName } = Stack.of(scope);
  const reserved =
    settings.accountConcurrency === "small"
      ? undefined
      : (reservedConcurrentExecutions ?? findReservedRuns(name));
  const logGroup = new LogGroup(scope, `${name}-logs`, {
    // The runbook names this pattern.
    logGroupName: `/aws/lambda/${stackName}/${name}`,
    retention: settings.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, `${name}-role`, { assumedBy: ofThisAccount(scope, "lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "Reading CloudWatch's metrics and alarms, where a function does that, has no narrower resource.",
  });
  const created = new LambdaFunction(scope, name, {
    ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    ...props,
    environment: {
      ...environment,
      ...sdkSettings,
      POWERTOOLS_SERVICE_NAME: name,
      POWERTOOLS_LOG_LEVEL: "INFO",
      POWERTOOLS_METRICS_NAMESPACE: stackName,
    },
    role,
    logGroup,
    code: bundle(name),
    handler: "index.handler",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
    // Metrics count the runs; a log line for each would cost more than it is worth.
    systemLogLevelV2: SystemLogLevel.WARN,
  });
  if (settings.rollout === "canary") addAlias(created);
  Validations.of(created).acknowledge({
    id: "Serverless-LambdaTracing",
    reason: "A trace would have addresses that name players; logs and metrics have what a run waited for.",
  });
  return created;
}

/**
 * A service that assumes a role for resources of this AWS account only. Otherwise it could be made to use the role for
 * somebody else's function or schedule.
 *
 * @see IAM user guide, The confused deputy problem
 */
function ofThisAccount(scope: Construct, service: string): ServicePrincipal {
  const conditions = { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } };
  return new ServicePrincipal(service, { conditions });
}

/** Allows a function actions on resources. */
export function allow(to: LambdaFunction, actions: readonly string[], resources: readonly string[]): void {
  to.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
}

/** What a function finds by a variable of its environment. */
type Bound = Table | Queue | Secret;

/** What stands in the variable, and what a policy names. */
function findAddress(resource: Bound): {
  readonly value: string;
  readonly arn: string;
  readonly service: string;
} {
  if (resource instanceof Table)
    return { value: resource.tableName, arn: resource.tableArn, service: "dynamodb" };
  if (resource instanceof Queue) return { value: resource.queueUrl, arn: resource.queueArn, service: "sqs" };
  return { value: resource.secretArn, arn: resource.secretArn, service: "secretsmanager" };
}

/**
 * Names a table, queue or secret in a function's environment, and allows the function actions on it.
 *
 * @param actions without the service
 * @param index of a table that the function may query
 * @example bind(follow, "ACTIVITY_TABLE", activity, ["Query", "PutItem"])
 */
export function bind(
  to: LambdaFunction,
  variable: string,
  resource: Bound,
  actions: readonly string[],
  index?: string,
): void {
  const { value, arn, service } = findAddress(resource);
  to.addEnvironment(variable, value);
  allow(
    to,
    actions.map((action) => `${service}:${action}`),
    [arn],
  );
  if (index !== undefined) allow(to, [`${service}:Query`], [`${arn}/index/${index}`]);
}

/**
 * Creates schedule targets that invoke a function, each with an event of its own.
 *
 * The scheduler does not wait for the run, so Lambda's own retries apply to a run that fails: two by default. The CDK's
 * target would also allow the scheduler to invoke every version of the function.
 *
 * @param retries attempts after the first, both to hand the event to Lambda and to run the function
 */
export function scheduled(
  scope: Construct,
  roleId: string,
  invoked: LambdaFunction,
  retries: 0 | 1 | 2,
): (event: Readonly<Record<string, unknown>>) => IScheduleTarget {
  invoked.configureAsyncInvoke({ retryAttempts: retries });
  Validations.of(invoked).acknowledge({
    id: "Serverless-LambdaAsyncFailureDestination",
    reason:
      "An event comes from the schedule and holds nothing that could be lost; an alarm reports failed runs.",
  });
  const role = new Role(scope, roleId, { assumedBy: ofThisAccount(scope, "scheduler.amazonaws.com") });
  role.addToPolicy(
    new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [invoked.functionArn] }),
  );
  return (event) => ({
    bind: () => ({
      arn: invoked.functionArn,
      role,
      input: ScheduleTargetInput.fromObject(event),
      retryPolicy: { maximumRetryAttempts: retries },
    }),
  });
}

/** Every day at a time of day in the union's time zone. */
export function daily(
  { hour, minute }: StageSettings["alarms"]["unsentAt"],
  { union: { timeZone } }: Pick<StageSettings, "union">,
): ScheduleExpression {
  return ScheduleExpression.cron({
    hour: String(hour),
    minute: String(minute),
    timeZone: TimeZone.of(timeZone),
  });
}
