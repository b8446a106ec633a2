import { App } from "aws-cdk-lib";
import { Policy } from "aws-cdk-lib/aws-iam";
import { CfnEventSourceMapping, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { expect, test } from "vitest";
import { bundledFiles, type FunctionName, functionNames } from "../../lib/bundles.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";

const stack = new PipelineStack(new App(), "scorecard-pipeline-test", {
  settings: {
    ...settings.test,
    outcomeEvents: true,
    recordCheck: { ...settings.test.recordCheck, share: 1 },
  },
});

/** Services by the package of their client. */
const services: Readonly<Record<string, string>> = {
  "client-cloudwatch": "cloudwatch",
  "client-dynamodb": "dynamodb",
  "client-eventbridge": "events",
  "client-lambda": "lambda",
  "client-secrets-manager": "secretsmanager",
  "client-sqs": "sqs",
};

/** Commands whose permissions have other names: IAM checks what each statement of a batch does. */
const permittedBy: Readonly<Record<string, readonly string[]>> = {
  "dynamodb:BatchExecuteStatement": ["dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"],
  "sqs:SendMessageBatch": ["sqs:SendMessage"],
};

/** DynamoDB's client calls this only if endpoint discovery is turned on, which it is not. */
const never = new Set(["dynamodb:DescribeEndpoints"]);

/**
 * What Lambda itself calls with the role of a function that has an event source.
 *
 * @see AWS managed policies AWSLambdaSQSQueueExecutionRole and AWSLambdaDynamoDBExecutionRole
 */
const feeding: Readonly<Record<string, readonly string[]>> = {
  sqs: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
  dynamodb: [
    "dynamodb:DescribeStream",
    "dynamodb:GetRecords",
    "dynamodb:GetShardIterator",
    "dynamodb:ListStreams",
  ],
};

function called(name: FunctionName): string[] {
  const commands = bundledFiles(name).flatMap((file) => {
    const [, client = "", command = ""] =
      /@aws-sdk\/(client-[^/]+)\/.*\/commands\/(\w+)Command\.js$/.exec(file) ?? [];
    const service = services[client];
    if (client !== "" && service === undefined)
      throw new Error(`${client} is a service this test does not know`);
    return command === "" ? [] : [`${service}:${command}`];
  });
  return commands
    .filter((command) => !never.has(command))
    .flatMap((command) => permittedBy[command] ?? [command]);
}

function fed(name: FunctionName): readonly string[] {
  const target = stack.node.findAll().find((one) => one instanceof LambdaFunction && one.node.id === name);
  const mappings = stack.node.findAll().filter((one) => one instanceof CfnEventSourceMapping);
  const own = mappings.find(({ functionName }) => {
    const named = JSON.stringify(stack.resolve(functionName));
    return (
      target instanceof LambdaFunction &&
      named.includes(JSON.stringify(stack.resolve(target.functionName)).slice(8, -2))
    );
  });
  if (own === undefined) return [];
  const reading = feeding[own.startingPosition === undefined ? "sqs" : "dynamodb"] ?? [];
  // What it gives up is told to its destination, if it has one.
  return own.destinationConfig === undefined ? reading : [...reading, "sns:Publish"];
}

function permitted(name: FunctionName): string[] {
  const policies = stack.node
    .findAll()
    .filter(
      (construct) => construct instanceof Policy && construct.node.scope?.node.id === `${name}-role`,
    ) as Policy[];
  const actions = policies.flatMap(({ document }): string[] =>
    stack.resolve(document).Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
  );
  return actions.filter((action) => !/^(logs|xray):/.test(action));
}

test.each(functionNames)("the role of %s allows exactly the calls that its bundle contains", (name) => {
  const wanted = new Set([...called(name), ...fed(name)]);
  expect([...new Set(permitted(name))].sort()).toEqual([...wanted].sort());
});
