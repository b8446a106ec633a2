import { expect, test } from "vitest";
import {
  formatHandicapIndex,
  handicapTable,
  type MovedHandicap,
} from "../../../local/sample/handicap-table.ts";

const player = (name: string, before: number | undefined, after: number | undefined): MovedHandicap => ({
  member: { FirstName: name, LastName: "Player", Memberships: [{ UnionID: `1-${name.length}` }] },
  rounds: 2,
  before,
  after,
});

test("the handicaps that moved most come first, and all are counted", () => {
  const text = handicapTable([
    player("Ann", 100, 98),
    player("Bo", 205, 190),
    player("Cecil", 300, 304),
    player("Dan", 150, 150),
    player("Eve", undefined, 540),
    player("Finn", undefined, undefined),
  ]);
  const rows = text.split("\n").filter((line) => line.includes("Player") && !line.includes("UnionID"));
  expect(
    rows.map((row) =>
      row
        .split("│")
        .map((cell) => cell.trim())
        .slice(1, -1),
    ),
  ).toEqual([
    ["Bo Player", "1-2", "2", "20.5", "19.0", "-1.5"],
    ["Cecil Player", "1-5", "2", "30.0", "30.4", "+0.4"],
    ["Ann Player", "1-3", "2", "10.0", "9.8", "-0.2"],
  ]);
  expect(text.split("\n").at(-1)).toBe("Handicaps: 2 fell, 1 rose, 2 stayed, 1 are new.");
});

test("ten are shown at most", () => {
  const many = Array.from({ length: 30 }, (_, n) => player(`P${n}`, 100 + n, 90));
  expect(handicapTable(many).match(/ Player /g)).toHaveLength(11);
});

test.each([
  [125, "12.5"],
  [0, "0.0"],
  [-23, "+2.3"],
  [undefined, "none"],
])("%s tenths are written %s", (tenths, words) => {
  expect(formatHandicapIndex(tenths)).toBe(words);
});
