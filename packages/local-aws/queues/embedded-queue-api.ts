import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { buildApp } from "fauxqs";
import type { QueueApi } from "./queue-api.ts";

/** A message in SQS's JSON protocol, in which bytes are Base64. */
type JsonMessage = Omit<Message, "MessageAttributes"> & {
  readonly MessageAttributes?: Readonly<
    Record<string, Omit<MessageAttributeValue, "BinaryValue"> & { readonly BinaryValue?: string }>
  >;
};

function messageOf({ MessageAttributes, ...message }: JsonMessage): Message {
  if (MessageAttributes === undefined) return message;
  const attributes = Object.entries(MessageAttributes).map(([name, { BinaryValue, ...value }]) => [
    name,
    { ...value, ...(BinaryValue !== undefined && { BinaryValue: Buffer.from(BinaryValue, "base64") }) },
  ]);
  return { ...message, MessageAttributes: Object.fromEntries(attributes) };
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
        return ((answer as { readonly Messages?: readonly JsonMessage[] }).Messages ?? []).map(messageOf);
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
