import * as z from "zod";
import { restApiTypes } from "./api/rest-api-types.ts";
import type { ResourceType } from "./base/resource-type.ts";
import { everySecond, streamEventSource } from "./dynamodb/stream-event-source-type.ts";
import { tableType } from "./dynamodb/tables.ts";
import { eventSourceMappingType } from "./functions/event-source-mapping.ts";
import { functionType } from "./functions/function-type.ts";
import type { LocalFunction } from "./functions/local-function.ts";
import { alarmType } from "./metrics/alarms.ts";
import { queueApiOf } from "./queues/queue-api.ts";
import { queueEventSource } from "./queues/queue-event-source.ts";
import { queueType, type sqsClient } from "./queues/queues.ts";
import { findFunction, measure, type RunningStack, type Services } from "./running-stack.ts";
import { scheduleType } from "./schedules.ts";
import { secretType } from "./secrets.ts";
import type { SynthesizedStack } from "./template/cloud-assembly.ts";

const versionSchema = z.strictObject({ FunctionName: z.string() });

const aliasSchema = z.strictObject({
  FunctionName: z.string(),
  FunctionVersion: z.string(),
  Name: z.string(),
});

/** The version that the only code of a function has here. */
const onlyVersion = "1";

/**
 * AWS::Lambda::Version and AWS::Lambda::Alias of a function. There is one version only, which has all invocations: whoever invokes an alias
 * invokes the function.
 */
function aliasTypes(
  functionBy: (nameOrArn: string) => LocalFunction | undefined,
): Readonly<Record<"AWS::Lambda::Version" | "AWS::Lambda::Alias", ResourceType>> {
  const toArn = (name: string) => {
    const found = functionBy(name);
    if (found === undefined) throw new Error(`the stack has no function ${name}`);
    return found.arn;
  };
  return {
    "AWS::Lambda::Version": ({ properties }) => {
      const { FunctionName } = versionSchema.parse(properties);
      const FunctionArn = `${toArn(FunctionName)}:${onlyVersion}`;
      return { ref: FunctionArn, attributes: { FunctionArn, Version: onlyVersion } };
    },
    "AWS::Lambda::Alias": ({ properties }) => {
      const { FunctionName, Name } = aliasSchema.parse(properties);
      const AliasArn = `${toArn(FunctionName)}:${Name}`;
      return { ref: AliasArn, attributes: { AliasArn } };
    },
  };
}

const followStreams = (running: RunningStack, dynamodb: Services["dynamodb"]) =>
  streamEventSource({
    environment: running.environment,
    endpoint: dynamodb.address,
    nextChange: "nextStreamChange" in dynamodb ? dynamodb.nextStreamChange : everySecond(),
    iteratorAge: (FunctionName, age) => measure(running, "AWS/Lambda", "IteratorAge", { FunctionName }, age),
    log: (text) => running.log({ function: "stream", text }),
  });

/** How each type of resource is created. What is created is added to the running stack. */
export function localResourceTypes(
  running: RunningStack,
  { dynamodb, sqs, secretsManager, lambda, cloudWatch, sts, sns }: Services,
  queueClient: ReturnType<typeof sqsClient>,
  { assetPath }: Pick<SynthesizedStack, "assetPath">,
  options: { readonly secrets: Readonly<Record<string, string>>; readonly alarmSpeed?: number },
): Readonly<Record<string, ResourceType>> {
  const { environment, log } = running;
  const functionBy = (nameOrArn: string): LocalFunction | undefined => findFunction(running, nameOrArn);
  return {
    "AWS::DynamoDB::Table": tableType(dynamodb.address, environment),
    "AWS::SQS::Queue": queueType(queueClient, sqs.address, (arn, url) => running.queueUrls.set(arn, url)),
    "AWS::SecretsManager::Secret": secretType(running.secrets, options.secrets),
    "AWS::Lambda::Function": functionType({
      environment,
      endpoints: {
        CLOUDWATCH: cloudWatch.address,
        DYNAMODB: dynamodb.address,
        LAMBDA: lambda.address,
        SECRETS_MANAGER: secretsManager.address,
        SNS: sns.address,
        SQS: sqs.address,
        STS: sts.address,
      },
      assetPath,
      log,
      measure: (FunctionName, metric, value) =>
        measure(running, "AWS/Lambda", metric, { FunctionName }, value),
      found: (name, local, variables) => {
        if (running.functions.has(name)) throw new Error(`the stack has two functions called ${name}`);
        running.functions.set(name, local);
        running.variables.push(variables);
      },
    }),
    ...aliasTypes(functionBy),
    "AWS::Lambda::EventSourceMapping": eventSourceMappingType({
      environment,
      sources: {
        dynamodb: followStreams(running, dynamodb),
        sqs: queueEventSource("api" in sqs ? sqs.api : queueApiOf(queueClient), (arn) =>
          running.queueUrls.get(arn),
        ),
      },
      function: functionBy,
      found: (mapping) => running.mappings.push(mapping),
    }),
    "AWS::Scheduler::Schedule": scheduleType(environment, functionBy, (schedule) =>
      running.schedules.push(schedule),
    ),
    "AWS::CloudWatch::Alarm": alarmType(
      environment,
      running.metrics,
      (alarm) => running.alarms.push(alarm),
      options.alarmSpeed,
    ),
    ...restApiTypes(environment, running.api, running.usagePlans),
  };
}
