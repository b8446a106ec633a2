import { type AttributeValue, type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Item } from "../../core/aws/batch.ts";

/** What was done with something that names a person. */
export type Finding = "found" | "erased" | "kept" | "to be delivered" | "changed meanwhile";

/** Something that is held of a person outside cards' contents. */
export interface HeldData {
  readonly place: string;
  /** What it is, without the person's data. */
  readonly what: string;
  readonly finding: Finding;
  /** When it goes by itself, ISO 8601; absent if it does not. */
  readonly until?: string;
  /** The text itself, for the person's own copy. */
  readonly text: string;
}

/** When DynamoDB removes an item. */
export function expiryOf({ expiresAt }: Item): { readonly until?: string } {
  return expiresAt?.N === undefined ? {} : { until: new Date(Number(expiresAt.N) * 1000).toISOString() };
}

/** @throws Error if the item has changed since it was read: the command may be run again */
export async function replaceValue(
  client: DynamoDBClient,
  table: string,
  { apiSet, at, ...item }: Item,
  name: string,
  value: AttributeValue,
): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { apiSet: apiSet ?? { S: "" }, at: at ?? { S: "" } },
      UpdateExpression: "SET #name = :value",
      ConditionExpression: "#name = :read",
      ExpressionAttributeNames: { "#name": name },
      ExpressionAttributeValues: { ":value": value, ":read": item[name] ?? { NULL: true } },
    }),
  );
}
