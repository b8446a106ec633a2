import { expect, test } from "vitest";
import { asksForPlayers } from "../../../functions/validate-scorecards/asks-for-players.ts";

const ask = (...values: readonly string[]) => asksForPlayers(new Map([["players", values]]));

test("players are asked for only if the query says so", () => {
  expect([asksForPlayers(new Map()), ask("1"), ask("1", "1")]).toEqual([false, true, true]);
});

test.each([["0"], ["yes"], [""], ["1", "0"]])("another value than 1 is refused: %j", (...values) => {
  expect(() => ask(...values)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) }),
  );
});
