import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import pMap from "p-map";
import { requestsOfSubmission } from "./concurrency.ts";

const dynamodb = new DynamoDBClient();
const sqs = new SQSClient();

/** Stores and queues each card by itself, as tutorials do. */
export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const cards: { ExternalID: string }[] = JSON.parse(event.body ?? "[]");
  const take = async (card: { ExternalID: string }) => {
    const body = JSON.stringify(card);
    await dynamodb.send(
      new PutItemCommand({
        TableName: process.env.CARD_TABLE,
        Item: { id: { S: card.ExternalID }, state: { S: "queued" }, card: { S: body } },
      }),
    );
    await sqs.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: body }));
  };
  await pMap(cards, take, { concurrency: requestsOfSubmission });
  return { statusCode: 201, body: JSON.stringify(cards) };
}
