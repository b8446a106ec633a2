import { SQSClient } from "@aws-sdk/client-sqs";
import { countMessages } from "../../core/delivery/queue.ts";
import { leanSdk } from "../lean-sdk.ts";
import { measure } from "../metrics.ts";
import { variables } from "../variables.ts";

const settings = variables("DELIVERY_QUEUE_URL");
const queue = new SQSClient(leanSdk);

/** Counts the messages whose cards are still on their way, and answers how many. */
export const handler = async () => {
  const unsent = await countMessages(queue, settings.DELIVERY_QUEUE_URL);
  measure({ MessagesUnsent: unsent });
  return { unsent };
};
