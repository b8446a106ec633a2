import { expect, test } from "vitest";
import { ProblemError } from "../../../functions/http/problem.ts";
import { readStartList, startListLimits } from "../../../functions/track-scorecards/start-list-request.ts";

function refusal(body: unknown) {
  try {
    readStartList(typeof body === "string" ? body : JSON.stringify(body));
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error("The list was taken.");
}

const player = { unionId: "32-1", label: "17" };
const others = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ unionId: `33-${place + 1}` }));

test("a list with rounds and labels is read as it was sent", () => {
  const list = { rounds: [2, 1], players: [player, { unionId: "1001-9A" }] };
  expect(readStartList(JSON.stringify(list))).toEqual(list);
  expect(readStartList(JSON.stringify({ players: [player] }))).toEqual({ players: [player] });
});

test.each([
  ["", "must be a JSON object"],
  ["[]", "must be a JSON object"],
  ["{", "must be a JSON object"],
  [{}, "players must be an array"],
  [{ players: [] }, "must have a player"],
  [{ players: [player], rounds: [] }, "must name a round"],
  [{ players: [player], rounds: [0] }, "from 1 to 99"],
  [{ players: [player], rounds: [1, 1] }, "each round once"],
  [{ players: [player], rounds: [1.5] }, "whole number"],
  [{ players: [player], rounds: Array.from({ length: 11 }, (_, n) => n + 1) }, "at most 10"],
  [{ players: [player], names: ["Ann Example"] }, "no other fields"],
])("%j is refused with 400, and told what a list is", (body, said) => {
  const { status, detail } = refusal(body);
  expect([status, detail]).toEqual([400, expect.stringContaining(said)]);
  expect(detail).not.toContain("Ann");
});

test("2,000 players are taken, and one more, or a body of more than 1 MiB, is refused with 413", () => {
  const most = { players: others(startListLimits.players) };
  expect(readStartList(JSON.stringify(most)).players).toHaveLength(2_000);
  expect(refusal({ players: others(2_001) })).toMatchObject({ status: 413, limit: "2,000 players" });
  const large = `{"players": [${JSON.stringify(player)}]${" ".repeat(startListLimits.bytes)}}`;
  expect(refusal(large)).toMatchObject({ status: 413, limit: "1 MiB" });
});

test.each([
  ["a number that is no text", { unionId: 321 }, "/players/1/unionId"],
  ["no number", { label: "17" }, "/players/1/unionId"],
  ["a number without a hyphen", { unionId: "321" }, "/players/1/unionId"],
  ["a name beside the number", { ...player, name: "Ann Example" }, "/players/1"],
  ["a LifeTimeID beside the number", { ...player, lifeTimeId: "010156-012" }, "/players/1"],
  ["a name for a label", { unionId: "32-1", label: "Ann" }, "/players/1/label"],
  ["an empty label", { unionId: "32-1", label: "" }, "/players/1/label"],
  ["a long label", { unionId: "32-1", label: "number 17" }, "/players/1/label"],
  ["a label with markup", { unionId: "32-1", label: "<b>1" }, "/players/1/label"],
  ["the player's own number for a label", { unionId: "32-1", label: "032-01" }, "/players/1/label"],
  ["another player's number for a label", { unionId: "32-1", label: "33-1" }, "/players/1/label"],
  ["the number of another player in another spelling", { unionId: "033-01" }, "/players/1/unionId"],
  ["nothing of an object", null, "/players/1"],
  ["a text", "32-1", "/players/1"],
])("a player with %s is refused with 422, by place and without the data", (_, bad, pointer) => {
  const { status, players } = refusal({ players: [...others(1), bad] });
  expect([status, players]).toMatchObject([422, [{ index: 1, pointer }]]);
  expect(JSON.stringify(players)).not.toMatch(/Ann|010156|"32-1"|<b>/);
});

test("all players with faults are told at once, the first hundred of them by place", () => {
  const bad = Array.from({ length: 150 }, () => ({ unionId: "32", label: "Ann" }));
  const { detail, players, playersLeftOut } = refusal({ players: [...others(2), ...bad] });
  expect(detail).toContain("150 of 152 players");
  expect([players, playersLeftOut]).toEqual([expect.objectContaining({ length: 100 }), 200]);
});
