import { extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { offerConnections } from "../base/engine-connection.ts";
import { type AwsEnvironment, arn, localCredentials } from "../base/environment.ts";
import { tableHeap } from "../base/heap-limits.ts";
import type { LoopbackServer } from "../base/loopback-server.ts";
import type { ResourceType } from "../base/resource-type.ts";
import type { DynamoDbThreadCommand, DynamoDbThreadMessage } from "./dynamodb-thread.ts";

const pollMilliseconds = 20;

/** Ignored: backups, encryption at rest, deletion protection, expiry of items, cost. */
const ignored = z.unknown().optional();

const propertiesSchema = z.strictObject({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  GlobalSecondaryIndexes: z
    .array(z.looseObject({ IndexName: z.string(), KeySchema: z.array(z.unknown()), Projection: z.unknown() }))
    .optional(),
  StreamSpecification: z.strictObject({ StreamViewType: z.literal("NEW_AND_OLD_IMAGES") }).optional(),
  BillingMode: ignored,
  ProvisionedThroughput: ignored,
  PointInTimeRecoverySpecification: ignored,
  SSESpecification: ignored,
  DeletionProtectionEnabled: ignored,
  TimeToLiveSpecification: ignored,
});

/** DynamoDB in memory. */
export interface EmbeddedDynamoDb extends LoopbackServer {
  /** Resolves a few milliseconds after the next record is appended to a stream. */
  nextStreamChange(streamArn: string): Promise<void>;
  collectGarbage(): void;
}

/** Threads whose engine has stopped. Another run of this process takes one, in which the engine is compiled. */
const idleThreads: Worker[] = [];

// The extension of this file: .ts in the repository, .js in the package.
const startThread = (): Worker =>
  new Worker(new URL(`./dynamodb-thread${extname(import.meta.url)}`, import.meta.url), {
    execArgv: [],
    resourceLimits: tableHeap,
  });

/** Starts DynamoDB in memory on 127.0.0.1, in its own thread, so that it does not block the functions. */
export async function startDynamoDb(): Promise<EmbeddedDynamoDb> {
  const thread = idleThreads.pop() ?? startThread();
  thread.ref();
  const send = (command: DynamoDbThreadCommand): void => thread.postMessage(command);
  const started = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  const changes = new Map<string, PromiseWithResolvers<void>>();
  thread.once("error", started.reject);
  thread.on("message", (message: DynamoDbThreadMessage) => {
    if ("address" in message) return started.resolve(message.address);
    if ("stopped" in message) return stopped.resolve();
    changes.get(message.changedStream)?.resolve();
    changes.delete(message.changedStream);
  });
  send("start");
  const address = await started.promise;
  thread.off("error", started.reject);
  const endConnections = offerConnections(address, (port) => thread.postMessage(port, [port]));
  return {
    address,
    nextStreamChange(streamArn) {
      const change = changes.get(streamArn) ?? Promise.withResolvers();
      changes.set(streamArn, change);
      return change.promise;
    },
    collectGarbage: () => send("collectGarbage"),
    async stop() {
      endConnections();
      send("stop");
      await stopped.promise;
      thread.removeAllListeners("message");
      thread.unref();
      idleThreads.push(thread);
    },
  };
}

/** @returns ARN of the table's stream, if it has one */
async function createTable(
  client: DynamoDBClient,
  input: CreateTableCommandInput,
): Promise<string | undefined> {
  const { TableName, StreamSpecification } = input;
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const describe = new DescribeTableCommand({ TableName });
  let isUpdated = false;
  for (;;) {
    const { Table } = await client.send(describe);
    if (Table?.TableStatus === "ACTIVE") {
      if (StreamSpecification === undefined || Table.LatestStreamArn !== undefined)
        return Table.LatestStreamArn;
      if (isUpdated)
        throw new Error(
          `the DynamoDB engine does not support the stream of table ${TableName}; use another engine`,
        );
      // The table may have existed before, without a stream.
      await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
      isUpdated = true;
    }
    await delay(pollMilliseconds);
  }
}

/** AWS::DynamoDB::Table on the engine at an endpoint; an existing table is used as it is. */
export function tableType(endpoint: string, environment: AwsEnvironment): ResourceType {
  return async ({ physicalName, properties }) => {
    const {
      TableName = physicalName,
      GlobalSecondaryIndexes,
      StreamSpecification,
      ...rest
    } = propertiesSchema.parse(properties);
    const client = new DynamoDBClient({
      endpoint,
      region: environment.region,
      credentials: localCredentials,
    });
    let streamArn: string | undefined;
    try {
      streamArn = await createTable(client, {
        TableName,
        AttributeDefinitions: rest.AttributeDefinitions,
        KeySchema: rest.KeySchema,
        GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
          IndexName,
          KeySchema,
          Projection,
        })),
        BillingMode: "PAY_PER_REQUEST",
        ...(StreamSpecification && {
          StreamSpecification: { StreamEnabled: true, StreamViewType: StreamSpecification.StreamViewType },
        }),
      } as CreateTableCommandInput);
    } finally {
      client.destroy();
    }
    const Arn = arn(environment, "dynamodb", `table/${TableName}`);
    return { ref: TableName, attributes: { Arn, ...(streamArn !== undefined && { StreamArn: streamArn }) } };
  };
}
