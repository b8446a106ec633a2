import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { countMessages } from "../../core/aws/count-messages.ts";
import { consumer } from "../runtime/consumer.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

const settings = readSettings({
  DELIVERY_QUEUE_URL: z.string(),
});
const figures = gatherFigures();
const queue = sdkClient(SQSClient);

/** Measures the backlog of the delivery queue. */
export const handler = consumer({
  event: z.unknown(),
  figures,
  run: async () => {
    const unsent = await countMessages(queue, settings.DELIVERY_QUEUE_URL);
    figures.add({ MessagesUnsent: unsent });
    return { unsent };
  },
});
