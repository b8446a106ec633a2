import { LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import type { PipelineReady } from "./pipeline-process.ts";

/** Where the operator of a pipeline reaches Lambda, and the mapping that delivers. */
type Held = Pick<PipelineReady, "lambda" | "region" | "eventSourceId">;

async function setEnabled({ lambda, region, eventSourceId: UUID }: Held, Enabled: boolean): Promise<void> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new LambdaClient({ endpoint: lambda, region, credentials });
  await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  client.destroy();
}

/** Stops delivery, so that messages gather in the queue. */
export const holdDelivery = (pipeline: Held) => setEnabled(pipeline, false);

/** Lets delivery go on. */
export const releaseDelivery = (pipeline: Held) => setEnabled(pipeline, true);
