import { expect, test } from "vitest";
import type { ProblemError } from "../../../functions/http/problem.ts";
import { readStartList, startListLimits } from "../../../functions/track-scorecards/start-list-request.ts";
import { maxPlayers, startListFaults } from "../../../packages/card-files/start-list.ts";

const rowsOf = (players: readonly (readonly [unionId: string, label?: string])[]) =>
  players.map(([unionId, label = ""], place) => ({ number: place + 2, unionId, label }));

/** Places of the players whom the API refuses. */
function refusedByApi(players: readonly (readonly [unionId: string, label?: string])[]): number[] {
  const list = { players: players.map(([unionId, label]) => ({ unionId, ...(label && { label }) })) };
  try {
    readStartList(JSON.stringify(list));
    return [];
  } catch (error) {
    const { players: faults = [] } = (error as ProblemError).problem as { players?: { index: number }[] };
    return [...new Set(faults.map(({ index }) => index))];
  }
}

test.each<readonly (readonly [unionId: string, label?: string])[]>([
  [["32-1"], ["32-2"]],
  [
    ["32-1", "17"],
    ["32-2", "A-12"],
    ["32-3", "flight 3"],
  ],
  [["32-1"], ["032-01"]],
  [["32-1a"], ["32-1A"]],
  [["32-1"], [""]],
  [["321"], ["32/1"], ["32-"], ["-1"], ["32-1-2"]],
  [
    ["32-1", "Ann"],
    ["32-2", "number 17"],
    ["32-3", "<b>1"],
    ["32-4", "Å1"],
  ],
  [["32-1", "32-2"], ["32-2"]],
  [["32-1", "32-9"], ["32-2"]],
  [["32-1", "032-1"]],
])("a table refuses the same players as the API: %j", (...players) => {
  const faults = startListFaults(rowsOf(players));
  expect([...faults.keys()].map((number) => number - 2).toSorted()).toEqual(refusedByApi(players).toSorted());
});

test("a player twice is told with the row of the first one, and a label by its own cell", () => {
  const faults = startListFaults(
    rowsOf([["32-1", "17"], ["32-2", "Ann"], ["032-1"], [""], ["32-5", "32-2"]]),
  );
  expect([...faults]).toEqual([
    [3, [{ kind: "noLabel", field: "label" }]],
    [4, [{ kind: "twice", field: "unionId", first: 2 }]],
    [5, [{ kind: "noNumber", field: "unionId" }]],
    [6, [{ kind: "numberAsLabel", field: "label" }]],
  ]);
});

test("a table knows how many players the API takes", () => {
  expect(maxPlayers).toBe(startListLimits.players);
});
