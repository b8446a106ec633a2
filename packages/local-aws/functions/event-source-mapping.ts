import { createHash } from "node:crypto";
import * as z from "zod";
import { type AwsEnvironment, arn } from "../base/environment.ts";
import type { ResourceType } from "../base/resource-type.ts";
import type { LocalFunction } from "./local-function.ts";

/** A running poller that invokes a function with the records or messages that it reads. */
export interface EventSource {
  readonly enabled: () => boolean;
  /** While it is disabled, the function is not invoked. */
  setEnabled(enabled: boolean): void;
  stop(): Promise<void>;
}

/** Lets an event source poll only while it is enabled. */
export function createSwitch(initially: boolean) {
  let isEnabled = initially;
  let enabled = Promise.withResolvers<void>();
  if (initially) enabled.resolve();
  return {
    isEnabled: () => isEnabled,
    /** Resolves when it is enabled, or the event source ends. */
    whenEnabled: () => enabled.promise,
    setEnabled(wanted: boolean) {
      if (wanted === isEnabled) return;
      isEnabled = wanted;
      if (wanted) enabled.resolve();
      else enabled = Promise.withResolvers();
    },
    end: () => enabled.resolve(),
  };
}

/** An event source mapping of the stack, as the Lambda API describes it. */
export interface EventSourceMapping {
  readonly id: string;
  readonly functionArn: string;
  readonly eventSourceArn: string;
  /** Its settings, under the Lambda API's names. */
  readonly configuration: object;
  readonly source: EventSource;
}

/**
 * Starts the event source of a mapping.
 *
 * @param properties the mapping's properties in the template
 * @throws Error naming an unknown property
 */
export type StartEventSource = (
  properties: unknown,
  target: LocalFunction,
) => StartedEventSource | Promise<StartedEventSource>;

type StartedEventSource = Pick<EventSourceMapping, "source" | "configuration">;

/** The AWS environment, functions and kinds of event source that mappings are made from. */
interface EventSourceMappingDependencies {
  readonly environment: AwsEnvironment;
  /** By the service in the event source's ARN. */
  readonly sources: Readonly<Record<string, StartEventSource>>;
  readonly function: (nameOrArn: string) => LocalFunction | undefined;
  readonly found: (mapping: EventSourceMapping) => void;
}

/** A UUID that is the same in every run. */
function toUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

const propertiesSchema = z.looseObject({ EventSourceArn: z.string(), FunctionName: z.string() });

/** AWS::Lambda::EventSourceMapping from one of the stack's queues or streams to one of its functions. */
export function eventSourceMappingType(dependencies: EventSourceMappingDependencies): ResourceType {
  const { environment, sources, found } = dependencies;
  return async ({ logicalId, properties }) => {
    const { EventSourceArn: eventSourceArn, FunctionName } = propertiesSchema.parse(properties);
    const start = sources[eventSourceArn.split(":")[2] ?? ""];
    if (start === undefined) {
      const known = Object.keys(sources).join(", ");
      throw new Error(`the local run has no event source for ${eventSourceArn}, only for ${known}`);
    }
    const target = dependencies.function(FunctionName);
    if (target === undefined) throw new Error(`the stack has no function ${FunctionName}`);
    const id = toUuid(`${environment.stackName}/${logicalId}`);
    found({ id, functionArn: target.arn, eventSourceArn, ...(await start(properties, target)) });
    return {
      ref: id,
      attributes: { Id: id, EventSourceMappingArn: arn(environment, "lambda", `event-source-mapping:${id}`) },
    };
  };
}
