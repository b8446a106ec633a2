import { setTimeout as delay } from "node:timers/promises";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { beforeEach, expect, test, vi } from "vitest";
import { batchGet, batchGetEach, batchWrite, type Item, TableBatchError } from "../../../core/aws/batch.ts";

// The pauses before another attempt are a random part of their longest: here none.
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
});

interface Request {
  readonly input: {
    readonly RequestItems: { readonly cards: { PutRequest: { Item: Item } }[] & { Keys: Item[] } };
  };
}

/** A table that does with each request what a rule says, given its first key. */
function table(rule: (first: number, attempt: number) => Promise<object>) {
  const written: number[] = [];
  let requests = 0;
  const client = {
    async send({ input }: Request, options?: { abortSignal?: AbortSignal }) {
      const asked = input.RequestItems.cards;
      const items = asked.Keys ?? asked.map(({ PutRequest }) => PutRequest.Item);
      const answer = await rule(Number(items[0]?.id?.N), ++requests);
      options?.abortSignal?.throwIfAborted();
      written.push(...items.map(({ id }) => Number(id?.N)));
      return answer;
    },
  };
  return { client: client as unknown as DynamoDBClient, written };
}

const items = (count: number): Item[] => Array.from({ length: count }, (_, n) => ({ id: { N: String(n) } }));

test("a write that fails affects no other, and says so only when nothing is under way any more", async () => {
  const { client, written } = table(async (first) => {
    if (first === 0) throw new Error("refused");
    await delay(50);
    return {};
  });
  await expect(batchWrite(client, "cards", items(75))).rejects.toMatchObject({
    name: "TableBatchError",
    cause: new Error("refused"),
  });
  const atOnce = written.length;
  await delay(100);
  expect([atOnce, written.length]).toEqual([50, 50]);
});

test("items that stay unprocessed are written again, and given up in the end", async () => {
  const [one] = items(1);
  const stubborn = { UnprocessedItems: { cards: [{ PutRequest: { Item: one } }] } };
  const twice = table(async (_, attempt) => (attempt < 3 ? stubborn : {}));
  await batchWrite(twice.client, "cards", items(3));
  expect(twice.written).toEqual([0, 1, 2, 0, 0]);
  const { client } = table(async () => stubborn);
  await expect(batchWrite(client, "cards", items(1))).rejects.toThrow(TableBatchError);
});

test("nothing is written any more once it is too late", async () => {
  const { client, written } = table(async () => {
    await delay(60);
    return {};
  });
  await expect(
    batchWrite(client, "cards", items(300), { signal: AbortSignal.timeout(30) }),
  ).rejects.toThrow();
  await delay(100);
  expect(written).toEqual([]);
});

test("keys that stay unprocessed are read again", async () => {
  const [one, two] = items(2);
  const { client } = table(async (_, attempt) =>
    attempt === 1
      ? { Responses: { cards: [two] }, UnprocessedKeys: { cards: { Keys: [one] } } }
      : { Responses: { cards: [one] } },
  );
  expect(await batchGet(client, "cards", items(2))).toEqual([two, one]);
});

test("what is too large for one answer is read in as many as it takes", async () => {
  const { client } = table(async (first) => ({
    Responses: { cards: [{ id: { N: String(first) } }] },
    UnprocessedKeys: { cards: { Keys: items(20).slice(first + 1) } },
  }));
  expect(await batchGet(client, "cards", items(20))).toEqual(items(20));
});

test("a request that fails affects no key of another one", async () => {
  const { client } = table(async (first) => {
    if (first === 100) throw new Error("throttled");
    return { Responses: { cards: items(100) } };
  });
  const { found, unread } = await batchGetEach(client, "cards", items(101));
  expect([found.length, unread]).toEqual([100, [{ id: { N: "100" } }]]);
});

test("keys of which none is processed time and again are given up", async () => {
  const { client } = table(async () => ({ UnprocessedKeys: { cards: { Keys: items(3) } } }));
  await expect(batchGet(client, "cards", items(3))).rejects.toThrow(TableBatchError);
});
