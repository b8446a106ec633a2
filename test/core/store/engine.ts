import type { AddressInfo } from "node:net";
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";

/** A DynamoDB on this machine, for one test file. */
export async function startEngine() {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  return {
    client,
    createTable: (table: Omit<CreateTableCommandInput, "BillingMode">) =>
      client.send(new CreateTableCommand({ ...table, BillingMode: "PAY_PER_REQUEST" })),
    async stop() {
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const text = (AttributeName: string) => ({ AttributeName, AttributeType: "S" as const });
const number = (AttributeName: string) => ({ AttributeName, AttributeType: "N" as const });
const keys = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: "HASH" as const },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: "RANGE" as const }]),
];
const index = (IndexName: string, hash: string, range: string) => ({
  IndexName,
  KeySchema: keys(hash, range),
  Projection: { ProjectionType: "ALL" as const },
});

/** The tables as the stack makes them. */
export const tables = {
  scorecards: {
    TableName: "scorecards",
    AttributeDefinitions: [text("card"), text("item"), text("vendorState"), text("stateSince")],
    KeySchema: keys("card", "item"),
    GlobalSecondaryIndexes: [index("byState", "vendorState", "stateSince")],
  },
  courses: {
    TableName: "courses",
    AttributeDefinitions: [text("id"), text("templateId"), number("version"), text("clubId")],
    KeySchema: keys("id"),
    GlobalSecondaryIndexes: [index("byCourse", "templateId", "version"), index("byClub", "clubId", "id")],
  },
  clubs: { TableName: "clubs", AttributeDefinitions: [text("id")], KeySchema: keys("id") },
  accounts: { TableName: "accounts", AttributeDefinitions: [text("username")], KeySchema: keys("username") },
};
