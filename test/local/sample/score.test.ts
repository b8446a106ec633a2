import { expect, test } from "vitest";
import { playableTee } from "../../../core/smoke-test/playable-tee.ts";
import { union } from "./small-union.ts";

const [tee] = union.courses[0]?.Tees ?? [];
if (tee === undefined) throw new Error("The first course has no tee.");

test("a tee that the register does not know whole is not played", () => {
  const [first, ...others] = tee.Holes;
  const one = { Number: 1, Par: 4, Index: 7, Length: 300, ...first };
  const lacking: object[] = [
    ...[{ Par: null }, { Par: 0 }, { Index: null }, { Index: others[0]?.Index ?? 0 }].map((lack) => {
      return { Holes: [{ ...one, ...lack }, ...others] };
    }),
    ...["", "0", "-1", "71.8"].map((CourseRating) => ({ CourseRating })),
    { SlopeRating: 0 },
    { Holes: others },
  ];
  expect(lacking.map((given) => playableTee({ ...tee, ...given }))).toEqual(lacking.map(() => undefined));
});
