import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import type { LoopbackServer } from "./loopback-server.ts";
import { arn, localCredentials, type Place } from "./place.ts";
import type { ResourceType } from "./resource-type.ts";

const pollMilliseconds = 20;

/** What the engine leaves out: backups, encryption at rest, protection, expiry of items, cost and metrics. */
const without = z.unknown().optional();

const propertiesSchema = z.strictObject({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  GlobalSecondaryIndexes: z
    .array(z.looseObject({ IndexName: z.string(), KeySchema: z.array(z.unknown()), Projection: z.unknown() }))
    .optional(),
  LocalSecondaryIndexes: z.array(z.unknown()).optional(),
  BillingMode: without,
  ProvisionedThroughput: without,
  OnDemandThroughput: without,
  WarmThroughput: without,
  TableClass: without,
  PointInTimeRecoverySpecification: without,
  SSESpecification: without,
  DeletionProtectionEnabled: without,
  TimeToLiveSpecification: without,
  ContributorInsightsSpecification: without,
  ResourcePolicy: without,
  Tags: without,
});

/** Starts DynamoDB in memory on 127.0.0.1, in a thread of its own, so that the rest goes on while it works. */
export async function startDynamoDb(): Promise<LoopbackServer> {
  const engine = new Worker(new URL("./dynamodb-thread.ts", import.meta.url), { execArgv: [] });
  const [address] = (await once(engine, "message")) as [string];
  return {
    address,
    async stop() {
      await engine.terminate();
    },
  };
}

async function createTable(client: DynamoDBClient, input: CreateTableCommandInput): Promise<void> {
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const describe = new DescribeTableCommand({ TableName: input.TableName });
  while ((await client.send(describe)).Table?.TableStatus !== "ACTIVE") await delay(pollMilliseconds);
}

/** AWS::DynamoDB::Table on the engine at an endpoint; a table that is there already is used as it is. */
export function tableType(endpoint: string, place: Place): ResourceType {
  return async ({ physicalName, properties }) => {
    const { TableName = physicalName, GlobalSecondaryIndexes, ...rest } = propertiesSchema.parse(properties);
    const client = new DynamoDBClient({ endpoint, region: place.region, credentials: localCredentials });
    try {
      await createTable(client, {
        TableName,
        AttributeDefinitions: rest.AttributeDefinitions,
        KeySchema: rest.KeySchema,
        LocalSecondaryIndexes: rest.LocalSecondaryIndexes,
        GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
          IndexName,
          KeySchema,
          Projection,
        })),
        BillingMode: "PAY_PER_REQUEST",
      } as CreateTableCommandInput);
    } finally {
      client.destroy();
    }
    return { ref: TableName, attributes: { Arn: arn(place, "dynamodb", `table/${TableName}`) } };
  };
}
