import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";

/** The query for the items of a partition whose sort key is in a range, in the table of activity or one with its key. */
export const itemsBetween = (table: string, partition: string, from: string, to: string) =>
  ({
    TableName: table,
    KeyConditionExpression: "apiSet = :partition AND #at BETWEEN :from AND :to",
    ExpressionAttributeNames: { "#at": "at" },
    ExpressionAttributeValues: { ":partition": { S: partition }, ":from": { S: from }, ":to": { S: to } },
  }) satisfies QueryCommandInput;
