import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { jsonDocument } from "../../../functions/read-courses/json-document.ts";
import { keptDocuments } from "../../../functions/read-courses/kept-documents.ts";

test("an answer is written once as long as what it is made of is the same list", () => {
  const kept = keptDocuments(100_000);
  let written = 0;
  const list = [1, 2];
  const ask = (of: readonly number[]) =>
    kept.document("all", of, () => {
      written++;
      return of;
    });
  expect(ask(list)).toBe(ask(list));
  expect(written).toBe(1);
  expect(ask([3]).text).toBe("[3]");
  expect(ask([3]).text).toBe("[3]");
  expect(written).toBe(3);
});

test("other questions of the same list have answers of their own", () => {
  const kept = keptDocuments(100_000);
  const list = [1, 2];
  expect(kept.document("all", list, () => list).text).toBe("[1,2]");
  expect(kept.document("first", list, () => [1]).text).toBe("[1]");
});

test("no more is kept than there is room for, and what is larger than that is answered all the same", () => {
  const kept = keptDocuments(1000);
  const list = ["x".repeat(2000)];
  let written = 0;
  const ask = () =>
    kept.document("large", list, () => {
      written++;
      return list;
    });
  expect(ask().text).toBe(ask().text);
  expect(written).toBe(2);
});

test("a list that nobody else keeps is not kept for the answer that was made of it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const kept = keptDocuments(100_000);
  const ask = () => {
    const list = [1, 2];
    kept.document("all", list, () => list);
    return new WeakRef(list);
  };
  const list = ask();
  await nextTurn();
  collect();
  expect(list.deref()).toBeUndefined();
});

test("the same content has the same tag, and other content another", () => {
  expect(jsonDocument([1]).tag).toBe(jsonDocument([1]).tag);
  expect(jsonDocument([1]).tag).not.toBe(jsonDocument([2]).tag);
  expect(jsonDocument([1]).tag).toMatch(/^W\/"[\w-]{22}"$/);
});
