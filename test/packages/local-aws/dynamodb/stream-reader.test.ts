import { expect, test, vi } from "vitest";
import { openStream, type StreamsApi } from "../../../../packages/local-aws/dynamodb/stream-reader.ts";
import { streamsApi } from "../../../../packages/local-aws/dynamodb/streams-api.ts";
import {
  createTableStream,
  type StreamRecord,
  type TableStream,
} from "../../../../packages/local-aws/dynamodb/table-stream.ts";
import type { TableStreams } from "../../../../packages/local-aws/dynamodb/table-streams.ts";
import { ServiceError } from "../../../../packages/local-aws/json-endpoint.ts";

const table = {
  tableName: "cards",
  tableArn: "arn:aws:dynamodb:eu-north-1:000000000000:table/cards",
  keySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  viewType: "KEYS_ONLY",
} as const;

/** A stream of few records, and its API within the process. */
function smallStream(least: number, most = 1000): { stream: TableStream; api: StreamsApi } {
  const stream = createTableStream(
    table,
    () => 1,
    () => undefined,
    { least, most },
  );
  const streams: TableStreams = {
    of: () => stream,
    find: () => stream,
    all: () => [stream],
    start: () => stream,
    end: () => stream.close(),
  };
  const operations = streamsApi(streams);
  return { stream, api: async (operation, request) => operations[operation]?.(request) };
}

function append(stream: TableStream, ...ids: string[]): void {
  for (const id of ids) stream.append(undefined, { id: { S: id } });
}

const idsOf = (records: readonly StreamRecord[]) => records.map(({ dynamodb }) => dynamodb.Keys.id?.S);

test("a stream keeps the records that a reader has not read yet, and the latest ones for new readers", async () => {
  const { stream, api } = smallStream(2);
  const reader = await openStream(api, stream.arn, "TRIM_HORIZON");
  append(stream, ..."abcdefg");
  expect(idsOf(await reader.read())).toEqual([..."abcdefg"]);
  append(stream, "h");
  const other = await openStream(api, stream.arn, "TRIM_HORIZON");
  expect(idsOf(await other.read())).toEqual(["g", "h"]);
  expect(idsOf(await reader.read())).toEqual(["h"]);
});

test("a reader that is further behind than records are kept goes on with the oldest one", async () => {
  const { stream, api } = smallStream(2, 4);
  const reader = await openStream(api, stream.arn, "TRIM_HORIZON");
  append(stream, ..."abcdefg");
  await expect(reader.read()).rejects.toThrow("is no longer in the stream");
  const rest = idsOf(await reader.read());
  expect(rest.at(-1)).toBe("g");
  expect(rest.length).toBeGreaterThanOrEqual(4);
  expect(rest.length).toBeLessThanOrEqual(6);
  expect(await reader.read()).toEqual([]);
});

test("nothing is kept for a reader that has not come back for a quarter of an hour", async () => {
  vi.useFakeTimers();
  try {
    const { stream, api } = smallStream(2);
    const reader = await openStream(api, stream.arn, "TRIM_HORIZON");
    append(stream, ..."abc");
    vi.advanceTimersByTime(15 * 60_000 + 1);
    append(stream, "d");
    await expect(reader.read()).rejects.toThrow("is no longer in the stream");
  } finally {
    vi.useRealTimers();
  }
});

test("the stream of a deleted table is read to its end", async () => {
  const { stream, api } = smallStream(10);
  const reader = await openStream(api, stream.arn, "TRIM_HORIZON");
  append(stream, "a");
  stream.close();
  expect(idsOf(await reader.read())).toEqual(["a"]);
  expect(await reader.read()).toEqual([]);
  expect(await api("DescribeStream", { StreamArn: stream.arn })).toMatchObject({
    StreamDescription: {
      StreamStatus: "DISABLED",
      Shards: [{ SequenceNumberRange: { EndingSequenceNumber: "000000000000000000001" } }],
    },
  });
});

test("a reader goes on where it was after a request that failed", async () => {
  const { stream, api } = smallStream(10);
  let fails = false;
  const reader = await openStream(
    (operation, request) => {
      if (fails && operation === "GetRecords") throw new ServiceError("ExpiredIteratorException", "expired");
      return api(operation, request);
    },
    stream.arn,
    "LATEST",
  );
  append(stream, "a");
  expect(idsOf(await reader.read())).toEqual(["a"]);
  append(stream, "b");
  fails = true;
  await expect(reader.read()).rejects.toThrow("expired");
  fails = false;
  expect(idsOf(await reader.read())).toEqual(["b"]);
});

test("shards are read one after the other", async () => {
  const shards: Record<string, string[]> = { one: ["a"], two: ["b", "c"] };
  const order = ["one", "two"];
  const api: StreamsApi = async (operation, request) => {
    const { ShardId = "", ShardIterator = "", ExclusiveStartShardId } = request as Record<string, string>;
    if (operation === "GetShardIterator") return { ShardIterator: ShardId };
    if (operation === "GetRecords") {
      const ids = shards[ShardIterator] ?? [];
      return { Records: ids.map((id) => ({ dynamodb: { SequenceNumber: id, Keys: { id: { S: id } } } })) };
    }
    const after = order.indexOf(ExclusiveStartShardId ?? "") + 1;
    return { StreamDescription: { Shards: order.slice(after).map((ShardId) => ({ ShardId })) } };
  };
  const reader = await openStream(api, "arn", "TRIM_HORIZON");
  expect(idsOf(await reader.read())).toEqual(["a"]);
  expect(idsOf(await reader.read())).toEqual(["b", "c"]);
  expect(await reader.read()).toEqual([]);
  order.push("three");
  shards.three = ["d"];
  expect(idsOf(await reader.read())).toEqual(["d"]);
});
