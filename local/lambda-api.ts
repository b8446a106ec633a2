import * as z from "zod";
import { jsonEndpoint, ServiceError } from "./json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";
import type { EventSourceMapping } from "./queues/event-source-type.ts";

const MAPPINGS = "/2015-03-31/event-source-mappings";

const updateSchema = z.strictObject({ Enabled: z.boolean(), FunctionName: z.unknown().optional() });

function describe({ id, functionArn, settings, source }: EventSourceMapping): object {
  return {
    UUID: id,
    EventSourceArn: settings.queueArn,
    FunctionArn: functionArn,
    BatchSize: settings.batchSize,
    MaximumBatchingWindowInSeconds: settings.windowSeconds,
    ScalingConfig: { MaximumConcurrency: settings.concurrency },
    FunctionResponseTypes: settings.reportsFailures ? ["ReportBatchItemFailures"] : [],
    State: source.enabled() ? "Enabled" : "Disabled",
    StateTransitionReason: "USER_INITIATED",
  };
}

/** Whether a function is meant by the name or ARN in a request; none asked for means every function. */
function isOf(mapping: EventSourceMapping, wanted: string | null): boolean {
  return (
    wanted === null || mapping.functionArn === wanted || mapping.functionArn.endsWith(`:function:${wanted}`)
  );
}

/**
 * Starts the part of Lambda's API on 127.0.0.1 with which delivery is held and released: list, get and update
 * event source mappings. What else is asked of it is refused by name.
 */
export function startLambdaApi(mappings: readonly EventSourceMapping[]): Promise<LoopbackServer> {
  return startLoopbackServer(
    jsonEndpoint(({ method, url = "/" }, body) => {
      const { pathname, searchParams } = new URL(url, "http://lambda");
      const path = pathname.replace(/\/$/, "");
      if (method === "GET" && path === MAPPINGS) {
        const source = searchParams.get("EventSourceArn");
        const listed = mappings.filter(
          (mapping) =>
            isOf(mapping, searchParams.get("FunctionName")) &&
            (source === null || mapping.settings.queueArn === source),
        );
        return { status: 200, body: { EventSourceMappings: listed.map(describe) } };
      }
      const mapping = mappings.find(({ id }) => path === `${MAPPINGS}/${id}`);
      if (mapping !== undefined && method === "GET") return { status: 200, body: describe(mapping) };
      if (mapping !== undefined && method === "PUT") {
        mapping.source.setEnabled(updateSchema.parse(body).Enabled);
        return { status: 202, body: describe(mapping) };
      }
      throw new ServiceError(
        "ResourceNotFoundException",
        `the local Lambda API has nothing at ${method} ${path}`,
        404,
      );
    }),
  );
}
