import { expect, test } from "vitest";
import type { PlayResult } from "../../../local/sample/play.ts";
import { resultTable } from "../../../local/sample/table.ts";

const result: PlayResult = {
  total: 288,
  submitted: 288,
  accepted: 264,
  refused: { tee_unknown: 5, strokes_count: 19 },
  warned: { player_unknown: 2 },
  delivered: 263,
  unexpected: [{ externalId: "one-1-007", expected: "delivered", got: "retrying" }],
  acceptedCards: [],
  refusedExternalIds: [],
  milliseconds: 2_630,
};

test("the table says what became of the sample, and below it what was not expected", () => {
  const text = resultTable(result);
  for (const row of [
    /Submitted\W+288/,
    /Accepted\W+264/,
    /tee_unknown\W+5/,
    /strokes_count\W+19/,
    /Delivered\W+263/,
    /Delivered with a warning: player_unknown\W+2/,
    /2\.6 s/,
    /a second\W+100/,
  ]) {
    expect(text).toMatch(row);
  }
  expect(text.split("\n").at(-1)).toBe("one-1-007: expected delivered, got retrying");
});
