import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  adjustedGrossScore,
  capRise,
  countedStrokes,
  courseHandicap,
  exceptionalScoreReduction,
  findCalculation,
  handicapIndex,
  lowHandicapIndex,
  netDoubleBogey,
  roundHalfUp,
  scoreDifferential,
  stablefordPoints,
  strokesReceived,
} from "../../../packages/whs/index.ts";

const pars = fc.integer({ min: 3, max: 6 });
const received = fc.integer({ min: -3, max: 12 });
const strokes = fc.integer({ min: 1, max: 99 });

test("a better hole never has fewer Stableford points, and none has fewer than 0", () => {
  fc.assert(
    fc.property(pars, received, strokes, (par, strokesReceived, taken) => {
      const better = stablefordPoints(par, strokesReceived, taken);
      expect(stablefordPoints(par, strokesReceived, taken + 1)).toBeLessThanOrEqual(better);
      expect(better).toBeGreaterThanOrEqual(0);
    }),
  );
});

test.each([
  [4, 0, 4, 2],
  [4, 1, 5, 2],
  [4, -1, 4, 1],
  [5, 2, 3, 6],
  [3, 0, 5, 0],
  [4, 3, 0, 0],
  [4, 3, -1, 0],
])("on par %i with %i received, %i strokes are %i points", (par, strokesReceived, taken, points) => {
  expect(stablefordPoints(par, strokesReceived, taken)).toBe(points);
});

test("no hole counts more than it took, and none more than net double bogey or par + 5", () => {
  fc.assert(
    fc.property(pars, received, strokes, (par, strokesReceived, taken) => {
      const counted = countedStrokes(par, strokesReceived, taken);
      expect(counted).toBeLessThanOrEqual(Math.min(taken, par + 5));
      expect(counted).toBeLessThanOrEqual(netDoubleBogey(par, strokesReceived));
    }),
  );
});

test.each([
  [4, 0, 7, 6],
  [4, 1, 6, 6],
  [5, -1, 9, 6],
  [3, 5, 12, 8],
  [4, undefined, 11, 9],
  [4, 1, 0, 7],
])("on par %i with %s received, %i strokes count %i", (par, strokesReceived, taken, counted) => {
  expect(countedStrokes(par, strokesReceived, taken)).toBe(counted);
});

test("an Adjusted Gross Score has net double bogey for a hole picked up, and nothing for one not played", () => {
  const round = { pars: [4, 4, 5], strokeIndexes: [1, 2, 3], strokes: [0, -1, 12] };
  expect(adjustedGrossScore({ ...round, courseHandicap: 1 })).toMatchObject({ value: 7 + 7 });
  expect(adjustedGrossScore({ ...round, courseHandicap: null }).working()).toBe("9 + 10 = 19");
});

describe("strokes received", () => {
  /** Any ranking of 9 or 18 holes, gaps between the indexes included. */
  const rankings = fc
    .constantFrom(9, 18)
    .chain((holes) =>
      fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: holes, maxLength: holes }),
    );
  const handicaps = fc.integer({ min: -50, max: 200 });
  const indexes = [7, 3, 15, 9, 1, 11, 17, 5, 13, 8, 16, 4, 12, 2, 10, 18, 6, 14];

  test("sum to the handicap, differ by one at most, and a harder hole never gets fewer", () => {
    fc.assert(
      fc.property(handicaps, rankings, (handicap, ranking) => {
        const dealt = strokesReceived(handicap, ranking);
        expect(dealt.reduce((sum, strokes) => sum + strokes, 0)).toBe(handicap);
        expect(Math.max(...dealt) - Math.min(...dealt)).toBeLessThanOrEqual(1);
        const hardestFirst = ranking.map((index, hole) => ({ index, strokes: dealt[hole] ?? 0 }));
        hardestFirst.sort((one, other) => one.index - other.index);
        const sorted = hardestFirst.map((hole) => hole.strokes);
        expect(sorted).toEqual(sorted.toSorted((one, other) => other - one));
      }),
    );
  });

  test("start again from the hardest hole above 18 and 36, and a plus handicap gives back from the easiest", () => {
    const dealt = (handicap: number) => strokesReceived(handicap, indexes);
    expect(dealt(3)).toEqual(indexes.map((index) => (index <= 3 ? 1 : 0)));
    expect(dealt(38)).toEqual(indexes.map((index) => (index <= 2 ? 3 : 2)));
    expect(dealt(-19)).toEqual(indexes.map((index) => (index === 18 ? -2 : -1)));
    expect(dealt(0)).toEqual(indexes.map(() => 0));
  });
});

describe("rounding", () => {
  test.each([
    [3, 2, 2],
    [-3, 2, -1],
    [-5, 2, -2],
    [149, 100, 1],
    [-151, 100, -2],
    [-149, 100, -1],
    [-1, 2, 0],
    [0, 7, 0],
  ])("makes of %i/%i the whole number %i, which is no minus zero", (numerator, denominator, rounded) => {
    expect(Object.is(roundHalfUp(numerator, denominator), rounded)).toBe(true);
  });

  test("is exact right below and above a tie of large numbers", () => {
    const denominator = 2 ** 20;
    const tie = 1_000_003 * denominator + denominator / 2;
    expect([tie - 1, tie, tie + 1].map((numerator) => roundHalfUp(numerator, denominator))).toEqual([
      1_000_003, 1_000_004, 1_000_004,
    ]);
  });
});

test("a Course Handicap and a Score Differential are never minus zero", () => {
  const scratch = { handicapIndex: -3_000, slope: 113, rating: 720_000, par: 72 };
  const level = { adjustedGross: 72, rating: 720_400, slope: 113 };
  expect(Object.is(courseHandicap(scratch).value, 0)).toBe(true);
  expect(Object.is(scoreDifferential(level).value, 0)).toBe(true);
});

test.each([
  // 113 / 125 x (94 - 73.0) = 18.98
  [94, 730_000, 125, 190_000],
  // -0.25, up, which is towards 0
  [71, 712_500, 113, -2_000],
  [72, 717_500, 113, 3_000],
  // 113 / 142 x (68 - 74.4) = -5.093
  [68, 744_000, 142, -51_000],
])(
  "%i strokes on a rating of %i and slope %i are a Score Differential of %i",
  (adjustedGross, rating, slope, expected) => {
    expect(scoreDifferential({ adjustedGross, rating, slope }).value).toBe(expected);
  },
);

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
])("of %i Score Differentials the lowest %i count, adjusted by %i", (count, lowest, strokes) => {
  expect(findCalculation(count)).toEqual({ lowest, adjustment: strokes * 10_000 });
});

test("two scores give no Handicap Index, unless a union says that they are enough", () => {
  expect(handicapIndex({ differentials: [100_000, 120_000] })).toBeUndefined();
  expect(handicapIndex({ differentials: [100_000, 120_000], minScores: 2 })?.value).toBe(80_000);
  expect(findCalculation(0, 1)).toBeUndefined();
});

test("a Handicap Index is never above 54.0", () => {
  expect(handicapIndex({ differentials: [600_000, 620_000, 610_000, 640_000, 650_000] })?.value).toBe(
    540_000,
  );
});

test.each([
  [82, 82],
  [130, 130],
  [131, 131],
  [140, 135],
  [168, 149],
  [170, 150],
  [400, 150],
])("above a Low Handicap Index of 10.0, %i tenths are capped at %i", (tenths, capped) => {
  expect(capRise({ handicapIndex: tenths * 1_000, lowHandicapIndex: 100_000 })).toBe(capped * 1_000);
});

test("an exceptional score counts before it is rounded: 6.95 below takes off nothing, though it is 7.0 rounded", () => {
  const below = (tenThousandths: number) => ({ numerator: 200_000 - tenThousandths, denominator: 1 });
  const reductions = [69_999, 70_000, 99_999, 100_000, 250_000, -50_000].map((strokes) =>
    exceptionalScoreReduction(below(strokes), 200_000),
  );
  expect(reductions).toEqual([0, 10_000, 10_000, 20_000, 20_000, 0]);
});

test("the Low Handicap Index is the lowest of 365 days, also one that was held as they began", () => {
  const indexes = [
    { day: 1_000, index: 80_000 },
    { day: 1_100, index: 120_000 },
    { day: 1_300, index: 110_000 },
  ];
  expect([1_400, 1_464, 1_465, 5_000].map((day) => lowHandicapIndex(indexes, day))).toEqual([
    80_000, 80_000, 110_000, 110_000,
  ]);
  expect(lowHandicapIndex([], 1_000)).toBeUndefined();
});
