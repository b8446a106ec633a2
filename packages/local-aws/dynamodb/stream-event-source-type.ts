import { setTimeout as delay } from "node:timers/promises";
import type { AwsEnvironment } from "../base/environment.ts";
import type { StartEventSource } from "../functions/event-source-mapping.ts";
import { startStreamEventSource, streamMappingSchema } from "./stream-event-source.ts";
import {
  openStream,
  type SharedStream,
  type StreamReader,
  sharedStream,
  streamsApiAt,
} from "./stream-reader.ts";

/** The streams that event source mappings read, and callbacks for metrics and logs. */
interface StreamEventSourceTypeDependencies {
  readonly environment: AwsEnvironment;
  /** Address of the DynamoDB Streams API. */
  readonly endpoint: string;
  /** Resolves when a stream may have changed after the call. */
  readonly nextChange: (streamArn: string) => Promise<void>;
  /** Called with the age of each batch's last record, in milliseconds. */
  readonly iteratorAge: (functionName: string, milliseconds: number) => void;
  /** Called with a line for records that are discarded after their last retry. */
  readonly log: (text: string) => void;
}

/** A stream that mappings read together, and what ends its requests. */
interface SharedRequests {
  readonly stream: SharedStream;
  readonly ending: AbortController;
}

/** Polls once a second, for an engine that does not report changes of a stream. */
export function everySecond(): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= delay(1000, undefined, { ref: false }).then(() => {
      next = undefined;
    });
    return next;
  };
}

/** Lets the mappings that begin with a stream's first record share its requests, until that record is read. */
function createSharing({ environment, endpoint }: StreamEventSourceTypeDependencies) {
  const sharing = new Map<string, SharedRequests>();

  async function open(streamArn: string): Promise<SharedRequests> {
    const ending = new AbortController();
    const api = streamsApiAt(endpoint, environment, ending.signal);
    return { stream: sharedStream(await openStream(api, streamArn)), ending };
  }

  async function findRequests(streamArn: string): Promise<SharedRequests> {
    const known = sharing.get(streamArn);
    if (known !== undefined && !known.stream.hasBegun() && !known.ending.signal.aborted) return known;
    const opened = await open(streamArn);
    sharing.set(streamArn, opened);
    return opened;
  }

  /** A reader that ends with a signal, and with it the requests once no other reader needs them. */
  return async (streamArn: string, signal: AbortSignal): Promise<StreamReader> => {
    const { stream, ending } = await findRequests(streamArn);
    const reader = stream.join();
    signal.addEventListener("abort", () => {
      reader.leave();
      if (stream.size() === 0) ending.abort();
    });
    return reader;
  };
}

/**
 * An event source mapping from a table's stream. AWS sends records that it discards to the OnFailure destination; the
 * local run logs a line instead.
 */
export function streamEventSource(dependencies: StreamEventSourceTypeDependencies): StartEventSource {
  const { nextChange, iteratorAge, log } = dependencies;
  const join = createSharing(dependencies);
  return async (properties, target) => {
    const mapping = streamMappingSchema.parse(properties);
    const { EventSourceArn: streamArn, FunctionName: _, Enabled: _enabled, ...configuration } = mapping;
    const stopping = new AbortController();
    const destination = mapping.DestinationConfig.OnFailure?.Destination;
    const source = startStreamEventSource(
      {
        reader: await join(streamArn, stopping.signal),
        nextChange: () => nextChange(streamArn),
        iteratorAge: (milliseconds) => iteratorAge(target.name, milliseconds),
        onDiscarded(records) {
          const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber).join(", ");
          const sentTo = destination === undefined ? "" : `; AWS would notify ${destination}`;
          log(`ERROR\tGave up after ${target.name} failed with records ${numbers} of ${streamArn}${sentTo}`);
        },
        stopping,
      },
      target,
      mapping,
    );
    return { source, configuration };
  };
}
