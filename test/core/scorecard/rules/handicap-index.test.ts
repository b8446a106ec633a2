import { describe, expect, test } from "vitest";
import {
  cappedHandicapIndex,
  handicapIndexFrom,
  scoreDifferential,
} from "../../../../core/scorecard/rules/handicap-index.ts";

const wire = (value: number) => Math.round(value * 10_000);
const some = (count: number) => Array.from({ length: count }, (_, place) => wire(20 + place));

describe("Score Differential (Rules of Handicapping 5.1)", () => {
  test("is rounded to a tenth, halves up", () => {
    // 113 / 113 x (90 - 71.85) = 18.15
    expect(scoreDifferential(90, wire(71.85), 113, 0)).toBe(wire(18.2));
    expect(scoreDifferential(70, wire(71.54), 113, 0)).toBe(wire(-1.5));
  });

  test("takes off the playing conditions", () => {
    expect(scoreDifferential(90, wire(72), 113, 1)).toBe(wire(17));
    expect(scoreDifferential(90, wire(72), 113, -1)).toBe(wire(19));
  });
});

describe("Handicap Index (Rules of Handicapping 5.2)", () => {
  // 5.2a: of so many, the lowest so many, and the adjustment.
  test.each([
    [3, 1, -2],
    [4, 1, -1],
    [5, 1, 0],
    [6, 2, -1],
    [7, 2, 0],
    [8, 2, 0],
    [9, 3, 0],
    [11, 3, 0],
    [12, 4, 0],
    [14, 4, 0],
    [15, 5, 0],
    [16, 5, 0],
    [17, 6, 0],
    [18, 6, 0],
    [19, 7, 0],
    [20, 8, 0],
  ])("from %i differentials is the average of the lowest %i, and %i", (count, lowest, adjustment) => {
    const average = 20 + (lowest - 1) / 2 + adjustment;
    expect(handicapIndexFrom(some(count).reverse())).toBe(wire(average));
  });

  test("needs three", () => {
    expect(handicapIndexFrom(some(2))).toBeUndefined();
  });

  test("is 54.0 at most (5.3)", () => {
    expect(handicapIndexFrom([wire(70), wire(71), wire(72)])).toBe(wire(54));
  });

  test("is rounded to a tenth", () => {
    expect(handicapIndexFrom([wire(10), wire(10.1), wire(10.1), ...some(6)])).toBe(wire(10.1)); // 10.0667
    expect(handicapIndexFrom([wire(10), wire(10.1), ...some(5)])).toBe(wire(10.1)); // 10.05
  });
});

describe("the caps (Rules of Handicapping 5.8)", () => {
  test.each([
    [12, 13, 12],
    [13, 10, 13],
    [13.1, 10, 13.1],
    [15, 10, 14],
    [17, 10, 15],
    [17.1, 10, 15],
    [25, 10, 15],
  ])("hold %d back with a low of %d to %d", (calculated, low, capped) => {
    expect(cappedHandicapIndex(wire(calculated), wire(low))).toBe(wire(capped));
  });
});
