import type { Message } from "@aws-sdk/client-sqs";
import type { buildApp } from "fauxqs";
import type { QueueApi } from "./queue-api.ts";

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
