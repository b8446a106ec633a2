import { randomBytes } from "node:crypto";
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningDynamoDb } from "../core/aws/engine.ts";
import {
  type Resources,
  restApi,
  run,
  stackName,
  type TestRun,
} from "../packages/local-aws/cloud-assembly.ts";
import { describeOnEachEngine } from "./dynamodb-engines.ts";

const follower = {
  code: `export const handler = async ({ Records }) => {
    for (const { eventName, dynamodb } of Records) console.log(eventName + " " + JSON.stringify(dynamodb.NewImage));
  };`,
};

const keys = {
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" as const }],
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" as const }],
  BillingMode: "PAY_PER_REQUEST" as const,
};

function streamed(table: string): Resources {
  return {
    ...restApi([]),
    [table]: {
      Type: "AWS::DynamoDB::Table",
      Properties: { ...keys, StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" } },
    },
    Mapping: {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: {
        EventSourceArn: { "Fn::GetAtt": [table, "StreamArn"] },
        FunctionName: { Ref: "follower" },
        StartingPosition: "TRIM_HORIZON",
      },
    },
  };
}

await describeOnEachEngine("a local run", (engine) => {
  let dynamodb: RunningDynamoDb;
  let client: DynamoDBClient;
  let stack: TestRun | undefined;

  beforeAll(async () => {
    dynamodb = await engine.start();
    client = new DynamoDBClient({
      endpoint: dynamodb.endpoint,
      region: "eu-north-1",
      credentials: localCredentials,
    });
  });
  afterAll(async () => {
    client.destroy();
    await stack?.stop();
    await dynamodb.stop();
  });

  async function follow(table: string): Promise<void> {
    stack = await run(
      { functions: { follower }, resources: streamed(table) },
      { dynamodb: dynamodb.endpoint },
    );
    await client.send(new PutItemCommand({ TableName: stack.resource(table), Item: { id: { S: table } } }));
    const { lines } = stack;
    await expect.poll(() => lines.map(({ text }) => text)).toEqual([`INSERT {"id":{"S":"${table}"}}`]);
    await stack.stop();
    stack = undefined;
  }

  test("feeds a function from its stream", () => follow(`Table${randomBytes(8).toString("hex")}`));

  // dynalite cannot give a table a stream later, and starts with none.
  test.skipIf(engine.name === "embedded")("gives a table that was there before a stream", async () => {
    const table = `Table${randomBytes(8).toString("hex")}`;
    await client.send(new CreateTableCommand({ TableName: `${stackName}-${table}`, ...keys }));
    await follow(table);
  });
});
