import type { ActivityDay } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { countAttention } from "../../portal/views/overview/attention-counts.ts";
import { noCounts } from "../core/views/no-counts.ts";

test.each([
  ["24h", "2026-07-09", 2, 3],
  ["7d", "2026-07-04", 7, 7],
  ["30d", "2026-06-11", 30, 7],
] as const)(
  "what needs attention in %s is counted in whole days since %s",
  (range, since, count, refused) => {
    const days: ActivityDay[] = [
      { ...noCounts, day: "2026-07-04", refused: 4 },
      { ...noCounts, day: "2026-07-09", refused: 1 },
      { ...noCounts, day: "2026-07-10", refused: 2, notRecorded: 1 },
    ];
    expect(countAttention({ days, to: "2026-07-10" }, range)).toEqual({
      since,
      days: count,
      refused,
      rejected: 0,
      undelivered: 0,
      playersUnknown: 0,
      notRecorded: 1,
    });
  },
);
