import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { eventsOf, failuresOf } from "../functions/batch-events.ts";
import type { EventSource } from "../functions/event-source-mapping.ts";
import { InvocationError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import type { StreamReader } from "./stream-reader.ts";
import { afterFailure, type StreamAttempt, type StreamRetries } from "./stream-retries.ts";
import type { StreamRecord } from "./table-stream.ts";

/** Pause after a failed read of the stream. */
const unreachableMilliseconds = 1000;
/** Pause before a retry: it doubles up to the maximum. */
const retryMilliseconds = { first: 50, max: 10_000 };
/** Lambda reads a stream four times a second; here an idle stream is also read as soon as it changes. */
const readMilliseconds = 250;
/** Far longer than a run: a timer cannot be infinite. */
const idleMilliseconds = 86_400_000;

/** A record in a function's event. */
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

/** How an event source mapping feeds a function from a stream. */
interface StreamEventSourceSettings {
  readonly streamArn: string;
  readonly batchSize: number;
  /** How long to wait for a batch to fill up, in seconds. */
  readonly windowSeconds: number;
  /** Length of tumbling windows; 0 for none. */
  readonly tumblingSeconds: number;
  readonly matches: (record: StreamRecord) => boolean;
  /** Whether the function reports which records have failed. */
  readonly reportsFailures: boolean;
  readonly retries: StreamRetries;
  /** Older records are discarded; -1 for no limit. */
  readonly maximumAgeSeconds: number;
  readonly enabled: boolean;
}

/** The stream's reader, callbacks for metrics and logs, and the signal that ends the event source. */
interface StreamEventSourceDependencies {
  readonly reader: StreamReader;
  /** Resolves when the stream may have changed after the call. */
  readonly nextChange: () => Promise<void>;
  /** Called with the age of a batch's last record before each invocation. */
  readonly iteratorAge: (milliseconds: number) => void;
  /** Called with records that have expired or failed their last retry. */
  readonly onDiscarded: (records: readonly StreamRecord[]) => void;
  /** Aborted to end the event source and its reader. */
  readonly stopping: AbortController;
}

function createdAt({ dynamodb }: StreamRecord): number {
  return dynamodb.ApproximateCreationDateTime * 1000;
}

const eventOf = (Records: readonly EventRecord[]): string => JSON.stringify({ Records });

const ageOf = (record: StreamRecord): number => Date.now() - createdAt(record);

const stateSchema = z.object({ state: z.looseObject({}) });

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
  settings: StreamEventSourceSettings,
): EventSource {
  const { reader, nextChange, iteratorAge, onDiscarded, stopping } = dependencies;
  const { streamArn, batchSize, windowSeconds, matches, reportsFailures, retries, maximumAgeSeconds } =
    settings;
  const tumbling = settings.tumblingSeconds * 1000;
  const { signal } = stopping;
  let enabled = Promise.withResolvers<void>();
  let isEnabled = settings.enabled;
  if (isEnabled) enabled.resolve();

  const pause = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal }).catch(() => undefined);

  const waitFor = async (change: Promise<void>, milliseconds: number): Promise<void> => {
    const over = new AbortController();
    const options = { signal: AbortSignal.any([signal, over.signal]) };
    await Promise.race([change, delay(milliseconds, undefined, options).catch(() => undefined)]);
    over.abort();
  };

  /** Matching records that are not in a batch yet, with their shard. */
  const waiting: { readonly shardId: string; readonly record: EventRecord }[] = [];
  let window: TumblingWindow | undefined;
  let readAt = 0;

  const readNext = async (): Promise<StreamRecord[]> => {
    await pause(Math.max(0, readAt + readMilliseconds - Date.now()));
    readAt = Date.now();
    return reader.read();
  };

  const startOf = (record: StreamRecord): number =>
    tumbling === 0 ? 0 : createdAt(record) - (createdAt(record) % tumbling);

  /** Takes the first records that may be in one batch. */
  const takeBatch = (): Batch => {
    const [first] = waiting;
    if (first === undefined) return { shardId: "", records: [] };
    const { shardId } = first;
    const start = startOf(first.record);
    const other = waiting.findIndex((one) => one.shardId !== shardId || startOf(one.record) !== start);
    const length = Math.min(batchSize, other === -1 ? waiting.length : other);
    return { shardId, records: waiting.splice(0, length).map(({ record }) => record) };
  };

  /** The next batch; an empty one if the window has ended, or the source. */
  const gather = async (): Promise<Batch> => {
    let until: number | undefined;
    while (!signal.aborted && isEnabled) {
      const change = nextChange();
      const read = waiting.length < batchSize ? await readNext() : [];
      const shardId = reader.shardId();
      for (const record of read.filter(matches)) {
        waiting.push({ shardId, record: { ...record, eventSourceARN: streamArn } });
      }
      if (waiting.length > 0) until ??= Date.now() + windowSeconds * 1000;
      const left = (until ?? Number.POSITIVE_INFINITY) - Date.now();
      if (waiting.length >= batchSize || left <= 0) return takeBatch();
      const windowLeft = (window?.end ?? Number.POSITIVE_INFINITY) - Date.now();
      if (waiting.length === 0 && windowLeft <= 0) return takeBatch();
      if (read.length === 0) await waitFor(change, Math.min(left, Math.max(0, windowLeft), idleMilliseconds));
    }
    return { shardId: "", records: [] };
  };

  /** An event with the members that describe its tumbling window; without any if the mapping has no windows. */
  const inWindow = (event: string, isFinal: boolean): string => {
    if (window === undefined) return event;
    const members = JSON.stringify({
      window: { start: new Date(window.start).toISOString(), end: new Date(window.end).toISOString() },
      state: window.state,
      shardId: window.shardId,
      eventSourceARN: streamArn,
      isFinalInvokeForWindow: isFinal,
      isWindowTerminatedEarly: false,
    });
    return `${event.slice(0, -1)},${members.slice(1)}`;
  };

  /** The function's answer as JSON text. @param event JSON of the records */
  const call = async (
    event: string,
    isFinal: boolean,
  ): Promise<{ readonly answer: string } | "failed" | "throttled"> => {
    let answer: string;
    try {
      answer = await target.invoke(inWindow(event, isFinal));
    } catch (error) {
      return error instanceof InvocationError ? "throttled" : "failed";
    }
    if (window === undefined) return { answer };
    const returned = stateSchema.safeParse(JSON.parse(answer));
    if (!returned.success) return "failed";
    window.state = returned.data.state;
    return { answer };
  };

  /** Index of the first record that failed, or "throttled". */
  const invoke = async (records: readonly EventRecord[], event: string): Promise<number | "throttled"> => {
    const last = records.at(-1);
    if (last !== undefined) iteratorAge(ageOf(last));
    const called = await call(event, false);
    if (called === "throttled") return called;
    if (called === "failed") return 0;
    if (!reportsFailures) return records.length;
    const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const failed = failuresOf(called.answer, numbers).map((number) => numbers.indexOf(number));
    return Math.min(records.length, ...failed);
  };

  /** Ends the window with an invocation without records, which is repeated until it succeeds. */
  const endWindow = async (): Promise<void> => {
    for (let pauses = 0; !signal.aborted; pauses += 1) {
      await enabled.promise;
      if (typeof (await call(eventOf([]), true)) === "object") break;
      await pause(Math.min(retryMilliseconds.first * 2 ** pauses, retryMilliseconds.max));
    }
    window = undefined;
  };

  /** Ends the window that a batch is not in, and begins its own. */
  const enterWindow = async ({ shardId, records: [first] }: Batch): Promise<void> => {
    if (tumbling === 0) return;
    const start = first && startOf(first);
    const isOver = first === undefined && window !== undefined && window.end <= Date.now();
    const isOther = first !== undefined && (window?.shardId !== shardId || window.start !== start);
    if (window !== undefined && (isOver || isOther)) await endWindow();
    if (start !== undefined) window ??= { shardId, start, end: start + tumbling, state: {} };
  };

  /** @param event JSON of the batch, so that it is not written twice if all goes well */
  const deliver = async (batch: readonly EventRecord[], event: string): Promise<void> => {
    const attempts: StreamAttempt<EventRecord>[] = [{ records: batch, failures: 0 }];
    let pauses = 0;
    for (let attempt = attempts.shift(); attempt !== undefined; attempt = attempts.shift()) {
      await enabled.promise;
      if (signal.aborted) return;
      const isExpired = (record: StreamRecord) =>
        maximumAgeSeconds >= 0 && ageOf(record) > maximumAgeSeconds * 1000;
      const expired = attempt.records.filter(isExpired);
      if (expired.length > 0) onDiscarded(expired);
      const records = attempt.records.filter((record) => !isExpired(record));
      if (records.length === 0) continue;
      const failedFrom = await invoke(records, records.length === batch.length ? event : eventOf(records));
      if (failedFrom === records.length) {
        pauses = 0;
        continue;
      }
      const current = { records, failures: attempt.failures };
      const { retry, discarded } =
        failedFrom === "throttled"
          ? { retry: [current], discarded: [] }
          : afterFailure(current, failedFrom, retries);
      attempts.unshift(...retry);
      if (discarded.length > 0) onDiscarded(discarded);
      // Only a retry of the same records needs a pause.
      if (retry[0]?.records.length !== records.length) continue;
      await pause(Math.min(retryMilliseconds.first * 2 ** pauses, retryMilliseconds.max));
      pauses += 1;
    }
  };

  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      await enabled.promise;
      try {
        const batch = await gather();
        await enterWindow(batch);
        for (const { records, event } of eventsOf(batch.records)) await deliver(records, event);
      } catch {
        // The stream is unreachable, or the run is ending.
        await pause(unreachableMilliseconds);
      }
    }
  };

  const poller = poll();
  return {
    enabled: () => isEnabled,
    setEnabled(wanted) {
      if (wanted === isEnabled) return;
      isEnabled = wanted;
      if (wanted) enabled.resolve();
      else enabled = Promise.withResolvers();
    },
    async stop() {
      stopping.abort();
      enabled.resolve();
      await poller;
    },
  };
}
