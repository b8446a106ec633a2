import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { eventsOf } from "../functions/batch-events.ts";
import { createSwitch, type EventSource } from "../functions/event-source-mapping.ts";
import { InvocationError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import { filterCriteriaSchema, readFilterCriteria } from "./filter-criteria.ts";
import type { StreamReader } from "./stream-reader.ts";
import type { StreamRecord } from "./table-stream.ts";

/** Pause after a failed read of the stream. */
const unreachableMilliseconds = 1000;
/** Pause before a retry: it doubles up to the maximum. */
const retryMilliseconds = { first: 50, max: 10_000 };
/** Lambda reads a stream four times a second; here an idle stream is also read as soon as it changes. */
const readMilliseconds = 250;
/** Far longer than a run: a timer cannot be infinite. */
const idleMilliseconds = 86_400_000;

type EventRecord = StreamRecord & { readonly eventSourceARN: string };

/** Records for one invocation: of one shard, and of one tumbling window if the mapping has windows. */
interface Batch {
  readonly shardId: string;
  readonly records: readonly EventRecord[];
}

/** A tumbling window that has begun. Times in milliseconds since 1970. */
interface TumblingWindow {
  readonly shardId: string;
  readonly start: number;
  readonly end: number;
  /** The state that the function returned last, for its next invocation. */
  state: unknown;
}

/** The properties of a mapping from a stream. */
export const streamMappingSchema = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  StartingPosition: z.literal("TRIM_HORIZON"),
  BatchSize: z.coerce.number().default(100),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  TumblingWindowInSeconds: z.coerce.number().default(0),
  FilterCriteria: filterCriteriaSchema.default({ Filters: [] }),
  BisectBatchOnFunctionError: z.union([z.boolean(), z.stringbool()]).default(false),
  MaximumRecordAgeInSeconds: z.coerce.number().default(-1),
  DestinationConfig: z
    .strictObject({ OnFailure: z.strictObject({ Destination: z.string() }).optional() })
    .default({}),
  Enabled: z.union([z.boolean(), z.stringbool()]).default(true),
});

/** How a mapping feeds a function from a stream. */
type StreamMapping = z.output<typeof streamMappingSchema>;

/** The stream's reader, callbacks for metrics and logs, and the signal that ends the event source. */
interface StreamEventSourceDependencies {
  readonly reader: StreamReader;
  /** Resolves when the stream may have changed after the call. */
  readonly nextChange: () => Promise<void>;
  /** Called with the age of a batch's last record before each invocation. */
  readonly iteratorAge: (milliseconds: number) => void;
  /** Called with records that have expired. */
  readonly onDiscarded: (records: readonly StreamRecord[]) => void;
  /** Aborted to end the event source and its reader. */
  readonly stopping: AbortController;
}

function createdAt({ dynamodb }: StreamRecord): number {
  return dynamodb.ApproximateCreationDateTime * 1000;
}

const toEventJson = (Records: readonly EventRecord[]): string => JSON.stringify({ Records });

const ageOf = (record: StreamRecord): number => Date.now() - createdAt(record);

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

const retryPause = (pauses: number): number =>
  Math.min(retryMilliseconds.first * 2 ** pauses, retryMilliseconds.max);

/** When the tumbling window of a record begins; 0 if the mapping has no windows. */
const windowStart = (record: StreamRecord, tumbling: number): number =>
  tumbling === 0 ? 0 : createdAt(record) - (createdAt(record) % tumbling);

const stateSchema = z.object({ state: z.looseObject({}) });

/** Whether an event source runs, and what ends it. */
interface Running {
  readonly signal: AbortSignal;
  readonly isEnabled: () => boolean;
  readonly whenEnabled: () => Promise<void>;
}

/** Reads matching records into batches. @param windowEnd when the window ends that has begun, infinite if none has */
function createGatherer(
  { reader, nextChange }: StreamEventSourceDependencies,
  mapping: StreamMapping,
  { signal, isEnabled }: Running,
  windowEnd: () => number,
): () => Promise<Batch> {
  const { EventSourceArn: streamArn, BatchSize: batchSize } = mapping;
  const windowSeconds = mapping.MaximumBatchingWindowInSeconds;
  const tumbling = mapping.TumblingWindowInSeconds * 1000;
  const matches = readFilterCriteria(mapping.FilterCriteria);
  const waitFor = async (change: Promise<void>, milliseconds: number): Promise<void> => {
    const over = new AbortController();
    const options = { signal: AbortSignal.any([signal, over.signal]) };
    await Promise.race([change, delay(milliseconds, undefined, options).catch(() => undefined)]);
    over.abort();
  };

  /** Matching records that are not in a batch yet, with their shard. */
  const waiting: { readonly shardId: string; readonly record: EventRecord }[] = [];
  let readAt = 0;

  const readNext = async (): Promise<StreamRecord[]> => {
    await pause(Math.max(0, readAt + readMilliseconds - Date.now()), signal);
    readAt = Date.now();
    return reader.read();
  };

  /** Takes the first records that may be in one batch. */
  const takeBatch = (): Batch => {
    const [first] = waiting;
    if (first === undefined) return { shardId: "", records: [] };
    const { shardId } = first;
    const start = windowStart(first.record, tumbling);
    const other = waiting.findIndex(
      (one) => one.shardId !== shardId || windowStart(one.record, tumbling) !== start,
    );
    const length = Math.min(batchSize, other === -1 ? waiting.length : other);
    return { shardId, records: waiting.splice(0, length).map(({ record }) => record) };
  };

  /** The next batch; an empty one if the window has ended, or the source. */
  return async () => {
    let until: number | undefined;
    while (!signal.aborted && isEnabled()) {
      const change = nextChange();
      const read = waiting.length < batchSize ? await readNext() : [];
      const shardId = reader.shardId();
      for (const record of read.filter(matches)) {
        waiting.push({ shardId, record: { ...record, eventSourceARN: streamArn } });
      }
      if (waiting.length > 0) until ??= Date.now() + windowSeconds * 1000;
      const left = (until ?? Number.POSITIVE_INFINITY) - Date.now();
      if (waiting.length >= batchSize || left <= 0) return takeBatch();
      const windowLeft = windowEnd() - Date.now();
      if (waiting.length === 0 && windowLeft <= 0) return takeBatch();
      if (read.length === 0) await waitFor(change, Math.min(left, Math.max(0, windowLeft), idleMilliseconds));
    }
    return { shardId: "", records: [] };
  };
}

/** How an invocation ended. */
type Outcome = "done" | "failed" | "throttled";

/** Calls a function, and keeps the state that it returns for its window. @param event JSON of the records */
async function callFunction(
  target: LocalFunction,
  event: string,
  window: TumblingWindow | undefined,
  streamArn: string,
  isFinal: boolean,
): Promise<Outcome> {
  let answer: string;
  try {
    answer = await target.invoke(
      window === undefined ? event : withWindow(event, window, streamArn, isFinal),
    );
  } catch (error) {
    return error instanceof InvocationError ? "throttled" : "failed";
  }
  if (window === undefined) return "done";
  const returned = stateSchema.safeParse(JSON.parse(answer));
  if (!returned.success) return "failed";
  window.state = returned.data.state;
  return "done";
}

/** Invokes the function, with the state of its tumbling window if the mapping has windows. */
function createInvoker(
  { iteratorAge }: StreamEventSourceDependencies,
  target: LocalFunction,
  { EventSourceArn: streamArn, TumblingWindowInSeconds }: StreamMapping,
  { signal, whenEnabled }: Running,
) {
  const tumbling = TumblingWindowInSeconds * 1000;
  let window: TumblingWindow | undefined;

  const call = (event: string, isFinal: boolean) => callFunction(target, event, window, streamArn, isFinal);

  const invoke = async (records: readonly EventRecord[], event: string): Promise<Outcome> => {
    const last = records.at(-1);
    if (last !== undefined) iteratorAge(ageOf(last));
    return await call(event, false);
  };

  /** Ends the window with an invocation without records, which is repeated until it succeeds. */
  const endWindow = async (): Promise<void> => {
    for (let pauses = 0; !signal.aborted; pauses += 1) {
      await whenEnabled();
      if ((await call(toEventJson([]), true)) === "done") break;
      await pause(retryPause(pauses), signal);
    }
    window = undefined;
  };

  /** Ends the window that a batch is not in, and begins its own. */
  const enterWindow = async ({ shardId, records: [first] }: Batch): Promise<void> => {
    if (tumbling === 0) return;
    const start = first && windowStart(first, tumbling);
    const isOver = first === undefined && window !== undefined && window.end <= Date.now();
    const isOther = first !== undefined && (window?.shardId !== shardId || window.start !== start);
    if (window !== undefined && (isOver || isOther)) await endWindow();
    if (start !== undefined) window ??= { shardId, start, end: start + tumbling, state: {} };
  };

  return { invoke, enterWindow, windowEnd: () => window?.end ?? Number.POSITIVE_INFINITY };
}

/** An event with the members that describe its tumbling window. */
function withWindow(event: string, window: TumblingWindow, eventSourceARN: string, isFinal: boolean): string {
  const members = JSON.stringify({
    window: { start: new Date(window.start).toISOString(), end: new Date(window.end).toISOString() },
    state: window.state,
    shardId: window.shardId,
    eventSourceARN,
    isFinalInvokeForWindow: isFinal,
    isWindowTerminatedEarly: false,
  });
  return `${event.slice(0, -1)},${members.slice(1)}`;
}

/** Invokes a function with a batch, and again with what it has failed with. */
function createDeliverer(
  { onDiscarded }: StreamEventSourceDependencies,
  { BisectBatchOnFunctionError: bisects, MaximumRecordAgeInSeconds: maximumAgeSeconds }: StreamMapping,
  { signal, whenEnabled }: Running,
  invoke: (records: readonly EventRecord[], event: string) => Promise<Outcome>,
) {
  /** @param event JSON of the batch, so that it is not written twice if all goes well */
  return async (batch: readonly EventRecord[], event: string): Promise<void> => {
    const parts = [batch];
    let pauses = 0;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      await whenEnabled();
      if (signal.aborted) return;
      const isExpired = (record: StreamRecord) =>
        maximumAgeSeconds >= 0 && ageOf(record) > maximumAgeSeconds * 1000;
      const expired = part.filter(isExpired);
      if (expired.length > 0) onDiscarded(expired);
      const records = part.filter((record) => !isExpired(record));
      if (records.length === 0) continue;
      const outcome = await invoke(records, records.length === batch.length ? event : toEventJson(records));
      if (outcome === "done") {
        pauses = 0;
        continue;
      }
      if (outcome === "failed" && bisects && records.length > 1) {
        const middle = Math.ceil(records.length / 2);
        parts.unshift(records.slice(0, middle), records.slice(middle));
        continue;
      }
      // Only a retry of the same records needs a pause.
      parts.unshift(records);
      await pause(retryPause(pauses), signal);
      pauses += 1;
    }
  };
}

/**
 * Invokes a function with the matching records of a stream, in order, one batch at a time.
 *
 * A batch that fails blocks the records after it until it succeeds or is discarded.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html for tumbling windows
 */
export function startStreamEventSource(
  dependencies: StreamEventSourceDependencies,
  target: LocalFunction,
  mapping: StreamMapping,
): EventSource {
  const { stopping } = dependencies;
  const { isEnabled, whenEnabled, setEnabled, end } = createSwitch(mapping.Enabled);
  const running: Running = { signal: stopping.signal, isEnabled, whenEnabled };
  const { invoke, enterWindow, windowEnd } = createInvoker(dependencies, target, mapping, running);
  const gather = createGatherer(dependencies, mapping, running, windowEnd);
  const deliver = createDeliverer(dependencies, mapping, running, invoke);

  const poll = async (): Promise<void> => {
    while (!running.signal.aborted) {
      await whenEnabled();
      try {
        const batch = await gather();
        await enterWindow(batch);
        for (const { records, event } of eventsOf(batch.records)) await deliver(records, event);
      } catch {
        // The stream is unreachable, or the run is ending.
        await pause(unreachableMilliseconds, running.signal);
      }
    }
  };

  const poller = poll();
  return {
    enabled: isEnabled,
    setEnabled,
    async stop() {
      stopping.abort();
      end();
      await poller;
    },
  };
}
