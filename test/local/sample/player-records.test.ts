import { expect, test } from "vitest";
import { type RecordsResult, recordsTable } from "../../../local/sample/player-records.ts";

const result = (given: Partial<RecordsResult> = {}): RecordsResult => ({
  delivered: 100,
  recorded: 97,
  notRecorded: { player_unknown: 2, none: 1 },
  unknown: 0,
  compared: 90,
  differences: [],
  ...given,
});
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("│"))
    .map((line) =>
      line
        .split("│")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

test("the table counts the cards that are in the players' records, and those that are not by their cause", () => {
  expect(rowsOf(recordsTable(result()))).toEqual([
    ["Delivered", "100"],
    ["In the player's record", "97"],
    ["Not in it: player_unknown", "2"],
    ["Not in it", "1"],
    ["Score Differentials compared", "90"],
    ["Score Differentials that differ", "0"],
  ]);
});

test("a Score Differential that differs is shown with both figures, ten at most", () => {
  const differences = Array.from({ length: 12 }, (_, place) => ({
    externalId: `card ${place}`,
    ours: 246_000,
    unions: -7000,
  }));
  const text = recordsTable(result({ differences, unknown: 3 }));
  expect(text).toContain("card 0: ours is 24.6, the union's -0.7");
  expect(text).not.toContain("card 10:");
  expect(text).toContain("and 2 more");
  expect(rowsOf(text)).toContainEqual(["Not known yet", "3"]);
});
