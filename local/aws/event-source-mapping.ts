import { createHash } from "node:crypto";
import * as z from "zod";
import { type AwsEnvironment, arn } from "./environment.ts";
import type { LocalFunction } from "./functions/local-function.ts";
import type { ResourceType } from "./resource-type.ts";

/** A running event source: it hands a function what comes. */
export interface EventSource {
  readonly enabled: () => boolean;
  /** Holds or releases it; while it is held the function is given nothing. */
  setEnabled(enabled: boolean): void;
  stop(): Promise<void>;
}

/** An event source mapping of the stack, with what the Lambda API says of it. */
export interface EventSourceMapping {
  readonly id: string;
  readonly functionArn: string;
  readonly eventSourceArn: string;
  /** Its settings by the names that the Lambda API has for them. */
  readonly configuration: object;
  readonly source: EventSource;
}

/**
 * Starts the event source of a mapping.
 *
 * @param properties those of the mapping in the template
 * @throws Error for a property that is not known
 */
export type StartEventSource = (
  properties: unknown,
  target: LocalFunction,
) => StartedEventSource | Promise<StartedEventSource>;

type StartedEventSource = Pick<EventSourceMapping, "source" | "configuration">;

/** What mappings need of the run, and who is given them. */
export interface EventSourceMappingDependencies {
  readonly environment: AwsEnvironment;
  /** By the service that an event source's ARN names. */
  readonly sources: Readonly<Record<string, StartEventSource>>;
  readonly function: (nameOrArn: string) => LocalFunction | undefined;
  readonly found: (mapping: EventSourceMapping) => void;
}

/** A UUID that is the same at every run. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

const propertiesSchema = z.looseObject({ EventSourceArn: z.string(), FunctionName: z.string() });

/** AWS::Lambda::EventSourceMapping from a queue or a table's stream of the stack to a function of it. */
export function eventSourceMappingType(dependencies: EventSourceMappingDependencies): ResourceType {
  const { environment, sources, found } = dependencies;
  return async ({ logicalId, properties }) => {
    const { EventSourceArn: eventSourceArn, FunctionName } = propertiesSchema.parse(properties);
    const start = sources[eventSourceArn.split(":")[2] ?? ""];
    if (start === undefined) {
      const known = Object.keys(sources).join(", ");
      throw new Error(`${eventSourceArn} is no event source here: the local run has those of ${known}`);
    }
    const target = dependencies.function(FunctionName);
    if (target === undefined) throw new Error(`${FunctionName} is no function of this stack`);
    const id = uuidOf(`${environment.stackName}/${logicalId}`);
    found({ id, functionArn: target.arn, eventSourceArn, ...(await start(properties, target)) });
    return {
      ref: id,
      attributes: { Id: id, EventSourceMappingArn: arn(environment, "lambda", `event-source-mapping:${id}`) },
    };
  };
}
