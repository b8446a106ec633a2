import { DescribeTableCommand, type DynamoDBClient, type TableDescription } from "@aws-sdk/client-dynamodb";
import { type BackedUp, backedUp } from "./backed-up.ts";

/** @throws ResourceNotFoundException if there is no such table */
export async function describeTable(client: DynamoDBClient, TableName: string): Promise<TableDescription> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table ?? {};
}

/** @throws Error if the table was restored from another kind of data */
export function checkKey({ TableName, KeySchema = [] }: TableDescription, data: BackedUp): void {
  const found = KeySchema.map(({ AttributeName }) => AttributeName).join(" and ");
  const expected = backedUp[data].key.join(" and ");
  if (found === expected) return;
  throw new Error(
    `${TableName} has the key ${found}, and the table of ${data} has ${expected}. Name the table that was restored from the ${data}.`,
  );
}
