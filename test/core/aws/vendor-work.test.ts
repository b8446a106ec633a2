import { expect, test } from "vitest";
import {
  type DoStep,
  doWork,
  type LateWork,
  storeItems,
  type VendorWork,
  type WorkDependencies,
} from "../../../core/aws/vendor-work.ts";

const stepsOfWork = ["list", "count", "publish", "tell"];

interface NumberedItem {
  readonly number: string;
  readonly text: string;
}

/** A batch with one item for each step of each vendor. */
const batch = (number: string): VendorWork[] =>
  stepsOfWork.flatMap((step) =>
    ["red", "green"].map((apiSet) => ({ apiSet, step, items: [{ number, text: "x".repeat(80) }] })),
  );

/** Steps that note what they do, and fail for a vendor as long as one of them is named; documents in memory. */
function world() {
  const done: string[] = [];
  const failing = new Set<string>();
  const failed: string[] = [];
  const documents = new Map<string, string>();
  const late: WorkDependencies["late"] = {
    async put(document) {
      const id = `document ${documents.size}`;
      documents.set(id, JSON.stringify(document));
      return id;
    },
    async read(id) {
      const text = documents.get(id);
      return text === undefined ? undefined : JSON.parse(text);
    },
    async remove(id) {
      documents.delete(id);
    },
  };
  const doStep: DoStep = async (step, apiSet, items) => {
    if (failing.has(`${step} ${apiSet}`)) throw new Error("throttled");
    done.push(...(items as NumberedItem[]).map(({ number }) => `${step} ${apiSet} ${number}`));
    return [];
  };
  const at = (now: number, remaining = 30_000): WorkDependencies => ({
    doStep,
    late,
    now,
    remaining: () => remaining,
    failed: (apiSet, step) => failed.push(`${step} ${apiSet}`),
  });
  return { at, late, done, failing, failed, documents };
}

/** Lambda keeps a state as JSON. */
const kept = (late: readonly LateWork[]): LateWork[] => JSON.parse(JSON.stringify(late));
const numbersOf = (done: readonly string[], step: string) =>
  done.filter((one) => one.startsWith(`${step} `)).map((one) => one.split(" ")[2]);

test("each step of each vendor is done once", async () => {
  const { at, done } = world();
  expect(await doWork(batch("1"), [], at(0))).toEqual([]);
  const all = stepsOfWork.flatMap((step) => [`${step} red 1`, `${step} green 1`]);
  expect(done.toSorted()).toEqual(all.toSorted());
});

test.each(stepsOfWork)(
  "a vendor's step %s that fails delays no other step and no other vendor, and is done later, once and in order",
  async (step) => {
    const { at, done, failing, failed } = world();
    failing.add(`${step} red`);
    let late = await doWork(batch("1"), [], at(0));
    late = await doWork(batch("2"), kept(late), at(1_000));
    expect(failed).toEqual([`${step} red`, `${step} red`]);
    expect(late.map((one) => `${one.step} ${one.apiSet}`)).toEqual([`${step} red`]);
    expect(done).toHaveLength(4 * stepsOfWork.length - 2);
    failing.clear();
    late = await doWork(batch("3"), kept(late), at(3_000));
    expect(late).toEqual([]);
    for (const one of stepsOfWork) {
      expect(numbersOf(done, `${one} red`)).toEqual(["1", "2", "3"]);
      expect(numbersOf(done, `${one} green`)).toEqual(["1", "2", "3"]);
    }
  },
);

test("only what a step refuses is done again", async () => {
  const { at } = world();
  const seen: string[][] = [];
  const doStep: DoStep = async (_step, _apiSet, items) => {
    seen.push((items as NumberedItem[]).map(({ number }) => number));
    return seen.length === 1 ? items.slice(1) : [];
  };
  const items = ["1", "2"].map((number) => ({ number, text: "" }));
  const late = await doWork([{ apiSet: "red", step: "publish", items }], [], { ...at(0), doStep });
  expect(await doWork([], kept(late), { ...at(1_000), doStep })).toEqual([]);
  expect(seen).toEqual([["1", "2"], ["2"]]);
});

test("what failed is not tried again at once, and waits longer each time", async () => {
  const { at, failing, failed } = world();
  failing.add("count red");
  let late = await doWork(batch("1"), [], at(0));
  late = await doWork([], late, at(999));
  expect([failed.length, late[0]?.notBefore]).toEqual([1, 1_000]);
  late = await doWork([], late, at(1_000));
  expect([failed.length, late[0]?.notBefore, late[0]?.since]).toEqual([2, 3_000, 0]);
});

test("stored items are done before later ones, and their documents are gone then", async () => {
  const { at, late: store, done, failing, documents } = world();
  failing.add("count red").add("tell red");
  let late = await storeItems(await doWork(batch("1"), [], at(0)), store, 0);
  expect(late.map(({ items }) => items)).toEqual([[], []]);
  late = await storeItems(await doWork(batch("2"), kept(late), at(1_000)), store, 0);
  late = await doWork(batch("3"), kept(late), at(3_000));
  failing.clear();
  expect(await doWork(batch("4"), kept(late), at(60_000))).toEqual([]);
  expect(numbersOf(done, "count red")).toEqual(["1", "2", "3", "4"]);
  expect(numbersOf(done, "tell red")).toEqual(["1", "2", "3", "4"]);
  expect(documents.size).toBe(0);
});

test("a run that is repeated, since its response was lost, does no stored items again and loses none", async () => {
  const { at, late: store, done, failing } = world();
  failing.add("count red");
  const state = kept(await storeItems(await doWork(batch("1"), [], at(0)), store, 0));
  failing.clear();
  failing.add("count green");
  await doWork(batch("2"), state, at(1_000));
  failing.clear();
  expect(await doWork(batch("2"), state, at(1_000))).toEqual([]);
  expect(numbersOf(done, "count red")).toEqual(["1", "2", "2"]);
  expect(numbersOf(done, "count green")).toEqual(["1", "2"]);
});

test("a run without time for stored items leaves them and all that is behind them", async () => {
  const { at, late: store, done, failing } = world();
  failing.add("count red");
  const state = await storeItems(await doWork(batch("1"), [], at(0)), store, 0);
  failing.clear();
  const late = await doWork(batch("2"), state, at(1_000, 14_000));
  expect(numbersOf(done, "count red")).toEqual([]);
  expect(await doWork([], late, at(1_000))).toEqual([]);
  expect(numbersOf(done, "count red")).toEqual(["1", "2"]);
});

test("the largest work is stored if all together is too large for a window's state, and little is not", async () => {
  const { at, late: store, done, failing, documents } = world();
  failing.add("list red").add("list green").add("count red");
  let late = await doWork(batch("1"), [], at(0));
  expect(await storeItems(late, store)).toHaveLength(3);
  expect(documents.size).toBe(0);
  for (let round = 2; round <= 1_500; round++) late = await doWork(batch(String(round)), late, at(0));
  const state = await storeItems(late, store);
  expect(documents.size).toBeGreaterThan(0);
  expect(JSON.stringify(state).length).toBeLessThan(300_000);
  failing.clear();
  expect(await doWork([], kept(state), at(1_000))).toEqual([]);
  const all = Array.from({ length: 1_500 }, (_, place) => String(place + 1));
  for (const one of ["list red", "list green", "count red"]) expect(numbersOf(done, one)).toEqual(all);
});
