import { SQSClient } from "@aws-sdk/client-sqs";
import { countMessages } from "../../core/cards/queue.ts";
import { measure } from "../runtime/metrics.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("DELIVERY_QUEUE_URL");
const queue = sdkClient(SQSClient);

/** Measures the backlog of the delivery queue. */
export const handler = async () => {
  const unsent = await countMessages(queue, settings.DELIVERY_QUEUE_URL);
  measure({ MessagesUnsent: unsent });
  return { unsent };
};
