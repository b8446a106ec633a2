import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type AwsEnvironment, arn } from "./base/environment.ts";
import { jsonEndpoint, ServiceError } from "./base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "./base/loopback-server.ts";
import type { ResourceType } from "./base/resource-type.ts";

const putEventsSchema = z.object({
  Entries: z
    .array(
      z.object({ EventBusName: z.string(), Source: z.string(), DetailType: z.string(), Detail: z.string() }),
    )
    .min(1)
    .max(10),
});

/**
 * Starts an EventBridge that takes events. There are no rules on this machine, so each event is only logged.
 *
 * @param log called with one line of JSON for each event
 */
export function startEventBridge(log: (text: string) => void): Promise<LoopbackServer> {
  return startLoopbackServer(
    jsonEndpoint((request, body) => {
      const operation = String(request.headers["x-amz-target"]).split(".")[1];
      if (operation !== "PutEvents") {
        throw new ServiceError(
          "UnknownOperationException",
          `The local run has no ${operation} of EventBridge.`,
        );
      }
      const { Entries } = putEventsSchema.parse(body);
      for (const { EventBusName: bus, Source: source, DetailType: type, Detail } of Entries) {
        log(JSON.stringify({ bus, source, type, detail: JSON.parse(Detail) }));
      }
      return {
        status: 200,
        body: { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) },
      };
    }),
  );
}

/** Ignored: encryption, log configuration, tags. */
const propertiesSchema = z.looseObject({ Name: z.string() });

/** AWS::Events::EventBus. */
export function eventBusType(environment: AwsEnvironment): ResourceType {
  return ({ properties }) => {
    const { Name } = propertiesSchema.parse(properties);
    return { ref: Name, attributes: { Name, Arn: arn(environment, "events", `event-bus/${Name}`) } };
  };
}
