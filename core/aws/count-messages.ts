import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";

const AttributeNames = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
] as const;

/** How many messages a queue holds: visible, in flight and delayed. */
export async function countMessages(client: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
}
