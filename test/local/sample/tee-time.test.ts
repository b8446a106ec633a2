import { expect, test } from "vitest";
import { teeTime } from "../../../local/sample/tee-time.ts";

const copenhagen = "Europe/Copenhagen";

test("yesterday is the union's, not that of UTC", () => {
  const { timestamp, instant } = teeTime(new Date("2026-06-30T23:30:00Z"), copenhagen, 1, 500);
  expect(timestamp).toBe("20260630T082000");
  expect(new Date(instant).toISOString()).toBe("2026-06-30T06:20:00.000Z");
});

test("a round on the day the clocks go back, in the month before, starts when the clocks say so", () => {
  const { timestamp, instant } = teeTime(new Date("2026-11-01T12:00:00Z"), copenhagen, 7, 480);
  expect(timestamp).toBe("20261025T080000");
  expect(new Date(instant).toISOString()).toBe("2026-10-25T07:00:00.000Z");
});
