import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";

/** Each function's environment variables for the SDK. */
let sdkVariables: Record<string, string>[];

beforeAll(async () => {
  const template = await templateOf(settings.production);
  sdkVariables = Object.values(template.findResources("AWS::Lambda::Function")).map(({ Properties }) => {
    const variables = Object.entries<string>(Properties.Environment.Variables);
    return Object.fromEntries(variables.filter(([name]) => name.startsWith("AWS_")));
  });
});

/** A script that sends a request nowhere, and prints the files that the SDK read for it. */
const firstRequest = (client: string, command: string, from: string, input: object) => `
  import files from "node:fs/promises";
  import { syncBuiltinESMExports } from "node:module";
  const read = [];
  const { readFile } = files;
  files.readFile = (path, ...options) => {
    read.push(String(path));
    return readFile(path, ...options);
  };
  syncBuiltinESMExports();
  const { ${client}: Client, ${command}: Command } = await import("${from}");
  const handle = async () => { throw new Error("goes nowhere"); };
  const client = new Client({ requestHandler: { handle, metadata: { handlerProtocol: "http/1.1" } } });
  const { message } = await client.send(new Command(${JSON.stringify(input)})).catch((error) => error);
  console.log(JSON.stringify({ message, read }));
`;

/** The variables that Lambda itself sets. */
const lambda = { AWS_REGION: "eu-north-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" };

test("every function has the same settings of the SDK", () => {
  for (const variables of sdkVariables) expect(variables).toEqual(sdkVariables[0]);
});

test.each([
  ["DynamoDBClient", "GetItemCommand", "@aws-sdk/client-dynamodb", { TableName: "cards", Key: {} }],
  [
    "SQSClient",
    "GetQueueAttributesCommand",
    "@aws-sdk/client-sqs",
    { QueueUrl: "https://sqs.eu-north-1.amazonaws.com/1/queue" },
  ],
  [
    "SecretsManagerClient",
    "GetSecretValueCommand",
    "@aws-sdk/client-secrets-manager",
    { SecretId: "vendor" },
  ],
])("with these settings, the first request of %s reads no file", (client, command, from, input) => {
  const printed = execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", firstRequest(client, command, from, input)],
    { env: { ...lambda, ...sdkVariables[0] }, encoding: "utf8" },
  );
  expect(JSON.parse(printed)).toEqual({ message: "goes nowhere", read: [] });
});
