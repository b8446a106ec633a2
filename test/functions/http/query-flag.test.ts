import { expect, test } from "vitest";
import { asksForPlayers } from "../../../functions/http/query-flag.ts";

const ask = (values: readonly string[]) =>
  asksForPlayers(new Map(values.length === 0 ? [] : [["players", values]]));

test("players are asked for only if the query says so; what is no flag is refused, and so are both", () => {
  expect([[], ["0"], ["1"], ["1", "true"]].map(ask)).toEqual([false, false, true, true]);
  const refused = expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) });
  for (const values of [["yes"], [""], ["1", "0"], ["1", "no"]]) expect(() => ask(values)).toThrow(refused);
});
