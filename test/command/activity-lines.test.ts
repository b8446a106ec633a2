import { expect, test } from "vitest";
import type { Activity } from "../../api/activity.ts";
import { activityLines } from "../../command/activity/activity-lines.ts";
import { noCounts } from "../core/views/no-counts.ts";

const hours: Activity["hours"] = [
  { ...noCounts, start: "2026-07-04T11:00:00.000Z", accepted: 120, delivered: 100, rejected: 1 },
  {
    ...noCounts,
    start: "2026-07-04T12:00:00.000Z",
    accepted: 1_000,
    delivered: 999,
    rejected: 1,
    deliverySeconds: { half: 0.466, most: 61.2 },
  },
];
const activity: Activity = {
  from: "2026-07-04",
  to: "2026-07-04",
  timeZone: "Europe/Copenhagen",
  waiting: { cards: 0 },
  totals: {
    ...noCounts,
    accepted: 1_120,
    delivered: 1_099,
    rejected: 2,
    deliverySeconds: { half: 0.466, most: 61.2 },
  },
  days: [{ ...noCounts, day: "2026-07-04", accepted: 1_120, delivered: 1_099, rejected: 2 }],
  hours,
  warnings: [],
  refusals: [],
};
const drawn = (change: Partial<Activity> = {}, width = 80) =>
  activityLines({ ...activity, ...change }, width);
const rowOf = (lines: readonly string[], label: string) => lines.find((line) => line.startsWith(label)) ?? "";

test("totals, and how long deliveries took", () => {
  expect(drawn()).toEqual(
    expect.arrayContaining([
      "2026-07-04, times of Europe/Copenhagen",
      "Accepted   1120, corrected 0, resent 0",
      "Delivered  1099, half of them within 0.5 s, 95 % within 61 s",
      "Failed     2 rejected, 0 undelivered; 0 withdrawn",
      "Waiting    0 cards",
    ]),
  );
});

test("an hour has a row in the union's time, with a bar as long as its cards are many", () => {
  const lines = drawn();
  expect(rowOf(lines, "13:00")).toMatch(/ 120 +100 +1 +█+▒░$/);
  expect(rowOf(lines, "14:00")).toMatch(/ 1000 +999 +1 +0\.5 s +61 s +█+▒$/);
});

test("one refused card among a thousand is seen in its bar", () => {
  expect(rowOf(drawn({}, 200), "14:00")).toMatch(/█▒$/);
});

test("of two days an hour's row names the day", () => {
  expect(rowOf(drawn({ from: "2026-07-03" }), "07-04 14:00")).toMatch(/^07-04 14:00 +1000 /);
});

test("more than two days have a row a day", () => {
  const lines = drawn({ from: "2026-07-01", days: [{ ...noCounts, day: "2026-07-04", accepted: 3 }] });
  expect(lines[0]).toBe("2026-07-01 to 2026-07-04, times of Europe/Copenhagen");
  expect(rowOf(lines, "2026-07-04 ")).toMatch(/^2026-07-04 +3 +0 +0 +░+$/);
});

test.each([40, 50, 60, 70, 80, 120, 300])("no row is wider than a terminal of %i characters", (width) => {
  const lines = drawn({}, width);
  const rows = lines.filter((line) => /^1[34]:00/.test(line));
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(width);
});

test("a narrow terminal gets no delivery times, and a still narrower one no bars", () => {
  expect(drawn({}, 55).join("\n")).not.toContain("95 %  ");
  expect(rowOf(drawn({}, 55), "14:00")).toContain("█");
  expect(rowOf(drawn({}, 45), "14:00")).toMatch(/ 1000 +999 +1$/);
});

test("what waits is told with since when and why", () => {
  const paused = {
    since: "2026-07-04T11:05:00.000Z",
    nextAttemptAt: "2026-07-04T11:20:00.000Z",
    lastError: { stage: "after", status: 503, message: "busy" },
  } as const;
  const lines = drawn({ waiting: { cards: 12, since: "2026-07-04T11:00:00.000Z", paused } });
  expect(lines).toEqual(
    expect.arrayContaining([
      "Waiting    12 cards, the oldest since the hour of 2026-07-04 13:00",
      "Paused     since 2026-07-04 13:05, next attempt at 2026-07-04 13:20",
      "Because    HTTP 503: busy",
    ]),
  );
});

test("refusals are told by fault, with cards to look at", () => {
  const at = "2026-07-04T11:05:00.000Z";
  const examples = [
    { externalId: "card 7", pointer: "/HCP", at },
    { pointer: "", at },
  ];
  expect(drawn({ refusals: [{ code: "out_of_range", cards: 12, examples }] }).slice(-4)).toEqual([
    "Refused, with the newest examples",
    "  out_of_range: 12 cards",
    '    2026-07-04 13:05  "card 7" at /HCP',
    "    2026-07-04 13:05  without an ExternalID at the whole card",
  ]);
});

test("days without a card are told to be empty", () => {
  expect(drawn({ totals: noCounts, hours: [], days: [] })).toContain("Nothing was counted on these days.");
});
