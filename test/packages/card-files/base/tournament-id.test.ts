import { expect, test } from "vitest";
import { tournamentId } from "../../../../core/views/tournament.ts";
import { tournamentIdOf } from "../../../../packages/card-files/base/tournament-id.ts";

test.each(["Midsummer Cup", "  Årets \t Cup / #1 ", "A\u030Arets Cup", "\ud800 half", "", "\u{1F3CC} cup"])(
  "a table names the tournament %j as the API does",
  async (name) => {
    expect(await tournamentIdOf(name)).toBe(tournamentId(name));
  },
);
