import { toTraffic } from "@scorecard-pipeline/scorecards-client/conformance";
import { expect, test } from "vitest";
import type { ActivityCounts } from "../../api/activity.ts";
import { overviewLines } from "../../command/overview/overview-lines.ts";
import type { StageOverview } from "../../command/overview/read-overview.ts";

const empty: StageOverview = {
  stack: "scorecard-pipeline-test",
  at: "2026-06-28T14:00:00.000Z",
  union: "https://union.example/api",
  unread: [],
};
const screen = (given: Partial<StageOverview>) => overviewLines({ ...empty, ...given }).join("\n");

test("the screen says which commit is deployed, and for how long", () => {
  const at = new Date(Date.parse(empty.at) - 7_200_000).toISOString();
  expect(screen({ deployed: { commit: "abc1234", at } })).toContain("Deployed      abc1234, 2 h ago");
  expect(screen({})).not.toContain("Deployed");
});

test("the screen says up to when all data can be restored, or which cannot", () => {
  const backup = { table: "t", restorable: true, from: "" };
  const cards = { ...backup, name: "cards", to: "2026-06-28T13:55:00.000Z" } as const;
  const counts = { ...backup, name: "counts", to: "2026-06-28T13:54:00.000Z" } as const;
  expect(screen({ backups: [cards, counts] })).toContain(`all can be restored up to ${counts.to}`);
  const lost = screen({ backups: [cards, { ...counts, restorable: false }] });
  expect(lost).toContain("CANNOT BE RESTORED: counts");
});

test("the objective says what was in time, what is wanted, and how the error budget goes", () => {
  const objective = { delivered: 20_000, delayed: 1, share: 0.99995, budgetUsed: 0.05 };
  const text = screen({ objective: { ...objective, burnRates: { fast: 14.44, slow: 0.5 } } });
  expect(text).toContain(
    "Objective     99.995 % of 20000 cards within five minutes in 30 days, 99.9 % wanted",
  );
  expect(text).toContain(
    "1 late, 5 % of the error budget used; it burns at 14.4 times its rate now, at 0.5 in three days",
  );
});

test("a share is never rounded up to the whole", () => {
  const objective = { delivered: 3_000_000, delayed: 1, share: 1 - 1 / 3_000_000, budgetUsed: 0.0003 };
  expect(screen({ objective: { ...objective, burnRates: { fast: 0, slow: 0 } } })).toContain("99.999 % of");
});

test("without a delivery there is no share", () => {
  const objective = { delivered: 0, delayed: 0, budgetUsed: 0, burnRates: { fast: 0, slow: 0 } };
  expect(screen({ objective })).toContain("Objective     no card was delivered in 30 days");
});

test("each silent vendor is shown with what it usually sends and what the others send", () => {
  const silent = { hours: 3, usual: 40, isUnexplained: true };
  const lines = overviewLines({
    ...empty,
    silentVendors: [
      { ...silent, apiSet: "greens" as never, shareOfOthers: 0.98 },
      { ...silent, apiSet: "fairway" as never, shareOfOthers: 0.1, isUnexplained: false },
      { ...silent, apiSet: "lonely" as never },
    ],
  });
  const line = (name: string) => {
    const cells = lines.find((one) => one.includes(name))?.split("│") ?? [];
    return cells.slice(1, -1).map((cell) => cell.trim());
  };
  expect(line("greens")).toEqual([
    "greens",
    "3 h",
    "40 or more",
    "98 % of their usual cards",
    "not known: ask the vendor",
  ]);
  expect(line("fairway").slice(-2)).toEqual([
    "10 % of their usual cards",
    "weather, a holiday or the season's end?",
  ]);
  expect(line("lonely").at(3)).toBe("too few to tell");
  expect(screen({ silentVendors: [] })).not.toContain("Silent vendor");
});

test("each vendor's traffic of thirty days is shown in shares, with the faults that most of its refused cards have", () => {
  const refusals = ["tee_unknown", "required", "strokes_count", "hcp_invalid"].map((code, index) => ({
    ...{ code, cards: 40 - 8 * index, examples: [] },
  }));
  const totals = { accepted: 160, refused: 40, corrected: 8, resent: 2, late: 5, onDayOfPlay: 95 };
  const traffic = (apiSet: string, sent: Partial<typeof totals>) => ({
    ...{ apiSet, ...toTraffic({ totals: { ...totals, ...sent } as ActivityCounts, refusals }) },
  });
  const text = screen({ traffic: [traffic("greens", {}), traffic("silent", { accepted: 0, refused: 0 })] });
  const faults = "tee_unknown 20.0 %, required 16.0 %, strokes_count 12.0 %";
  expect(text).toMatch(
    new RegExp(
      `greens.* 200 cards: 20.0 % refused \\(${faults}\\), 5.0 % corrected, 1.3 % sent again, 5.0 % late\\.`,
    ),
  );
  expect(text).not.toContain("silent");
});

test("the mirror's line says why clubs fail", () => {
  const mirror = { clubs: 40, failing: 40, ageSeconds: 320, failure: "The union answered 401." };
  expect(screen({ mirror })).toContain(
    "40 clubs, the stalest 5 min 20 s old, 40 failing; `scorecards mirror` names them. The union answered 401.",
  );
});

test("cards that wait though the queue is empty are told, with what becomes of them", () => {
  const queue = { waiting: 0, delayed: 0, inFlight: 0, deadLetters: 0 };
  expect(screen({ queue: { ...queue, cardsWithoutMessage: 12 } })).toContain(
    "Cards that wait though it is empty: 12. Messages were lost; the cards are woken up again within 35 minutes",
  );
  expect(screen({ queue })).not.toContain("Messages were lost");
});

test("an alarm that began after this machine's clock is as old as one that began now", () => {
  const alarm = { name: "DeadLetters", text: "Look at them.", since: "2026-06-28T14:00:01.000Z" };
  expect(screen({ alarms: [alarm] })).toMatch(/DeadLetters.* 0 s/);
});
