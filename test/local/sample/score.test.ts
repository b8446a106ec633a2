import { mulberry32 } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { type PlayableTee, playableTee } from "../../../core/smoke-test/playable-tee.ts";
import { playHoles, totalStrokes } from "../../../local/sample/score.ts";
import { tee } from "./small-union.ts";

const yellow = playableTee(tee(1)) as PlayableTee;

test("golfers score a few strokes over their handicap", () => {
  const random = mulberry32(1);
  const rounds = Array.from({ length: 200 }, () => totalStrokes(playHoles(12, yellow, random))).filter(
    Boolean,
  );
  const mean = rounds.reduce((sum, total) => sum + total, 0) / rounds.length;
  expect(mean - yellow.par - 12).toBeGreaterThan(2);
  expect(mean - yellow.par - 12).toBeLessThan(7);
});

test("a tee of which the register lacks a par or the rating is not played", () => {
  const [first, ...others] = tee(1).Holes;
  expect(
    playableTee(tee(1, { Holes: [{ Number: 1, Index: 7, Length: 300, ...first, Par: null }, ...others] })),
  ).toBeUndefined();
  expect(playableTee(tee(1, { CourseRating: "" }))).toBeUndefined();
});
