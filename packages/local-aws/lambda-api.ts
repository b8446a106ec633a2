import * as z from "zod";
import { jsonEndpoint, ServiceError } from "./base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "./base/loopback-server.ts";
import type { EventSourceMapping } from "./functions/event-source-mapping.ts";
import { FunctionError, InvocationError } from "./functions/function-error.ts";
import type { LocalFunction } from "./functions/local-function.ts";

const mappingsPath = "/2015-03-31/event-source-mappings";

const updateSchema = z.strictObject({ Enabled: z.boolean(), FunctionName: z.unknown().optional() });

const invocationsPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const concurrencyPath = /^\/2017-10-31\/functions\/([^/]+)\/concurrency$/;

const concurrencySchema = z.object({ ReservedConcurrentExecutions: z.int().min(0) });

/** Invokes a function synchronously; an error that it throws is answered with status 200, as Lambda does. */
async function invoke(target: LocalFunction, event: unknown): Promise<{ status: number; body: unknown }> {
  try {
    // As bytes, because a streamed response has more than JSON.
    return { status: 200, body: Buffer.from(await target.invoke(JSON.stringify(event))) };
  } catch (error) {
    if (error instanceof FunctionError) return { status: 200, body: error.reported };
    if (error instanceof InvocationError) throw new ServiceError(error.code, error.message, 429);
    throw error;
  }
}

function describe({ id, functionArn, eventSourceArn, configuration, source }: EventSourceMapping): object {
  return {
    UUID: id,
    EventSourceArn: eventSourceArn,
    FunctionArn: functionArn,
    ...configuration,
    State: source.enabled() ? "Enabled" : "Disabled",
    StateTransitionReason: "USER_INITIATED",
  };
}

/** Whether a mapping belongs to the function that a request names, by name or ARN; null matches every mapping. */
function isWanted(mapping: EventSourceMapping, wanted: string | null): boolean {
  return (
    wanted === null || mapping.functionArn === wanted || mapping.functionArn.endsWith(`:function:${wanted}`)
  );
}

/**
 * Starts the part of Lambda's API that an operator uses, on 127.0.0.1. It lists, reads, enables and disables event
 * source mappings; invokes a function; and limits its concurrency. Any other request is answered with an error that
 * names it.
 */
export function startLambdaApi(
  mappings: readonly EventSourceMapping[],
  functionBy: (nameOrArn: string) => LocalFunction | undefined,
): Promise<LoopbackServer> {
  return startLoopbackServer(
    jsonEndpoint(({ method, url = "/" }, body) => {
      const { pathname, searchParams } = new URL(url, "http://lambda");
      const path = pathname.replace(/\/$/, "");
      if (method === "GET" && path === mappingsPath) {
        const source = searchParams.get("EventSourceArn");
        const listed = mappings.filter(
          (mapping) =>
            isWanted(mapping, searchParams.get("FunctionName")) &&
            (source === null || mapping.eventSourceArn === source),
        );
        return { status: 200, body: { EventSourceMappings: listed.map(describe) } };
      }
      const invoked = functionBy(decodeURIComponent(invocationsPath.exec(path)?.[1] ?? ""));
      if (method === "POST" && invoked !== undefined) return invoke(invoked, body);
      const limited = functionBy(decodeURIComponent(concurrencyPath.exec(path)?.[1] ?? ""));
      if (method === "PUT" && limited !== undefined) {
        const concurrency = concurrencySchema.parse(body);
        limited.reserveConcurrency(concurrency.ReservedConcurrentExecutions);
        return { status: 200, body: concurrency };
      }
      const mapping = mappings.find(({ id }) => path === `${mappingsPath}/${id}`);
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
