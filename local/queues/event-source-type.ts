import { createHash } from "node:crypto";
import * as z from "zod";
import type { LocalFunction } from "../functions/local-function.ts";
import { arn, type Place } from "../place.ts";
import type { ResourceType } from "../resource-type.ts";
import { type EventSource, type EventSourceSettings, startEventSource } from "./event-source.ts";
import type { QueueApi } from "./queue-api.ts";

/** Batches at once where the template sets no limit: as many as Lambda begins with. */
const initialConcurrency = 5;

/** What a local mapping has no use for: encryption at rest, metrics, tags. */
const without = z.unknown().optional();

const propertiesSchema = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.coerce.number() }).optional(),
  FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
  Enabled: z.union([z.boolean(), z.stringbool()]).default(true),
  KmsKeyArn: without,
  LoggingConfig: without,
  MetricsConfig: without,
  Tags: without,
});

/** An event source mapping of the stack, with what the Lambda API says of it. */
export interface EventSourceMapping {
  readonly id: string;
  readonly functionArn: string;
  readonly settings: EventSourceSettings;
  readonly source: EventSource;
}

/** A UUID that is the same at every run. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

/** What a mapping needs of the run: the queues and functions brought up so far, and who is told of it. */
export interface EventSourceSurroundings {
  readonly place: Place;
  readonly api: QueueApi;
  readonly queueUrl: (queueArn: string) => string | undefined;
  readonly function: (nameOrArn: string) => LocalFunction | undefined;
  readonly found: (mapping: EventSourceMapping) => void;
}

/** AWS::Lambda::EventSourceMapping from a queue of the stack to a function of it. */
export function eventSourceType(surroundings: EventSourceSurroundings): ResourceType {
  const { place, api, queueUrl, found } = surroundings;
  return ({ logicalId, properties }) => {
    const own = propertiesSchema.parse(properties);
    const url = queueUrl(own.EventSourceArn);
    if (url === undefined) throw new Error(`${own.EventSourceArn} is no queue of this stack`);
    const target = surroundings.function(own.FunctionName);
    if (target === undefined) throw new Error(`${own.FunctionName} is no function of this stack`);
    const settings: EventSourceSettings = {
      queueArn: own.EventSourceArn,
      queueUrl: url,
      batchSize: own.BatchSize,
      windowSeconds: own.MaximumBatchingWindowInSeconds,
      concurrency: own.ScalingConfig?.MaximumConcurrency ?? initialConcurrency,
      reportsFailures: own.FunctionResponseTypes.includes("ReportBatchItemFailures"),
      enabled: own.Enabled,
    };
    const id = uuidOf(`${place.stackName}/${logicalId}`);
    found({ id, functionArn: target.arn, settings, source: startEventSource(api, target, settings) });
    return {
      ref: id,
      attributes: { Id: id, EventSourceMappingArn: arn(place, "lambda", `event-source-mapping:${id}`) },
    };
  };
}
