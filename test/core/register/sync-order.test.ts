import { expect, test } from "vitest";
import { syncMirror } from "../../../core/register/sync.ts";
import { newClub, syncOrder } from "../../../core/register/sync-state.ts";
import { provideMirrors } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = await provideMirrors();

const synced = (syncedAt: number, attemptedAt = syncedAt, failures = 0) => ({
  ...newClub(1),
  syncedAt,
  attemptedAt,
  failures,
});
const order = (clubs: Record<string, ReturnType<typeof synced>>) => syncOrder(new Map(Object.entries(clubs)));

test("the club whose last successful sync is longest ago comes first, and a club that was never synced before it", () => {
  expect(order({ fresh: synced(30), stale: synced(10), never: synced(0), between: synced(20) })).toEqual([
    "never",
    "stale",
    "between",
    "fresh",
  ]);
});

test("a club that failed once or twice keeps its place, and one that keeps failing waits for its turn", () => {
  expect(order({ good: synced(20), once: synced(10, 25, 1), often: synced(10, 25, 3) })).toEqual([
    "once",
    "good",
    "often",
  ]);
});

test("of clubs that were never synced those that did not fail come first", () => {
  expect(order({ failed: synced(0, 5, 2), untried: synced(0) })).toEqual(["untried", "failed"]);
});

/** Time for this many clubs. */
const timeFor = (clubs: number) => () => (clubs-- > 0 ? 600_000 : 0);

test("clubs that never answer do not keep the others from being synced when time is short", async () => {
  const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
  const { dependencies, failing, clock } = await mirror(
    numbers.map((n) => club(n)),
    numbers.map((n) => version(n)),
  );
  for (const number of numbers.slice(0, 10)) failing.add(club(number).ID);
  const ages: number[] = [];
  for (let run = 0; run < 16; run++) {
    clock.now += 900_000;
    await syncMirror(dependencies, "changes", timeFor(10));
    const { clubs } = await dependencies.state.read();
    const answering = [...clubs].filter(([id]) => !failing.has(id)).map(([, { syncedAt }]) => syncedAt);
    ages.push(clock.now - Math.min(...answering));
  }
  // Ten clubs a run of thirty: each has its turn every third run.
  expect(Math.max(...ages.slice(-4))).toBeLessThanOrEqual(3 * 900_000);
});

test("a union that is down gets no more requests after a few clubs have failed", async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => n + 1);
  const { dependencies, failing, asked, clock } = await mirror(
    numbers.map((n) => club(n)),
    [],
  );
  await syncMirror(dependencies, "changes", () => 600_000);
  for (const number of numbers) failing.add(club(number).ID);
  asked.length = 0;
  clock.now += 900_000;
  const report = await syncMirror(dependencies, "changes", () => 600_000);
  expect(report).toMatchObject({ mirrored: 0, failed: asked.length, left: 100 - asked.length });
  expect(asked.length).toBeLessThan(25);
  failing.clear();
  clock.now += 900_000;
  expect(await syncMirror(dependencies, "changes", () => 600_000)).toMatchObject({
    mirrored: 100,
    failed: 0,
  });
});
