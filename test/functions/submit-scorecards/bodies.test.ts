import { expect, test } from "vitest";
import { postRandomBodies } from "./random-submissions.ts";

test("whatever is posted gets an answer, changes no prototype and leaves nothing in memory", async () => {
  const { statuses, thrown, polluted, grownBytes } = await postRandomBodies(2_000, 2026);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect([...statuses.keys()].sort()).toEqual([201, 207, 400, 422]);
  expect([thrown, polluted]).toEqual([0, false]);
  expect(grownBytes).toBeLessThan(8 * 1024 * 1024);
});
