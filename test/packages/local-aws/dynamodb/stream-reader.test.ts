import { expect, test, vi } from "vitest";
import { ServiceError } from "../../../../packages/local-aws/base/json-endpoint.ts";
import {
  openStream,
  type StreamsApi,
  sharedStream,
} from "../../../../packages/local-aws/dynamodb/stream-reader.ts";
import { streamsApi } from "../../../../packages/local-aws/dynamodb/streams-api.ts";
import {
  createTableStream,
  type StreamRecord,
  type TableStream,
} from "../../../../packages/local-aws/dynamodb/table-stream.ts";
import type { TableStreams } from "../../../../packages/local-aws/dynamodb/table-streams.ts";

const table = {
  tableName: "cards",
  tableArn: "arn:aws:dynamodb:eu-north-1:000000000000:table/cards",
  keySchema: [{ AttributeName: "id", KeyType: "HASH" }],
} as const;

/** A stream of few records, and its API within the process. */
function smallStream(least: number, most = 1000): { stream: TableStream; api: StreamsApi } {
  const stream = createTableStream(table, () => undefined, { least, most });
  const streams: TableStreams = {
    of: () => stream,
    find: () => stream,
    start: () => stream,
    end: () => stream.close(),
  };
  const operations = streamsApi(streams);
  const api: StreamsApi = async (operation, request) => {
    const answer = operations[operation]?.(request);
    return answer instanceof Uint8Array ? JSON.parse(Buffer.from(answer).toString()) : answer;
  };
  return { stream, api };
}

function append(stream: TableStream, ...ids: string[]): void {
  for (const id of ids) {
    const item = { id: { S: id } };
    stream.append(item, undefined, { json: JSON.stringify(item), bytes: 1 });
  }
}

const idsOf = (records: readonly StreamRecord[]) => records.map(({ dynamodb }) => dynamodb.Keys.id?.S);

test("a stream keeps the records that a reader has not read yet, and the latest ones for new readers", async () => {
  const { stream, api } = smallStream(2);
  const reader = await openStream(api, stream.arn);
  append(stream, ..."abcdefg");
  expect(idsOf(await reader.read())).toEqual([..."abcdefg"]);
  append(stream, "h");
  const other = await openStream(api, stream.arn);
  expect(idsOf(await other.read())).toEqual(["g", "h"]);
  expect(idsOf(await reader.read())).toEqual(["h"]);
});

test("a reader that is further behind than records are kept goes on with the oldest one", async () => {
  const { stream, api } = smallStream(2, 4);
  const reader = await openStream(api, stream.arn);
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
    const reader = await openStream(api, stream.arn);
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
  const reader = await openStream(api, stream.arn);
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
  const reader = await openStream((operation, request) => {
    if (fails && operation === "GetRecords") throw new ServiceError("ExpiredIteratorException", "expired");
    return api(operation, request);
  }, stream.arn);
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
  const reader = await openStream(api, "arn");
  expect(idsOf(await reader.read())).toEqual(["a"]);
  expect(idsOf(await reader.read())).toEqual(["b", "c"]);
  expect(await reader.read()).toEqual([]);
  order.push("three");
  shards.three = ["d"];
  expect(idsOf(await reader.read())).toEqual(["d"]);
});

test("readers that share a stream get every record in order, each in its own time, for one request", async () => {
  const { stream, api } = smallStream(10);
  let requests = 0;
  const opened = await openStream((operation, request) => {
    if (operation === "GetRecords") requests += 1;
    return api(operation, request);
  }, stream.arn);
  const shared = sharedStream(opened);
  const [one, other] = [shared.join(), shared.join()];
  append(stream, "a", "b");
  expect(idsOf(await one.read())).toEqual(["a", "b"]);
  append(stream, "c");
  expect(idsOf(await one.read())).toEqual(["c"]);
  expect(idsOf(await other.read())).toEqual(["a", "b", "c"]);
  expect(requests).toBe(2);
  expect(other.shardId()).toBe(one.shardId());
});

test("a reader is not given the answer to a request that began before its own", async () => {
  const { stream, api } = smallStream(10);
  const answers: (() => void)[] = [];
  const opened = await openStream(async (operation, request) => {
    const answer = await api(operation, request);
    if (operation === "GetRecords") await new Promise<void>((resolve) => answers.push(resolve));
    return answer;
  }, stream.arn);
  const shared = sharedStream(opened);
  const [one, other] = [shared.join(), shared.join()];
  const early = one.read();
  await expect.poll(() => answers).toHaveLength(1);
  append(stream, "a");
  const late = other.read();
  answers.shift()?.();
  expect(await early).toEqual([]);
  await expect.poll(() => answers).toHaveLength(1);
  answers.shift()?.();
  expect(idsOf(await late)).toEqual(["a"]);
});

test("a failed request fails for the reader that made it, and the next one reads what it would have read", async () => {
  const { stream, api } = smallStream(10);
  let fails = true;
  const opened = await openStream(async (operation, request) => {
    if (operation === "GetRecords" && fails) throw new Error("The engine does not answer.");
    return api(operation, request);
  }, stream.arn);
  const shared = sharedStream(opened);
  const [one, other] = [shared.join(), shared.join()];
  append(stream, "a");
  await expect(one.read()).rejects.toThrow("does not answer");
  fails = false;
  expect([idsOf(await other.read()), idsOf(await one.read())]).toEqual([["a"], ["a"]]);
});

test("records are kept for a slow reader up to a limit, and none for one that has left", async () => {
  const { stream, api } = smallStream(100);
  const shared = sharedStream(await openStream(api, stream.arn), 2);
  const [fast, slow, left] = [shared.join(), shared.join(), shared.join()];
  left.leave();
  expect(shared.size()).toBe(2);
  for (const id of "abcd") {
    append(stream, id);
    expect(idsOf(await fast.read())).toEqual([id]);
  }
  expect(idsOf(await slow.read())).toEqual(["c", "d"]);
  expect(await slow.read()).toEqual([]);
});

test("a reader that fell behind catches up with as many records as one request brings", async () => {
  const { stream, api } = smallStream(10_000, 10_000);
  const shared = sharedStream(await openStream(api, stream.arn));
  const [fast, slow] = [shared.join(), shared.join()];
  const ids = Array.from({ length: 1_500 }, (_, number) => `card ${number}`);
  for (let from = 0; from < ids.length; from += 300) {
    append(stream, ...ids.slice(from, from + 300));
    await fast.read();
  }
  const reads = [idsOf(await slow.read()), idsOf(await slow.read()), idsOf(await slow.read())];
  expect(reads.map(({ length }) => length)).toEqual([900, 600, 0]);
  expect(reads.flat()).toEqual(ids);
});
