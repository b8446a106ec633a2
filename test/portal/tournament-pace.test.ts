import type { Tournament } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { choosePace } from "../../portal/views/tournaments/tournament-pace.ts";

const paceWith = (cards: number, startLists?: Tournament["startLists"]) =>
  choosePace({ totals: { cards } as Tournament["totals"], ...(startLists && { startLists }) });

test.each([
  [1_000, 4],
  [1_001, 8],
  [4_000, 16],
  [100_000, 32],
])("a tournament with a start list and %i cards is read every %i seconds", (cards, seconds) => {
  expect(paceWith(cards, [])).toBe(seconds);
});

test("a tournament without a start list is read at the same pace however many cards it has", () => {
  expect(paceWith(100_000)).toBe(4);
});
