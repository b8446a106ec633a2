import { DeleteMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { chunks, mapSettled } from "../formats/chunks.ts";

/** SQS's own limit of one request. */
const entriesLimit = 10;
const parallelRequests = 8;

/**
 * Deletes received messages, ten a request.
 *
 * @returns the receipt handles that SQS refused; their messages may be visible again
 * @throws any error of a request, after all have ended: other messages may be deleted
 */
export async function deleteMessages(
  client: SQSClient,
  queueUrl: string,
  receiptHandles: readonly string[],
): Promise<string[]> {
  const remove = async (handles: readonly string[]): Promise<string[]> => {
    const Entries = handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
    const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    const failed = new Set(Failed.map(({ Id }) => Id));
    return handles.filter((_, index) => failed.has(String(index)));
  };
  return (await mapSettled(chunks(receiptHandles, entriesLimit), parallelRequests, remove)).flat();
}
