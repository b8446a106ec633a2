import { ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";

/** A message that was received. */
export interface IncomingMessage {
  readonly messageId: string;
  /** By which this receive of the message is deleted. */
  readonly receiptHandle: string;
  readonly body: string;
  /** How often it has been received, this time included. */
  readonly receives: number;
}

/**
 * Receives messages that are visible now, without waiting for others. They stay invisible for the queue's visibility timeout.
 *
 * @param most 1 to 10
 * @param signal ends the request; what SQS has handed over by then is visible again after the visibility timeout
 */
export async function receiveMessages(
  client: SQSClient,
  queueUrl: string,
  most: number,
  signal: AbortSignal,
): Promise<IncomingMessage[]> {
  const request = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: most,
    // The queue's own could be a long poll.
    WaitTimeSeconds: 0,
    MessageSystemAttributeNames: ["ApproximateReceiveCount"],
  });
  const { Messages = [] } = await client.send(request, { abortSignal: signal });
  return Messages.map(({ MessageId = "", ReceiptHandle = "", Body = "", Attributes }) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    receives: Number(Attributes?.ApproximateReceiveCount),
  }));
}
