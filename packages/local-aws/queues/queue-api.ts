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
import type { buildApp } from "fauxqs";

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

/**
 * Calls the embedded engine without HTTP, so that polling leaves more CPU time to the functions and engines.
 *
 * @param app the engine; these requests run through its hooks too
 */
export function embeddedQueueApi(app: ReturnType<typeof buildApp>): QueueApi {
  const ask = async (operation: string, request: object): Promise<unknown> => {
    const answer = await app.inject({
      method: "POST",
      url: "/",
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `AmazonSQS.${operation}` },
      payload: JSON.stringify(request),
    });
    if (answer.statusCode !== 200) throw new Error(`${operation} failed: ${answer.body}`);
    return answer.body === "" ? {} : JSON.parse(answer.body);
  };
  return {
    async receiveMessage(request, signal) {
      const aborted = Promise.withResolvers<never>();
      const abort = () => aborted.reject(signal.reason);
      signal.addEventListener("abort", abort);
      try {
        signal.throwIfAborted();
        const answer = await Promise.race([ask("ReceiveMessage", request), aborted.promise]);
        return (answer as { readonly Messages?: readonly Message[] }).Messages ?? [];
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    async deleteMessageBatch(request) {
      await ask("DeleteMessageBatch", request);
    },
    async changeMessageVisibilityBatch(request) {
      await ask("ChangeMessageVisibilityBatch", request);
    },
  };
}
