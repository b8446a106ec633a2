import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { strokesByIndex, strokesReceived } from "../../../../core/golf/rules/holes.ts";
import { indexes } from "../sample-cards.ts";

/** Any ranking of 9 or 18 holes, gaps between the indexes included. */
const rankings = fc
  .constantFrom(9, 18)
  .chain((holes) => fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: holes, maxLength: holes }));
const handicaps = fc.integer({ min: -50, max: 200 });

describe("strokes received (Rules of Handicapping, appendix E)", () => {
  test("sum to the handicap, for any handicap and any ranking", () => {
    fc.assert(
      fc.property(handicaps, rankings, (handicap, ranking) => {
        const received = strokesReceived(handicap, ranking);
        expect(received.reduce((sum, strokes) => sum + strokes, 0)).toBe(handicap);
      }),
    );
  });

  test("differ by one at most, and a harder hole never gets fewer", () => {
    fc.assert(
      fc.property(handicaps, rankings, (handicap, ranking) => {
        const received = strokesReceived(handicap, ranking);
        expect(Math.max(...received) - Math.min(...received)).toBeLessThanOrEqual(1);
        for (const [one, index] of ranking.entries()) {
          for (const [other, otherIndex] of ranking.entries()) {
            if (index < otherIndex) expect(received[one]).toBeGreaterThanOrEqual(received[other] ?? 0);
          }
        }
      }),
    );
  });

  test("go to the hardest holes first", () => {
    expect(strokesReceived(3, indexes)).toEqual(indexes.map((index) => (index <= 3 ? 1 : 0)));
  });

  test("start again from the hardest above 18 and above 36", () => {
    expect(strokesReceived(20, indexes)).toEqual(indexes.map((index) => (index <= 2 ? 2 : 1)));
    expect(strokesReceived(38, indexes)).toEqual(indexes.map((index) => (index <= 2 ? 3 : 2)));
    expect(strokesReceived(57, indexes)).toEqual(indexes.map((index) => (index <= 3 ? 4 : 3)));
  });

  test("are given back by a plus handicap from the easiest hole on", () => {
    expect(strokesReceived(-2, indexes)).toEqual(indexes.map((index) => (index >= 17 ? -1 : 0)));
    expect(strokesReceived(-19, indexes)).toEqual(indexes.map((index) => (index === 18 ? -2 : -1)));
  });

  test("go by the order of the indexes on nine holes, whatever numbers they have", () => {
    expect(strokesReceived(4, [17, 5, 9, 1, 13, 3, 15, 7, 11])).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0]);
    expect(strokesReceived(4, [18, 6, 10, 2, 14, 4, 16, 8, 12])).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0]);
    expect(strokesReceived(4, [9, 3, 5, 1, 7, 2, 8, 4, 6])).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0]);
  });

  test("are none for a handicap of zero", () => {
    expect(strokesReceived(0, indexes)).toEqual(indexes.map(() => 0));
  });
});

describe("strokes received by the indexes as they are written", () => {
  test("are those by rank on eighteen holes", () => {
    fc.assert(
      fc.property(handicaps, (handicap) => {
        expect(strokesByIndex(handicap, indexes)).toEqual(strokesReceived(handicap, indexes));
      }),
    );
  });

  test("are another number than the handicap on nine, for plus players, too", () => {
    const odd = [17, 5, 9, 1, 13, 3, 15, 7, 11];
    expect(strokesByIndex(4, odd)).toEqual([0, 0, 0, 1, 0, 1, 0, 0, 0]);
    expect(strokesByIndex(22, odd)).toEqual([1, 1, 1, 2, 1, 2, 1, 1, 1]);
    expect(strokesByIndex(-2, odd)).toEqual([-1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
