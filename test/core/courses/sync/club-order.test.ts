import { expect, test } from "vitest";
import { passOrder } from "../../../../core/courses/sync/club-order.ts";
import { newClub } from "../../../../core/courses/sync/state.ts";
import { mirrorPass } from "../../../../core/courses/sync/sync.ts";
import { mirrorEngine } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = mirrorEngine();

const pass = (goodAt: number, triedAt = goodAt, failures = 0) => ({
  ...newClub(1),
  goodAt,
  triedAt,
  failures,
});
const order = (passes: Record<string, ReturnType<typeof pass>>) => passOrder(new Map(Object.entries(passes)));

test("the club whose last good pass is longest ago comes first, one that was never mirrored before all", () => {
  expect(order({ fresh: pass(30), stale: pass(10), never: pass(0), between: pass(20) })).toEqual([
    "never",
    "stale",
    "between",
    "fresh",
  ]);
});

test("a club that failed once or twice keeps its place, one that keeps failing waits for its turn", () => {
  expect(order({ good: pass(20), once: pass(10, 25, 1), often: pass(10, 25, 3) })).toEqual([
    "once",
    "good",
    "often",
  ]);
});

test("of clubs that were never mirrored those that did not fail come first", () => {
  expect(order({ failed: pass(0, 5, 2), untried: pass(0) })).toEqual(["untried", "failed"]);
});

/** A run with time for so many clubs. */
const timeFor = (clubs: number) => () => (clubs-- > 0 ? 600_000 : 0);

test("clubs that never answer do not keep the others from being mirrored when time is short", async () => {
  const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
  const { parts, failing, clock } = await mirror(
    numbers.map((n) => club(n)),
    numbers.map((n) => version(n)),
  );
  for (const number of numbers.slice(0, 10)) failing.add(club(number).ID);
  const ages: number[] = [];
  for (let run = 0; run < 16; run++) {
    clock.now += 900_000;
    await mirrorPass(parts, "changes", timeFor(10));
    const { clubs } = await parts.state.read();
    const answering = [...clubs].filter(([id]) => !failing.has(id)).map(([, { goodAt }]) => goodAt);
    ages.push(clock.now - Math.min(...answering));
  }
  // Ten clubs a run of thirty: each has its turn every third run.
  expect(Math.max(...ages.slice(-4))).toBeLessThanOrEqual(3 * 900_000);
});

test("a union that is down is left alone after a few clubs", async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => n + 1);
  const { parts, failing, asked, clock } = await mirror(
    numbers.map((n) => club(n)),
    [],
  );
  await mirrorPass(parts, "changes", () => 600_000);
  for (const number of numbers) failing.add(club(number).ID);
  asked.length = 0;
  clock.now += 900_000;
  const report = await mirrorPass(parts, "changes", () => 600_000);
  expect(report).toMatchObject({ mirrored: 0, failed: asked.length, left: 100 - asked.length });
  expect(asked.length).toBeLessThan(25);
  failing.clear();
  clock.now += 900_000;
  expect(await mirrorPass(parts, "changes", () => 600_000)).toMatchObject({ mirrored: 100, failed: 0 });
});
