import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type ProgressStream, progressDisplay } from "../../../local/progress-display.ts";
import { type PlayResult, playProgressState } from "../../../local/sample/play.ts";
import { resultTable } from "../../../local/sample/table.ts";

function shownOn(stream: PassThrough & { isTTY?: boolean }): string {
  const display = progressDisplay(stream as ProgressStream);
  const total = 288;
  for (let submitted = 0; submitted <= total; submitted += 4) {
    display.show(playProgressState({ submitted, accepted: submitted, refused: 0, delivered: 0, total }));
  }
  for (let delivered = 0; delivered <= total; delivered += 1) {
    display.show(playProgressState({ submitted: total, accepted: total, refused: 0, delivered, total }));
  }
  display.end();
  return String(stream.read());
}

test("without a terminal, progress is a line for every tenth", () => {
  const lines = shownOn(new PassThrough()).trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(21);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.at(-1)).toBe("Submitted 288 of 288 cards: 288 accepted, 0 refused, 288 delivered");
});

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

test("a table without surprises ends with the table", () => {
  expect(resultTable({ ...result, unexpected: [] })).not.toContain("expected delivered");
});
