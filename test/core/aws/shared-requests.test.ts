import { AsyncLocalStorage } from "node:async_hooks";
import type { BatchGetItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { batchGet, batchWrite, type ConditionalWrite, conditionalWrites } from "../../../core/aws/batch.ts";
import { QueueBatchError, sendMessages } from "../../../core/aws/send-messages.ts";
import { shareReads } from "../../../core/aws/share-reads.ts";
import { shareSends } from "../../../core/aws/share-sends.ts";
import { shareWrites } from "../../../core/aws/share-writes.ts";
import { cut, type Sharing, sharedRequests } from "../../../core/aws/shared-requests.ts";
import { startEngine, tables } from "./engine.ts";

/** Requests of up to four numbers, whose responses are the numbers doubled. */
const doubling: Sharing<readonly number[], readonly number[]> = {
  keyOf: () => "",
  room: (inputs) => 4 - inputs.flat().length,
  merge: (inputs) => inputs.flat(),
  split: (output, inputs) =>
    cut(
      output,
      inputs.map(({ length }) => length),
    ),
};

/** A service whose requests end when the test says so. */
function heldService(
  answer = (numbers: readonly number[]): readonly number[] => numbers.map((one) => 2 * one),
) {
  const requests: { readonly numbers: readonly number[]; readonly end: () => void }[] = [];
  const share = sharedRequests(doubling, (numbers) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    requests.push({ numbers, end: resolve });
    return promise.then(() => answer(numbers));
  });
  const sent = () => requests.map(({ numbers }) => numbers);
  return { share, sent, end: (index: number) => requests[index]?.end() };
}

const named = (name: string) => Object.assign(new Error(name), { name });

describe("calls that share requests", () => {
  afterEach(() => vi.useRealTimers());

  test("a call goes at once if none is under way, and alone", async () => {
    const { share, sent, end } = heldService();
    const first = share([1]);
    expect(sent()).toEqual([[1]]);
    end(0);
    expect(await first).toEqual([2]);
    void share([2]);
    expect(sent()).toEqual([[1], [2]]);
  });

  test("calls that come meanwhile go together when it has ended, and each gets its own output", async () => {
    const { share, sent, end } = heldService();
    const calls = [share([1]), share([2, 3]), share([4])];
    expect(sent()).toEqual([[1]]);
    end(0);
    await vi.waitFor(() => expect(sent()).toEqual([[1], [2, 3, 4]]));
    end(1);
    expect(await Promise.all(calls)).toEqual([[2], [4, 6], [8]]);
  });

  test("calls that fill a request go at once, and one that does not fit goes with the next", async () => {
    const { share, sent, end } = heldService();
    const calls = [share([1]), share([2, 3]), share([4, 5]), share([6, 7, 8]), share([9, 10])];
    expect(sent()).toEqual([[1], [2, 3, 4, 5], [6, 7, 8]]);
    for (const index of [0, 1, 2]) end(index);
    await vi.waitFor(() => expect(sent()).toHaveLength(4));
    end(3);
    expect((await Promise.all(calls)).at(-1)).toEqual([18, 20]);
  });

  test("a request is part of the run that made the first of its calls, which still waits for it", async () => {
    const runs = new AsyncLocalStorage<string>();
    const senders: unknown[] = [];
    const share = sharedRequests(doubling, async (numbers) => {
      senders.push(runs.getStore());
      await new Promise(setImmediate);
      return numbers;
    });
    const calls = [1, 2, 3, 4, 5, 6].map((one) => runs.run(`run ${one}`, () => share([one])));
    await Promise.all(calls);
    expect(senders).toEqual(["run 1", "run 2", "run 6"]);
  });

  test("a call that fills a request alone waits for nothing", () => {
    const { share, sent } = heldService();
    void share([1]);
    void share([2, 3, 4, 5]);
    expect(sent()).toEqual([[1], [2, 3, 4, 5]]);
  });

  test("a request that hangs holds nobody up for longer than a moment", async () => {
    vi.useFakeTimers();
    const { share, sent } = heldService();
    void share([1]);
    void share([2]);
    await vi.advanceTimersByTimeAsync(49);
    expect(sent()).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([[1], [2]]);
  });

  test("only the caller whose part is refused gets the error", async () => {
    const { share, sent, end } = heldService((numbers) => {
      if (numbers.includes(13)) throw named("ValidationException");
      return numbers;
    });
    const calls = [share([1]), share([2]), share([13])];
    end(0);
    await vi.waitFor(() => expect(sent()).toHaveLength(2));
    end(1);
    await vi.waitFor(() => expect(sent()).toEqual([[1], [2, 13], [2], [13]]));
    end(2);
    end(3);
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });

  test("a request that may have been carried out is not sent again: all its callers get the error", async () => {
    const { share, sent, end } = heldService((numbers) => {
      if (numbers.includes(2)) throw named("TimeoutError");
      return numbers;
    });
    const calls = [share([1]), share([2]), share([3])];
    end(0);
    await vi.waitFor(() => expect(sent()).toHaveLength(2));
    end(1);
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(sent()).toEqual([[1], [2, 3]]);
  });
});

describe("batches of a table", () => {
  let engine: Awaited<ReturnType<typeof startEngine>>;
  const requests: string[] = [];

  beforeAll(async () => {
    engine = await startEngine();
    await engine.createTable(tables.clubs);
    await engine.createTable(tables.activity);
    engine.client.middlewareStack.add(
      (next, context) => (given) => {
        requests.push(String(context.commandName));
        return next(given);
      },
      { step: "initialize" },
    );
    shareReads(shareWrites(engine.client));
  });
  afterAll(async () => engine.stop());
  afterEach(() => requests.splice(0));

  const insert = (...ids: string[]): ConditionalWrite[] =>
    ids.map((id) => ({ key: { id: { S: id } }, set: { name: { S: id } } }));
  const keys = (...ids: string[]) => ids.map((id) => ({ id: { S: id } }));
  const write = (...ids: string[]) => conditionalWrites(engine.client, "clubs", insert(...ids));
  const read = async (...ids: string[]) => {
    const items = await batchGet(engine.client, "clubs", keys(...ids));
    return items.map(({ name }) => name?.S).sort();
  };

  test("each caller's writes have their own results, in its order", async () => {
    await write("a1");
    requests.splice(0);
    const results = await Promise.all([write("a2"), write("a3", "a1"), write("a1", "a4")]);
    expect(results).toEqual([["written"], ["written", "lost"], ["lost", "written"]]);
    // DynamoDB refuses a1 twice in one request: the second and third are sent one by one after that.
    expect(requests).toHaveLength(4);
    expect(await read("a1", "a2", "a3", "a4")).toEqual(["a1", "a2", "a3", "a4"]);
  });

  test("writes of callers at the same time go 25 a request", async () => {
    const callers = Array.from({ length: 51 }, (_, n) => write(`b${n}`));
    expect(new Set((await Promise.all(callers)).flat())).toEqual(new Set(["written"]));
    expect(requests).toHaveLength(3);
  });

  test("one caller's invalid write fails for it alone", async () => {
    const tooLong = "x".repeat(2_049);
    const results = await Promise.allSettled([write("c1"), write("c2"), write(tooLong), write("c3")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  test("reads of one table share a request, though they name an item twice; each gets its own items", async () => {
    await write("d1", "d2", "d3");
    requests.splice(0);
    const found = await Promise.all([read("d1"), read("d2", "d1"), read("d2", "absent"), read("absent")]);
    expect(found).toEqual([["d1"], ["d1", "d2"], ["d2"], []]);
    expect(requests).toHaveLength(2);
  });

  test("items with two key attributes are told apart by both", async () => {
    const item = (apiSet: string, at: string) => ({ apiSet: { S: apiSet }, at: { S: at } });
    await batchWrite(engine.client, "activity", [item("one", "1"), item("one", "2"), item("two", "1")]);
    // The order of a key's attributes means nothing.
    const reads = [[item("one", "1")], [item("one", "2")], [{ at: { S: "1" }, apiSet: { S: "two" } }]];
    const found = await Promise.all(reads.map((some) => batchGet(engine.client, "activity", some)));
    expect(found).toEqual([[item("one", "1")], [item("one", "2")], [item("two", "1")]]);
    expect(requests).toEqual(["BatchWriteItemCommand", "BatchGetItemCommand", "BatchGetItemCommand"]);
  });

  test("a read with a projection, which may leave keys out, shares nothing", async () => {
    await write("e1", "e2");
    requests.splice(0);
    const projection = { expression: "#name", names: { "#name": "name" } };
    const some = ["e1", "e2"].map((id) => batchGet(engine.client, "clubs", keys(id), projection));
    expect(await Promise.all(some)).toEqual([[{ name: { S: "e1" } }], [{ name: { S: "e2" } }]]);
    expect(requests).toHaveLength(2);
  });
});

test("each caller reads its own unprocessed keys again", async () => {
  const asked: string[][] = [];
  const client = {
    async send({ input }: BatchGetItemCommand) {
      const Keys = input.RequestItems?.t?.Keys ?? [];
      asked.push(Keys.map(({ id }) => id?.S ?? ""));
      // Of a request of several keys all but the last stay unprocessed.
      return { Responses: { t: Keys.slice(-1) }, UnprocessedKeys: { t: { Keys: Keys.slice(0, -1) } } };
    },
  };
  const shared = shareReads(client as unknown as DynamoDBClient);
  const key = (id: string) => ({ id: { S: id } });
  const reads = ["one", "two", "three"].map((id) => batchGet(shared, "t", [key(id)]));
  expect(await Promise.all(reads)).toEqual([[key("one")], [key("two")], [key("three")]]);
  expect(asked.slice(0, 2)).toEqual([["one"], ["two", "three"]]);
});

describe("messages to a queue", () => {
  /** A queue that refuses each entry with a certain body. */
  function queueThatRefuses(body: string) {
    const requests: string[][] = [];
    const client = {
      async send({ input }: SendMessageBatchCommand) {
        const { Entries = [] } = input;
        requests.push(Entries.map(({ MessageBody = "" }) => MessageBody));
        if (new Set(Entries.map(({ Id }) => Id)).size < Entries.length)
          throw named("BatchEntryIdsNotDistinct");
        const refused = Entries.filter(({ MessageBody }) => MessageBody === body);
        const Successful = Entries.filter((entry) => !refused.includes(entry)).map(({ Id }) => ({ Id }));
        return { Successful, Failed: refused.map(({ Id }) => ({ Id })) };
      },
    };
    return { client: shareSends(client as unknown as SQSClient), requests };
  }
  const messages = (...bodies: string[]) => bodies.map((body) => ({ body, group: "a", delaySeconds: 0 }));

  test("entries that the queue refuses fail for their caller alone, which alone sends them again", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { client, requests } = queueThatRefuses("bad");
    const sends = [["first"], ["one", "two"], ["three", "bad"], ["four"]];
    const results = await Promise.allSettled(
      sends.map((own) => sendMessages(client, "url", messages(...own))),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(results[2]).toMatchObject({ reason: expect.any(QueueBatchError) });
    expect(requests.slice(0, 2)).toEqual([["first"], ["one", "two", "three", "bad", "four"]]);
    expect(requests.slice(2)).toEqual([["bad"], ["bad"], ["bad"]]);
  });

  test("requests stay within ten entries and 256 KB", async () => {
    const { client, requests } = queueThatRefuses("");
    const large = "x".repeat(100_000);
    const sends = [["first"], [large], [large], [large], ...Array.from({ length: 12 }, (_, n) => [`${n}`])];
    await Promise.all(sends.map((own) => sendMessages(client, "url", messages(...own))));
    expect(requests.map(({ length }) => length)).toEqual([1, 2, 10, 3]);
  });

  test("queues share nothing with each other", async () => {
    const { client, requests } = queueThatRefuses("");
    const sends = ["one", "two", "three"].map((url) => sendMessages(client, url, messages(url)));
    await Promise.all(sends);
    expect(requests).toEqual([["one"], ["two"], ["three"]]);
  });
});
