import { describe, expect, test } from "vitest";
import {
  averageOfLowest,
  calculationFor,
  capped,
  exceptionalReduction,
} from "../../../../packages/stand-in/handicap/handicap-index.ts";

describe("the table for fewer than 20 scores (Rule 5.2a)", () => {
  test.each([
    [3, 1, -20],
    [4, 1, -10],
    [5, 1, 0],
    [6, 2, -10],
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
  ])(
    "of %i differentials the lowest %i count, adjusted by %i tenths",
    (differentials, lowest, adjustment) => {
      expect(calculationFor(differentials)).toEqual({ lowest, adjustment });
    },
  );

  test.each([0, 1, 2])("%i scores give no Handicap Index (Rule 4.5)", (count) => {
    expect(calculationFor(count)).toBeUndefined();
    expect(averageOfLowest(Array(count).fill(100))).toBeUndefined();
  });
});

test.each([
  [1, 0, undefined],
  [1, 1, { lowest: 1, adjustment: -20 }],
  [1, 2, { lowest: 1, adjustment: -20 }],
  [2, 1, undefined],
  [2, 2, { lowest: 1, adjustment: -20 }],
  [1, 4, { lowest: 1, adjustment: -10 }],
] as const)(
  "where %i scores are enough, %i of them give %o (Rule 4.5 of a union)",
  (fewest, count, calculation) => {
    expect(calculationFor(count, fewest)).toEqual(calculation);
  },
);

describe("the average of the lowest eight of twenty (Rule 5.2b)", () => {
  test("leaves the others out, wherever they are", () => {
    const record = [
      300, 100, 300, 110, 300, 120, 300, 130, 300, 140, 300, 150, 300, 160, 300, 170, 300, 300, 300, 300,
    ];
    expect(averageOfLowest(record)).toBe(135);
  });

  test("is rounded to a tenth, halves upwards, also below zero", () => {
    expect(averageOfLowest([...Array(4).fill(100), ...Array(4).fill(101), ...Array(12).fill(300)])).toBe(101);
    expect(averageOfLowest([...Array(4).fill(-10), ...Array(4).fill(-11), ...Array(12).fill(300)])).toBe(-10);
  });
});

describe("the caps (Rule 5.8), with a Low Handicap Index of 10.0", () => {
  test.each([
    ["a lower Index is not capped", 82, 82],
    ["nor is a rise of 3.0", 130, 130],
    ["soft cap: what exceeds 3.0 counts half", 140, 135],
    ["soft cap: a half is rounded upwards", 131, 131],
    ["soft cap: up to a rise of 7.0", 168, 149],
    ["hard cap: 5.0 is the most", 170, 150],
    ["hard cap: however high the scores", 400, 150],
  ])("%s", (_name, calculated, expected) => {
    expect(capped(calculated, 100)).toBe(expected);
  });

  test("act on a plus handicap too", () => {
    expect([capped(5, -20), capped(15, -20), capped(60, -20)]).toEqual([5, 13, 30]);
  });
});

test.each([
  [0, 69, "a score 6.9 below the Index is not exceptional"],
  [10, 70, "one 7.0 below takes off 1.0"],
  [10, 99, "one 9.9 below takes off 1.0"],
  [20, 100, "one 10.0 below takes off 2.0"],
  [20, 250, "one far below takes off 2.0"],
  [0, -50, "one above takes off nothing"],
])("reduction %i tenths at %i below: %s (Rule 5.9a)", (reduction, below) => {
  expect(exceptionalReduction(200 - below, 200)).toBe(reduction);
});
