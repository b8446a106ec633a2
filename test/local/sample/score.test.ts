import { mulberry32 } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { type PlayableTee, playableTee } from "../../../core/smoke-test/playable-tee.ts";
import {
  handicapsFor,
  netDoubleBogeyGross,
  playHoles,
  pointsFor,
  strokesReceived,
  totalStrokes,
} from "../../../local/sample/score.ts";
import { tee } from "./small-union.ts";

const yellow = playableTee(tee(1)) as PlayableTee;

test("an exact half is rounded up", () => {
  const figures = { ...yellow, slope: 57, rating: 688_000, par: 72 };
  expect(handicapsFor(113_000, figures).courseHandicap).toBe(3);
});

test.each([
  [0, 0],
  [20, 20],
  [-3, -3],
])("a handicap of %i gives %i strokes in all", (handicap, strokes) => {
  expect(strokesReceived(handicap, yellow.holes).reduce((sum, hole) => sum + hole, 0)).toBe(strokes);
});

test("a plus player gives a stroke back on the easiest hole", () => {
  const received = strokesReceived(-1, yellow.holes);
  expect(received[yellow.holes.findIndex(({ index }) => index === 18)]).toBe(-1);
});

test("a round of net pars is 36 points and as many strokes as par and handicap", () => {
  const received = strokesReceived(18, yellow.holes);
  const strokes = yellow.holes.map(({ par }, hole) => par + (received[hole] ?? 0));
  expect(pointsFor(strokes, 18, yellow)).toEqual(Array(18).fill(2));
  expect(totalStrokes(strokes)).toBe(yellow.par + 18);
  expect(netDoubleBogeyGross(strokes, 18, yellow)).toBe(yellow.par + 18);
});

test("a hole picked up has no points, leaves no total, and counts net double bogey", () => {
  const strokes = yellow.holes.map(({ par }, hole) => (hole === 0 ? 0 : par));
  expect(pointsFor(strokes, 0, yellow)[0]).toBe(0);
  expect(totalStrokes(strokes)).toBe(0);
  expect(netDoubleBogeyGross(strokes, 0, yellow)).toBe(yellow.par + 2);
});

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
