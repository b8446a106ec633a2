import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { countMessages } from "../../core/delivery/count-messages.ts";
import { leanSdk } from "../lean-sdk.ts";
import { measure } from "../metrics.ts";

const settings = z.object({ DELIVERY_QUEUE_URL: z.string() }).parse(process.env);
const queue = new SQSClient(leanSdk);

/** Counts the cards that are still on their way, and answers how many. */
export const handler = async () => {
  const unsent = await countMessages(queue, settings.DELIVERY_QUEUE_URL);
  measure({ CardsUnsent: unsent });
  return { unsent };
};
