import { createHash, randomUUID } from "node:crypto";
import * as z from "zod";
import { ServiceError } from "../base/json-endpoint.ts";
import { sequenceNumber, streamViewType, type TableStream } from "./table-stream.ts";
import type { TableStreams } from "./table-streams.ts";

/** Each stream has one shard for all its life. As in DynamoDB, no other stream has a shard of that name. */
const toShardId = ({ arn }: TableStream): string =>
  `shardId-00000000000000000000-${createHash("sha256").update(arn).digest("hex").slice(0, 8)}`;

const maxRecords = 1000;
const describeSchema = z.object({ StreamArn: z.string() });
const iteratorSchema = z.object({
  StreamArn: z.string(),
  ShardId: z.string(),
  ShardIteratorType: z.enum(["TRIM_HORIZON", "AFTER_SEQUENCE_NUMBER"]),
  SequenceNumber: z.string().regex(/^\d+$/).optional(),
});
const recordsSchema = z.object({
  ShardIterator: z.string(),
  Limit: z.int().min(1).max(maxRecords).default(maxRecords),
});

/** An iterator consists of the stream's ARN, the number of the next record to read, and a name of its reader. */
const toIterator = ({ arn }: TableStream, next: number, reader: string): string => `${arn}|${next}|${reader}`;

/** @throws ServiceError ResourceNotFoundException */
function findStream(streams: TableStreams, arn: string): TableStream {
  const stream = streams.find(arn);
  if (stream !== undefined) return stream;
  const why = `Requested resource not found: Stream: ${arn} not found`;
  throw new ServiceError("ResourceNotFoundException", why);
}

function describeStream(streams: TableStreams, body: unknown): object {
  const stream = findStream(streams, describeSchema.parse(body).StreamArn);
  const last = sequenceNumber(stream.bounds().next - 1);
  return {
    StreamDescription: {
      StreamArn: stream.arn,
      StreamLabel: stream.label,
      StreamStatus: stream.closed() ? "DISABLED" : "ENABLED",
      StreamViewType: streamViewType,
      CreationRequestDateTime: stream.createdAt.getTime() / 1000,
      TableName: stream.tableName,
      KeySchema: stream.keySchema,
      Shards: [
        {
          ShardId: toShardId(stream),
          SequenceNumberRange: {
            StartingSequenceNumber: sequenceNumber(1),
            ...(stream.closed() && { EndingSequenceNumber: last }),
          },
        },
      ],
    },
  };
}

function getShardIterator(streams: TableStreams, body: unknown): object {
  const { StreamArn, ShardId, ShardIteratorType, SequenceNumber } = iteratorSchema.parse(body);
  const stream = findStream(streams, StreamArn);
  if (ShardId !== toShardId(stream)) {
    throw new ServiceError("ResourceNotFoundException", "Shard does not exist");
  }
  const { oldest, next } = stream.bounds();
  const reader = randomUUID();
  // Reading nothing is enough for the stream to know the reader, and refuses a record that has been trimmed.
  const iteratorFrom = (number: number) => {
    stream.read(number, 0, reader);
    return { ShardIterator: toIterator(stream, number, reader) };
  };
  if (ShardIteratorType === "TRIM_HORIZON") return iteratorFrom(oldest);
  if (SequenceNumber === undefined || Number(SequenceNumber) >= next) {
    const why = "One or more parameter values were invalid: Invalid SequenceNumber";
    throw new ServiceError("ValidationException", why);
  }
  return iteratorFrom(Number(SequenceNumber) + 1);
}

function getRecords(streams: TableStreams, body: unknown): object {
  const { ShardIterator, Limit } = recordsSchema.parse(body);
  const [arn = "", from = "", reader = ""] = ShardIterator.split("|");
  const stream = streams.find(arn);
  if (stream === undefined || !/^\d+$/.test(from)) {
    throw new ServiceError("ValidationException", "Invalid ShardIterator");
  }
  const records = stream.read(Number(from), Limit, reader);
  const next = Number(from) + records.length;
  const isAtEnd = stream.closed() && next === stream.bounds().next;
  const iterator = isAtEnd ? "" : `,"NextShardIterator":${JSON.stringify(toIterator(stream, next, reader))}`;
  return Buffer.from(`{"Records":[${records.join(",")}]${iterator}}`);
}

/** The operations of the DynamoDB Streams API, by name. An answer that is bytes is JSON already. */
export const streamsApi = (streams: TableStreams): Record<string, (body: unknown) => object> => ({
  DescribeStream: (body) => describeStream(streams, body),
  GetShardIterator: (body) => getShardIterator(streams, body),
  GetRecords: (body) => getRecords(streams, body),
});
