import * as z from "zod";
import { type AwsEnvironment, localCredentials } from "../environment.ts";
import { ServiceError } from "../json-endpoint.ts";
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

type StartingPosition = "TRIM_HORIZON" | "LATEST";

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
 * Opens a stream at a position.
 *
 * Its shards are read one after the other: a local engine has only one open shard at a time.
 */
export async function openStream(
  api: StreamsApi,
  StreamArn: string,
  position: StartingPosition,
): Promise<StreamReader> {
  let ShardId: string | undefined;
  let iterator: string | undefined;
  let lastRead: string | undefined;
  let startingPosition = position;

  /** The shard after one, or the first one to read; undefined while there is none. */
  const shardAfter = async (read: string | undefined): Promise<string | undefined> => {
    const request = { StreamArn, ...(read !== undefined && { ExclusiveStartShardId: read }) };
    const { Shards } = shardsSchema.parse(await api("DescribeStream", request)).StreamDescription;
    const later = Shards.slice(Shards.findIndex((shard) => shard.ShardId === read) + 1);
    return later.at(startingPosition === "LATEST" ? -1 : 0)?.ShardId;
  };

  const open = async (): Promise<string> => {
    const from =
      lastRead === undefined
        ? { ShardIteratorType: startingPosition }
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
        const { Records, NextShardIterator } = recordsSchema.parse(
          await api("GetRecords", { ShardIterator: iterator }),
        );
        iterator = NextShardIterator ?? undefined;
        lastRead = Records.at(-1)?.dynamodb.SequenceNumber ?? lastRead;
        if (iterator === undefined) {
          finished = ShardId;
          ShardId = undefined;
          lastRead = undefined;
          startingPosition = "TRIM_HORIZON";
        }
        return Records;
      } catch (error) {
        // The iterator may have expired, which happens after 15 minutes. A new one starts after the last record read.
        iterator = undefined;
        if (error instanceof ServiceError && error.code === "TrimmedDataAccessException") {
          lastRead = undefined;
          startingPosition = "TRIM_HORIZON";
        }
        throw error;
      }
    },
  };
}
