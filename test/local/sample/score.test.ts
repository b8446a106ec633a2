import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { type PlayableTee, playableTee } from "../../../core/smoke-test/playable-tee.ts";
import { playHoles, totalStrokes } from "../../../local/sample/score.ts";
import { union } from "./small-union.ts";

const [tee] = union.courses[0]?.Tees ?? [];
if (tee === undefined) throw new Error("The first course has no tee.");
const yellow = playableTee(tee) as PlayableTee;

test("golfers score a few strokes over their handicap", () => {
  const random = seededRandom(1);
  const rounds = Array.from({ length: 200 }, () => totalStrokes(playHoles(12, yellow, random))).filter(
    Boolean,
  );
  const mean = rounds.reduce((sum, total) => sum + total, 0) / rounds.length;
  expect(mean - yellow.par - 12).toBeGreaterThan(2);
  expect(mean - yellow.par - 12).toBeLessThan(7);
});

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
