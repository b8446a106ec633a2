import { setTimeout as wait } from "node:timers/promises";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import * as z from "zod";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";
import { arn, LOCAL_CREDENTIALS, type Place } from "./place.ts";
import type { ResourceType } from "./resource-type.ts";

const POLL_MILLISECONDS = 20;

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

/**
 * Starts DynamoDB in memory on 127.0.0.1.
 *
 * The engine throws on a connection that breaks off in the middle of a request, as one does when an execution
 * environment is killed, so its own listener for that is taken off each request.
 */
export function startDynamoDb(): Promise<LoopbackServer> {
  const engine = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  return startLoopbackServer((request, response) => {
    engine.emit("request", request, response);
    request.removeAllListeners("error");
  });
}

async function createTable(client: DynamoDBClient, input: CreateTableCommandInput): Promise<void> {
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const describe = new DescribeTableCommand({ TableName: input.TableName });
  while ((await client.send(describe)).Table?.TableStatus !== "ACTIVE") await wait(POLL_MILLISECONDS);
}

/** AWS::DynamoDB::Table on the engine at an endpoint; a table that is there already is used as it is. */
export function tableType(endpoint: string, place: Place): ResourceType {
  return async ({ physicalName, properties }) => {
    const { TableName = physicalName, GlobalSecondaryIndexes, ...rest } = propertiesSchema.parse(properties);
    const client = new DynamoDBClient({ endpoint, region: place.region, credentials: LOCAL_CREDENTIALS });
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
