import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { documentCache } from "../../../functions/read-courses/document-cache.ts";
import { jsonDocument } from "../../../functions/read-courses/json-document.ts";

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
  expect(ask([3]).text).toBe("[3]");
  expect(ask([3]).text).toBe("[3]");
  expect(written).toBe(3);
});

test("other requests for the same list have responses of their own", () => {
  const cache = documentCache(100_000);
  const list = [1, 2];
  expect(cache.document("all", list, () => "[1,2]").text).toBe("[1,2]");
  expect(cache.document("first", list, () => "[1]").text).toBe("[1]");
});

test("the cache keeps to its limit, and a response above the limit is still sent", () => {
  const cache = documentCache(1000);
  const list = ["x".repeat(2000)];
  let written = 0;
  const ask = () =>
    cache.document("large", list, () => {
      written++;
      return JSON.stringify(list);
    });
  expect(ask().text).toBe(ask().text);
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

test("the same content has the same tag, and other content another", () => {
  expect(jsonDocument("[1]").tag).toBe(jsonDocument("[1]").tag);
  expect(jsonDocument("[1]").tag).not.toBe(jsonDocument("[2]").tag);
  expect(jsonDocument("[1]").tag).toMatch(/^W\/"[\w-]{22}"$/);
});
