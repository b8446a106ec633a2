import { SQSClient } from "@aws-sdk/client-sqs";
import { countMessages } from "../../core/delivery/queue.ts";
import { measure } from "../runtime/metrics.ts";
import { sdkConfig } from "../runtime/sdk-config.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("DELIVERY_QUEUE_URL");
const queue = new SQSClient(sdkConfig);

/** Counts the messages whose cards are still on their way, and answers how many. */
export const handler = async () => {
  const unsent = await countMessages(queue, settings.DELIVERY_QUEUE_URL);
  measure({ MessagesUnsent: unsent });
  return { unsent };
};
