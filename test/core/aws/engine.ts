import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { afterAll } from "vitest";

/** A DynamoDB that runs. */
export interface RunningDynamoDb {
  /** E.g. http://127.0.0.1:40123 */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts the project's own engine. */
export async function startEmbedded(): Promise<RunningDynamoDb> {
  const { address, stop } = await startDynamoDb();
  return { endpoint: address, stop };
}

type NewTable = Omit<CreateTableCommandInput, "BillingMode">;

/** Creates a table, and waits until it can be written to. */
export async function createTable(client: DynamoDBClient, table: NewTable): Promise<void> {
  const { TableName } = table;
  await client.send(new CreateTableCommand({ ...table, BillingMode: "PAY_PER_REQUEST" }));
  await waitUntilTableExists({ client, minDelay: 0.01, maxDelay: 0.05, maxWaitTime: 240 }, { TableName });
}

/** A DynamoDB on this machine, for one test file. @param start the project's own engine, unless said */
export async function startEngine(start = startEmbedded) {
  const { endpoint, stop } = await start();
  const client = new DynamoDBClient({ endpoint, region: "eu-north-1", credentials: localCredentials });
  return {
    endpoint,
    client,
    createTable: (table: NewTable) => createTable(client, table),
    async stop() {
      client.destroy();
      await stop();
    },
  };
}

/** An engine with some tables, for the tests of one file, after which it ends. */
export async function provideEngine(...needed: readonly NewTable[]): Promise<Engine> {
  const engine = await startEngine();
  afterAll(() => engine.stop());
  for (const table of needed) await engine.createTable(table);
  return engine;
}

type Engine = Awaited<ReturnType<typeof startEngine>>;

const text = (AttributeName: string) => ({ AttributeName, AttributeType: "S" as const });
const number = (AttributeName: string) => ({ AttributeName, AttributeType: "N" as const });
const keys = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: "HASH" as const },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: "RANGE" as const }]),
];
const index = (
  IndexName: string,
  hash: string,
  range: string,
  ProjectionType: "ALL" | "KEYS_ONLY" = "ALL",
) => ({ IndexName, KeySchema: keys(hash, range), Projection: { ProjectionType } });

/** The tables as the stack makes them. */
export const tables = {
  scorecards: {
    TableName: "scorecards",
    AttributeDefinitions: [text("id"), text("vendorState"), text("stateSince")],
    KeySchema: keys("id"),
    GlobalSecondaryIndexes: [index("byState", "vendorState", "stateSince", "KEYS_ONLY")],
  },
  courses: {
    TableName: "courses",
    AttributeDefinitions: [text("id"), text("templateId"), number("version"), text("clubId")],
    KeySchema: keys("id"),
    GlobalSecondaryIndexes: [index("byCourse", "templateId", "version"), index("byClub", "clubId", "id")],
  },
  activity: {
    TableName: "activity",
    AttributeDefinitions: [text("apiSet"), text("at")],
    KeySchema: keys("apiSet", "at"),
  },
  webhooks: {
    TableName: "webhooks",
    AttributeDefinitions: [text("apiSet"), text("id")],
    KeySchema: keys("apiSet", "id"),
  },
  clubs: { TableName: "clubs", AttributeDefinitions: [text("id")], KeySchema: keys("id") },
  accounts: { TableName: "accounts", AttributeDefinitions: [text("username")], KeySchema: keys("username") },
};
