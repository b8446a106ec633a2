import { expect, test } from "vitest";
import { bundledFiles, type FunctionName, functionNames } from "../../lib/bundles.ts";
import { settings } from "../../lib/settings.ts";
import { deployedRoles } from "./deployed-roles.ts";

const { statements, eventSource } = await deployedRoles({
  ...settings.test,
  endpointMails: [{ address: "golf@greens.example" }],
  recordCheck: { ...settings.test.recordCheck, share: 1 },
});

/** Services by the package of their client. */
const services: Readonly<Record<string, string>> = {
  "client-cloudwatch": "cloudwatch",
  "client-dynamodb": "dynamodb",
  "client-lambda": "lambda",
  "client-secrets-manager": "secretsmanager",
  "client-sns": "sns",
  "client-sqs": "sqs",
  "client-sts": "sts",
};

/** Commands whose permissions have other names: IAM checks what each statement of a batch does. */
const permittedBy: Readonly<Record<string, readonly string[]>> = {
  "dynamodb:BatchExecuteStatement": ["dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"],
  "sqs:DeleteMessageBatch": ["sqs:DeleteMessage"],
  "sqs:SendMessageBatch": ["sqs:SendMessage"],
};

/** It changes cards that wait, and stores none. */
const updatesOnly = new Set<FunctionName>(["wake-waiting-cards"]);

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
    .flatMap((command) => permittedBy[command] ?? [command])
    .filter((action) => !(updatesOnly.has(name) && action === "dynamodb:PartiQLInsert"));
}

function fed(name: FunctionName): readonly string[] {
  const own = eventSource(name);
  if (own === undefined) return [];
  const reading = feeding[own.StartingPosition === undefined ? "sqs" : "dynamodb"] ?? [];
  // What it gives up is told to its destination, if it has one.
  return own.DestinationConfig === undefined ? reading : [...reading, "sns:Publish"];
}

const permitted = (name: FunctionName): string[] =>
  statements(`${name}-role`)
    .flatMap(({ Action }) => Action)
    .filter((action) => !/^logs:/.test(action));

test.each(functionNames)("the role of %s allows exactly the calls that its bundle contains", (name) => {
  const wanted = new Set([...called(name), ...fed(name)]);
  expect([...new Set(permitted(name))].sort()).toEqual([...wanted].sort());
});
