import { expect, test } from "vitest";
import { readQueryFlag } from "../../../functions/http/query-flag.ts";

const ask = (values: readonly string[]) =>
  readQueryFlag(new Map(values.length === 0 ? [] : [["players", values]]), "players", "to ask for them");

test("a flag is set only if the query sets it; another value, or two values that contradict each other, are refused", () => {
  expect([[], ["0"], ["1"], ["1", "true"]].map(ask)).toEqual([false, false, true, true]);
  const refused = expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) });
  for (const values of [["yes"], [""], ["1", "0"], ["1", "no"]]) expect(() => ask(values)).toThrow(refused);
});
