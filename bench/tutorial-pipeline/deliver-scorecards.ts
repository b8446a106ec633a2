import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import pMap from "p-map";
import { requestsOfDelivery } from "./concurrency.ts";

const dynamodb = new DynamoDBClient();

async function deliver({ body }: SQSRecord): Promise<void> {
  const response = await fetch(process.env.EXCHANGE ?? "", {
    method: "POST",
    headers: {
      Authorization: process.env.AUTHORIZATION ?? "",
      "Content-Type": "application/json",
      Accept: "application/json",
      Token: "",
    },
    body: `[${body}]`,
  });
  if (!response.ok) throw new Error(`The exchange answered ${response.status}.`);
  await response.text();
  await dynamodb.send(
    new UpdateItemCommand({
      TableName: process.env.CARD_TABLE,
      Key: { id: { S: JSON.parse(body).ExternalID } },
      UpdateExpression: "SET #state = :delivered",
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":delivered": { S: "delivered" } },
    }),
  );
}

/** Posts each message's card by itself, and stores its outcome by itself, as tutorials do. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  await pMap(Records, (record) => deliver(record).catch(() => failed.push(record.messageId)), {
    concurrency: requestsOfDelivery,
  });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
