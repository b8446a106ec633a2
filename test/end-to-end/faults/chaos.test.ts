import { expect, inject, test } from "vitest";
import { chaos } from "./chaos.ts";

test("under all faults at once every accepted card ends where it belongs, nothing is stale or repeated, counts and lists are those of the table, and every outcome is told", async () => {
  const report = await chaos({
    assembly: inject("assembly"),
    cards: 240,
    submissionSize: 25,
    seed: 7,
    patienceMilliseconds: 90_000,
    progress: () => undefined,
  });
  expect(report.violations).toEqual({ notAsSubmitted: [], stale: [], repeated: [], withdrawn: [] });
  expect(report.unsettled).toBe(0);
  expect(report.miscounted).toEqual([]);
  expect(report.untold).toEqual([]);
  expect(report.delivered).toBeGreaterThan(200);
  expect(report.rejected + report.retrying).toBeGreaterThan(0);
  expect(report.kills).toBeGreaterThan(5);
}, 300_000);
