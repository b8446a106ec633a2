import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roundHalfUp } from "../../../../core/golf/rules/course-handicap.ts";
import { countedStrokes, netDoubleBogey, stablefordPoints } from "../../../../core/golf/rules/holes.ts";

const pars = fc.integer({ min: 3, max: 6 });
const received = fc.integer({ min: -3, max: 12 });
const strokes = fc.integer({ min: 1, max: 99 });

describe("Stableford points (Rules of Golf 21.1b)", () => {
  test("never rise when strokes do", () => {
    fc.assert(
      fc.property(pars, received, strokes, (par, strokesReceived, taken) => {
        const better = stablefordPoints(par, strokesReceived, taken);
        expect(stablefordPoints(par, strokesReceived, taken + 1)).toBeLessThanOrEqual(better);
        expect(better).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("are two for net par and none for net double bogey", () => {
    expect([2, 3, 4, 5, 6, 7].map((taken) => stablefordPoints(4, 0, taken))).toEqual([4, 3, 2, 1, 0, 0]);
    expect(stablefordPoints(4, 1, 5)).toBe(2);
    expect(stablefordPoints(4, -1, 4)).toBe(1);
  });

  test("are none where the ball was picked up or the hole not played, whatever was received", () => {
    expect(stablefordPoints(4, 3, 0)).toBe(0);
    expect(stablefordPoints(4, 3, -1)).toBe(0);
  });
});

describe("net double bogey (Rules of Handicapping 3.1)", () => {
  test("is par and two, and the strokes received", () => {
    expect([-1, 0, 1, 2, 3].map((strokesReceived) => netDoubleBogey(4, strokesReceived))).toEqual([
      5, 6, 7, 8, 9,
    ]);
  });

  test("is never more than par and five", () => {
    expect(netDoubleBogey(4, 4)).toBe(9);
    expect(netDoubleBogey(3, 12)).toBe(8);
  });

  test("is par and five without a Handicap Index (3.1a)", () => {
    expect(netDoubleBogey(4, undefined)).toBe(9);
  });

  test("holds a hole back, and is what a hole picked up counts", () => {
    expect(countedStrokes(4, 1, 6)).toBe(6);
    expect(countedStrokes(4, 1, 7)).toBe(7);
    expect(countedStrokes(4, 1, 8)).toBe(7);
    expect(countedStrokes(4, 1, 0)).toBe(7);
  });

  test("never makes a hole count more than it took", () => {
    fc.assert(
      fc.property(pars, received, strokes, (par, strokesReceived, taken) => {
        expect(countedStrokes(par, strokesReceived, taken)).toBeLessThanOrEqual(taken);
      }),
    );
  });
});

describe("rounding (Rules of Handicapping 5.1c)", () => {
  test.each([
    [3, 2, 2],
    [-3, 2, -1],
    [5, 2, 3],
    [-5, 2, -2],
    [149, 100, 1],
    [-151, 100, -2],
    [-149, 100, -1],
    [1, 2, 1],
    [-1, 2, 0],
    [0, 7, 0],
  ])("makes of %i/%i the whole number %i", (numerator, denominator, rounded) => {
    expect(Object.is(roundHalfUp(numerator, denominator), rounded)).toBe(true);
  });

  test("is exact right below and above a tie of large numbers", () => {
    const denominator = 2 ** 20;
    const tie = 1_000_003 * denominator + denominator / 2;
    expect([tie - 1, tie, tie + 1].map((numerator) => roundHalfUp(numerator, denominator))).toEqual([
      1_000_003, 1_000_004, 1_000_004,
    ]);
  });

  test("takes the nearest whole number, the higher of two as near", () => {
    const whole = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 10_000 }), (numerator, denominator) => {
        const distance = (candidate: number) => Math.abs(numerator - candidate * denominator);
        const rounded = roundHalfUp(numerator, denominator);
        expect(distance(rounded)).toBeLessThanOrEqual(distance(rounded - 1));
        expect(distance(rounded)).toBeLessThan(distance(rounded + 1));
      }),
    );
  });
});
