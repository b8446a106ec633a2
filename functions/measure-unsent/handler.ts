import { SQSClient } from "@aws-sdk/client-sqs";
import { countMessages } from "../../core/delivery/queue.ts";
import { measure } from "../runtime/metrics.ts";
import { sdkConfig } from "../runtime/sdk-config.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("DELIVERY_QUEUE_URL");
const queue = new SQSClient(sdkConfig);

/** Measures the backlog of the delivery queue. */
export const handler = async () => {
  const unsent = await countMessages(queue, settings.DELIVERY_QUEUE_URL);
  measure({ MessagesUnsent: unsent });
  return { unsent };
};
