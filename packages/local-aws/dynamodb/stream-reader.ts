import * as z from "zod";
import { type AwsEnvironment, localCredentials } from "../base/environment.ts";
import { ServiceError } from "../base/json-endpoint.ts";
import type { StreamRecord } from "./table-stream.ts";

/** Calls an operation of the DynamoDB Streams API and returns its result. */
export type StreamsApi = (operation: string, request: object) => Promise<unknown>;

const refusalSchema = z.object({ __type: z.string(), message: z.string().optional() });

/**
 * The DynamoDB Streams API at an engine's endpoint. It does not use the SDK, because functions get the records in the
 * API's own JSON.
 *
 * @param signal aborts requests
 */
export function streamsApiAt(endpoint: string, { region }: AwsEnvironment, signal: AbortSignal): StreamsApi {
  // Engines do not check signatures, but read the account and the region from this header.
  const credential = `${localCredentials.accessKeyId}/20260101/${region}/dynamodb/aws4_request`;
  return async (operation, request) => {
    const response = await fetch(endpoint, {
      method: "POST",
      signal,
      headers: {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": `DynamoDBStreams_20120810.${operation}`,
        "X-Amz-Date": "20260101T000000Z",
        Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(request),
    });
    const body = await response.json();
    if (response.ok) return body;
    const { __type, message = `${operation} failed with status ${response.status}` } =
      refusalSchema.parse(body);
    throw new ServiceError(__type.split("#").at(-1) ?? "", message, response.status);
  };
}

const shardsSchema = z.object({
  StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })) }),
});
const iteratorSchema = z.object({ ShardIterator: z.string() });
const recordsSchema = z.object({
  Records: z.array(z.custom<StreamRecord>()),
  NextShardIterator: z.string().nullish(),
});

/** Reads the records of a stream in order. */
export interface StreamReader {
  /** The shard that the last records were read from. */
  readonly shardId: () => string;
  /**
   * The next records, all of one shard; none if there are none yet.
   *
   * @throws Error if the engine does not answer; the next read starts at the same record
   */
  read(): Promise<StreamRecord[]>;
}

/**
 * Opens a stream at the oldest record that is kept.
 *
 * Its shards are read one after the other: a local engine has only one open shard at a time.
 */
export async function openStream(api: StreamsApi, StreamArn: string): Promise<StreamReader> {
  let ShardId: string | undefined;
  let iterator: string | undefined;
  let lastRead: string | undefined;

  /** The shard after one, or the first one to read; undefined while there is none. */
  const shardAfter = async (read: string | undefined): Promise<string | undefined> => {
    const request = { StreamArn, ...(read !== undefined && { ExclusiveStartShardId: read }) };
    const { Shards } = shardsSchema.parse(await api("DescribeStream", request)).StreamDescription;
    return Shards[Shards.findIndex((shard) => shard.ShardId === read) + 1]?.ShardId;
  };

  const open = async (): Promise<string> => {
    const from =
      lastRead === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: lastRead };
    const answer = await api("GetShardIterator", { StreamArn, ShardId, ...from });
    return iteratorSchema.parse(answer).ShardIterator;
  };

  ShardId = await shardAfter(undefined);
  if (ShardId !== undefined) iterator = await open();
  let finished: string | undefined;
  return {
    shardId: () => ShardId ?? finished ?? "",
    async read() {
      ShardId ??= await shardAfter(finished);
      if (ShardId === undefined) return [];
      try {
        iterator ??= await open();
        const answer = await api("GetRecords", { ShardIterator: iterator });
        const { Records, NextShardIterator } = recordsSchema.parse(answer);
        iterator = NextShardIterator ?? undefined;
        lastRead = Records.at(-1)?.dynamodb.SequenceNumber ?? lastRead;
        if (iterator === undefined) {
          finished = ShardId;
          ShardId = undefined;
          lastRead = undefined;
        }
        return Records;
      } catch (error) {
        // The iterator may have expired, which happens after 15 minutes. A new one starts after the last record read.
        iterator = undefined;
        if (error instanceof ServiceError && error.code === "TrimmedDataAccessException")
          lastRead = undefined;
        throw error;
      }
    },
  };
}

/** A reader that shares its requests with others. */
export interface SharingReader extends StreamReader {
  /** Ends it: nothing is kept for it any more. */
  leave(): void;
}

/** Readers of one stream that share their requests. */
export interface SharedStream {
  /** Whether a record has been read, which a reader that joins now would not get. */
  readonly hasBegun: () => boolean;
  join(): SharingReader;
  readonly size: () => number;
}

/** Records that DynamoDB returns for one request. */
const maxOfRequest = 1000;
/** Records that are kept for readers that lag behind, as many as the engine keeps at most. */
const maxKept = 100_000;

/** Batches of records that are kept until every reader has them, by numbers that go on. */
function createBatches(most: number) {
  const batches: { readonly shardId: string; readonly records: StreamRecord[] }[] = [];
  /** Batches before the first of `batches`. */
  let dropped = 0;
  let kept = 0;
  const drop = (): void => {
    kept -= batches.shift()?.records.length ?? 0;
    dropped += 1;
  };
  return {
    /** The number of the batch that comes next. */
    end: () => dropped + batches.length,
    add(shardId: string, records: StreamRecord[]): void {
      batches.push({ shardId, records });
      kept += records.length;
      while (kept > most && batches.length > 1) drop();
    },
    dropBefore(first: number): void {
      while (batches.length > 0 && dropped < first) drop();
    },
    /** As many records of one shard as one request would bring, so that a reader which fell behind can catch up. */
    take(next: number) {
      const from = Math.max(next - dropped, 0);
      const shardId = batches[from]?.shardId;
      const records: StreamRecord[] = [];
      let to = from;
      for (const batch of batches.slice(from)) {
        const isTooMuch = to > from && records.length + batch.records.length > maxOfRequest;
        if (isTooMuch || batch.shardId !== shardId) break;
        records.push(...batch.records);
        to += 1;
      }
      return { shardId, records, next: dropped + to };
    },
  };
}

/**
 * Lets several readers have each record of a stream for one request: an engine spends more on writing records as JSON, and this
 * process on parsing them, than on all else about them.
 *
 * Each reader gets all records, at its own pace. Up to 100,000 records are kept for the slowest; if there are more, it misses the oldest, as
 * if the stream had been trimmed.
 */
export function sharedStream(stream: StreamReader, most = maxKept): SharedStream {
  const batches = createBatches(most);
  let reading: Promise<void> | undefined;
  /** The number of the next batch of each reader. */
  const next = new Map<SharingReader, number>();
  const trim = (): void => batches.dropBefore(Math.min(...next.values()));

  async function readOn(): Promise<void> {
    const records = await stream.read();
    if (records.length > 0) batches.add(stream.shardId(), records);
  }

  return {
    hasBegun: () => batches.end() > 0,
    size: () => next.size,
    join() {
      let shardId = "";
      const take = (): StreamRecord[] => {
        const taken = batches.take(next.get(reader) ?? 0);
        shardId = taken.shardId ?? shardId;
        next.set(reader, taken.next);
        trim();
        return taken.records;
      };
      const reader: SharingReader = {
        shardId: () => shardId,
        async read() {
          const waiting = take();
          if (waiting.length > 0) return waiting;
          // A request that is under way may be older than the change for which this reader reads.
          for (let under = reading; under !== undefined; under = reading) {
            await under.catch(() => undefined);
            const read = take();
            if (read.length > 0) return read;
          }
          reading = readOn().finally(() => {
            reading = undefined;
          });
          await reading;
          return take();
        },
        leave() {
          next.delete(reader);
          trim();
        },
      };
      next.set(reader, batches.end());
      return reader;
    },
  };
}
