import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { documentCache } from "../../../functions/read-courses/document-cache.ts";
import type { JsonDocument } from "../../../functions/read-courses/json-document.ts";

const textOf = (document: JsonDocument) => Buffer.from(document.text()).toString();

test("a response is written once as long as its list is the same object", () => {
  const cache = documentCache(100_000);
  let written = 0;
  const list = [1, 2];
  const ask = (of: readonly number[]) =>
    cache.document("all", of, () => {
      written++;
      return JSON.stringify(of);
    });
  expect(ask(list)).toBe(ask(list));
  expect(written).toBe(1);
  expect(textOf(ask([3]))).toBe("[3]");
  expect(textOf(ask([3]))).toBe("[3]");
  expect(written).toBe(3);
});

test("other requests for the same list have responses of their own", () => {
  const cache = documentCache(100_000);
  const list = [1, 2];
  expect(textOf(cache.document("all", list, () => "[1,2]"))).toBe("[1,2]");
  expect(textOf(cache.document("first", list, () => "[1]"))).toBe("[1]");
});

test("a list that was read again and has not changed is not gzipped again", () => {
  const cache = documentCache(100_000);
  const ask = (list: readonly number[]) => cache.document("all", list, () => JSON.stringify(list));
  const first = ask([1, 2]);
  expect(ask([1, 2])).toBe(first);
  expect(ask([1, 3])).not.toBe(first);
  expect(textOf(ask([1, 3]))).toBe("[1,3]");
});

test("a response is kept gzipped", () => {
  const cache = documentCache(2000);
  const list = [1];
  const ask = () => cache.document("all", list, () => "x".repeat(1_000_000));
  expect(ask()).toBe(ask());
  expect(ask().gzipped()).toBe(ask().gzipped());
  expect(textOf(ask())).toHaveLength(1_000_000);
});

test("the cache keeps to its limit, and a response above the limit is still sent", () => {
  const cache = documentCache(1000);
  const list = [randomBytes(2000).toString("hex")];
  let written = 0;
  const ask = () =>
    cache.document("large", list, () => {
      written++;
      return JSON.stringify(list);
    });
  expect(textOf(ask())).toBe(textOf(ask()));
  expect(written).toBe(2);
});

test("a cached response does not keep its list in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const cache = documentCache(100_000);
  const ask = () => {
    const list = [1, 2];
    cache.document("all", list, () => "[]");
    return new WeakRef(list);
  };
  const list = ask();
  await nextTurn();
  collect();
  expect(list.deref()).toBeUndefined();
});
