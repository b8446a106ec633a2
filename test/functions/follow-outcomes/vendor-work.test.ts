import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import {
  byVendor,
  doVendorWork,
  finishLateWork,
  type LateWork,
  type WorkSteps,
} from "../../../functions/follow-outcomes/vendor-work.ts";

const [red, green] = ["red", "green"] as ApiSet[] as [ApiSet, ApiSet];
const hour = Date.parse("2026-07-04T11:00:00Z");

/** A batch with one change of each vendor. @param sequenceNumber of red's */
const batch = (sequenceNumber: string) => {
  const of = (apiSet: ApiSet) => ({
    list: {
      apiSet,
      list: "cards" as const,
      day: "2026-07-04",
      sequenceNumber,
      externalIds: [sequenceNumber],
    },
    delivery: { apiSet, since: hour, sequenceNumber, externalIds: [sequenceNumber] },
    hour: { apiSet, hour, steps: [{ sequenceNumber, counts: { accepted: 1 } }] },
    event: {
      id: `evt_${sequenceNumber}_${apiSet}`,
      type: "scorecard.delivered" as const,
      timestamp: "2026-07-04T11:00:00Z",
      data: { apiSet },
    },
  });
  const both = [red, green].map(of);
  return byVendor({
    lists: both.map(({ list }) => list),
    deliveries: both.map(({ delivery }) => delivery),
    hours: both.map((one) => one.hour),
    events: both.map(({ event }) => event),
  });
};

/** Steps that note what they do, and fail for a vendor while its step is named. */
function steps() {
  const done: string[] = [];
  const failing = new Map<ApiSet, keyof WorkSteps>();
  const failed: ApiSet[] = [];
  const doStep = async (step: keyof WorkSteps, apiSet: ApiSet, what: readonly string[]) => {
    if (failing.get(apiSet) === step) throw new Error("throttled");
    if (what.length > 0) done.push(`${apiSet} ${step} ${what.join(" ")}`);
  };
  const each = <Part extends { readonly apiSet: ApiSet }>(
    step: keyof WorkSteps,
    parts: readonly Part[],
    text: (part: Part) => string,
  ) => Promise.all(parts.map((part) => doStep(step, part.apiSet, [text(part)]))).then(() => undefined);
  const all: WorkSteps = {
    list: (lists) => each("list", lists, ({ sequenceNumber }) => sequenceNumber),
    schedule: (deliveries) => each("schedule", deliveries, ({ sequenceNumber }) => sequenceNumber),
    count: (hours) =>
      each("count", hours, (one) => one.steps.map(({ sequenceNumber }) => sequenceNumber).join("+")),
    tell: (apiSet, events) =>
      doStep(
        "tell",
        apiSet,
        events.map(({ id }) => id),
      ),
    failed: (apiSet) => failed.push(apiSet),
  };
  return { all, done, failing, failed };
}

/** Lambda keeps a state as JSON. */
const kept = (late: readonly LateWork[]): LateWork[] => JSON.parse(JSON.stringify(late));

test("a vendor's work is done in order, and it is told last", async () => {
  const { all, done } = steps();
  expect(await doVendorWork(batch("1"), [], all, 0)).toEqual([]);
  expect(done.filter((one) => one.startsWith("red"))).toEqual([
    "red list 1",
    "red schedule 1",
    "red count 1",
    "red tell evt_1_red",
  ]);
});

test.each(["list", "schedule", "count", "tell"] as const)(
  "a vendor whose step %s fails delays no other, and has each part once when it goes again, in order",
  async (step) => {
    const { all, done, failing, failed } = steps();
    failing.set(red, step);
    let late = await doVendorWork(batch("1"), [], all, 0);
    late = await doVendorWork(batch("2"), kept(late), all, 1_000);
    expect(failed).toEqual([red, red]);
    expect(late.map(({ apiSet }) => apiSet)).toEqual([red]);
    expect(done.filter((one) => one.startsWith("green"))).toHaveLength(8);
    failing.clear();
    late = await doVendorWork(batch("3"), kept(late), all, 3_000);
    expect(late).toEqual([]);
    const parts = (one: string) =>
      done.filter((each) => each.startsWith(`red ${one}`)).flatMap((each) => each.match(/\d/g) ?? []);
    for (const one of ["list", "schedule", "count", "tell"]) expect(parts(one)).toEqual(["1", "2", "3"]);
    expect(done.filter((each) => each.startsWith("green"))).toHaveLength(12);
  },
);

test("what failed is not tried again at once, and waits longer each time", async () => {
  const { all, failing, failed } = steps();
  failing.set(red, "count");
  let late = await doVendorWork(batch("1"), [], all, 0);
  late = await doVendorWork([], late, all, 999);
  expect([failed.length, late[0]?.notBefore]).toEqual([1, 1_000]);
  late = await doVendorWork([], late, all, 1_000);
  expect([failed.length, late[0]?.notBefore]).toEqual([2, 3_000]);
});

test("the end of a window does all that waits, and tells nobody unless the rest is done", async () => {
  const { all, done, failing } = steps();
  failing.set(red, "count").set(green, "list");
  const late = await doVendorWork(batch("1"), [], all, 0);
  failing.delete(red);
  await expect(finishLateWork(kept(late), all)).rejects.toThrow("throttled");
  expect(done.filter((one) => one.includes("tell"))).toEqual([]);
  failing.clear();
  await finishLateWork(kept(late), all);
  expect(done.filter((one) => one.includes("tell")).toSorted()).toEqual([
    "green tell evt_1_green",
    "red tell evt_1_red",
  ]);
});
