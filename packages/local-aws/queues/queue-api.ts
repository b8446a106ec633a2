import {
  ChangeMessageVisibilityBatchCommand,
  type ChangeMessageVisibilityBatchRequest,
  DeleteMessageBatchCommand,
  type DeleteMessageBatchRequest,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageRequest,
  type SQSClient,
} from "@aws-sdk/client-sqs";

/** The SQS operations that an event source uses. */
export interface QueueApi {
  /** @param signal ends the wait for messages */
  receiveMessage(request: ReceiveMessageRequest, signal: AbortSignal): Promise<readonly Message[]>;
  deleteMessageBatch(request: DeleteMessageBatchRequest): Promise<void>;
  changeMessageVisibilityBatch(request: ChangeMessageVisibilityBatchRequest): Promise<void>;
}

/** Calls SQS through the SDK. */
export function queueApiOf(client: SQSClient): QueueApi {
  return {
    async receiveMessage(request, signal) {
      const answer = await client.send(new ReceiveMessageCommand(request), { abortSignal: signal });
      return answer.Messages ?? [];
    },
    async deleteMessageBatch(request) {
      await client.send(new DeleteMessageBatchCommand(request));
    },
    async changeMessageVisibilityBatch(request) {
      await client.send(new ChangeMessageVisibilityBatchCommand(request));
    },
  };
}
