import { expect, test } from "vitest";
import { asksForPlayers } from "../../../functions/validate-scorecards/asks-for-players.ts";

const ask = (...values: readonly string[]) => asksForPlayers(new Map([["players", values]]));

test("players are asked for only if the query says so", () => {
  expect([asksForPlayers(new Map()), ask("0"), ask("1"), ask("1", "true")]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test.each([["yes"], [""], ["1", "0"], ["1", "no"]])(
  "a value that is no flag is refused, and so are both: %j",
  (...values) => {
    expect(() => ask(...values)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) }),
    );
  },
);
