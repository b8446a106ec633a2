import * as z from "zod";
import type { StartEventSource } from "../functions/event-source-mapping.ts";
import type { QueueApi } from "./queue-api.ts";
import { startQueueEventSource } from "./queue-event-source.ts";

/** Concurrent batches if the template sets no limit; Lambda starts with as many. */
const initialConcurrency = 5;

const propertiesSchema = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.coerce.number() }).optional(),
  FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
  Enabled: z.union([z.boolean(), z.stringbool()]).default(true),
});

/**
 * An event source mapping from a queue of the stack.
 *
 * @param queueUrl URL of a queue by its ARN; undefined if it does not exist yet
 */
export function queueEventSource(
  api: QueueApi,
  queueUrl: (queueArn: string) => string | undefined,
): StartEventSource {
  return (properties, target) => {
    const own = propertiesSchema.parse(properties);
    const url = queueUrl(own.EventSourceArn);
    if (url === undefined) throw new Error(`the stack has no queue ${own.EventSourceArn}`);
    const concurrency = own.ScalingConfig?.MaximumConcurrency ?? initialConcurrency;
    const source = startQueueEventSource(api, target, {
      queueArn: own.EventSourceArn,
      queueUrl: url,
      batchSize: own.BatchSize,
      windowSeconds: own.MaximumBatchingWindowInSeconds,
      concurrency,
      reportsFailures: own.FunctionResponseTypes.includes("ReportBatchItemFailures"),
      enabled: own.Enabled,
    });
    return {
      source,
      configuration: {
        BatchSize: own.BatchSize,
        MaximumBatchingWindowInSeconds: own.MaximumBatchingWindowInSeconds,
        ScalingConfig: { MaximumConcurrency: concurrency },
        FunctionResponseTypes: own.FunctionResponseTypes,
      },
    };
  };
}
