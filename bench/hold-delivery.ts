import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import type { PipelineReady } from "./pipeline-process.ts";

/** Where the operator of a pipeline reaches Lambda, and its queue. */
type Held = Pick<PipelineReady, "lambda" | "region" | "queueUrl">;

async function setEnabled({ lambda, region, queueUrl }: Held, Enabled: boolean): Promise<void> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new LambdaClient({ endpoint: lambda, region, credentials });
  const { EventSourceMappings = [] } = await client.send(new ListEventSourceMappingsCommand({}));
  for (const { UUID, EventSourceArn } of EventSourceMappings) {
    // The table's stream is followed, and webhooks are posted, all the same.
    if (EventSourceArn?.split(":").at(-1) !== queueUrl.split("/").at(-1)) continue;
    await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  }
  client.destroy();
}

/** Stops delivery, so that messages gather in the queue. */
export const holdDelivery = (pipeline: Held) => setEnabled(pipeline, false);

/** Lets delivery go on. */
export const releaseDelivery = (pipeline: Held) => setEnabled(pipeline, true);
