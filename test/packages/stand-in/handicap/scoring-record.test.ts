import { lowHandicapIndex } from "@scorecard-pipeline/whs";
import { describe, expect, test } from "vitest";
import { handicapStatus } from "../../../../packages/stand-in/handicap/handicap-status.ts";
import {
  type Round,
  type ScoringRecord,
  withRound,
} from "../../../../packages/stand-in/handicap/scoring-record.ts";

/** A round whose Score Differential is a number of tenths: on slope 113 it is the difference. */
function round(differential: number, day = 20_000): Round {
  const gross = { adjustedGross: 72, adjustedGrossWithoutIndex: 72 };
  return { ...gross, courseRating: 720_000 - differential * 1_000, slope: 113, holesExpected: 0, day };
}

/** Twenty scores of 10.0, or so many, and the Index that they give. */
function steady(change: Partial<ScoringRecord> = {}, count = 20): ScoringRecord {
  const indexes = count === 20 ? [{ day: 19_900, index: 100 }] : [];
  return {
    status: handicapStatus.normal,
    handicapIndex: 100,
    differentials: Array(count).fill(100),
    indexes,
    ...change,
  };
}

const played = (record: ScoringRecord, ...rounds: readonly Round[]) =>
  rounds.reduce((soFar, one) => withRound(soFar, one).record, record);

describe("a round", () => {
  test("pushes out the oldest of twenty scores (Rule 5.2b)", () => {
    const { differentials } = played(steady({ differentials: [1, ...Array(19).fill(100)] }), round(150));
    expect(differentials).toEqual([...Array(19).fill(100), 150]);
  });
});

describe("a player without a Handicap Index", () => {
  const nobody: ScoringRecord = {
    status: handicapStatus.unallocated,
    handicapIndex: undefined,
    differentials: [],
    indexes: [],
  };

  test("is given one by the third score: the lowest less 2.0 (Rules 4.5 and 5.2a)", () => {
    const two = played(nobody, round(172), round(153));
    expect([two.status, two.handicapIndex]).toEqual([handicapStatus.unallocated, undefined]);
    const three = played(two, round(166));
    expect([three.status, three.handicapIndex]).toEqual([handicapStatus.normal, 133]);
  });

  test("is given one by the first score where the union says so: the score less 2.0, at most 54.0", () => {
    const first = (differential: number) => withRound(nobody, round(differential), undefined, 1).record;
    expect([first(553).status, first(553).handicapIndex]).toEqual([handicapStatus.normal, 533]);
    expect(first(600).handicapIndex).toBe(540);
    const second = withRound(first(553), round(500), first(553).handicapIndex, 1).record;
    expect(second.handicapIndex).toBe(480);
  });

  test("has its first scores counted up to par + 5 a hole (Rule 3.1a)", () => {
    const { differential } = withRound(nobody, { ...round(100), adjustedGrossWithoutIndex: 80 });
    expect(differential).toBe(180);
  });
});

describe("an exceptional score (Rule 5.9)", () => {
  test("7.0 below the Index takes 1.0 off each of the twenty scores, its own too", () => {
    const { differentials, handicapIndex } = played(steady(), round(30));
    expect(differentials).toEqual([...Array(19).fill(90), 20]);
    // (7 x 9.0 + 2.0) / 8
    expect(handicapIndex).toBe(81);
  });

  test("is measured by the Index at the time, and the next reduction comes on top", () => {
    const first = played(steady(), round(30));
    expect(first.handicapIndex).toBe(81);
    expect(played(first, round(11)).differentials.slice(0, 2)).toEqual([80, 80]);
    expect(played(first, round(12)).differentials.slice(0, 2)).toEqual([90, 90]);
  });

  test("leaves the scores after it alone", () => {
    expect(played(steady(), round(30), round(100)).differentials.at(-1)).toBe(100);
  });

  test("takes off as much from a record of fewer than twenty", () => {
    expect(played(steady({}, 5), round(30)).differentials).toEqual([90, 90, 90, 90, 90, 20]);
  });
});

describe("the Low Handicap Index (Rule 5.7)", () => {
  test("is established with the twentieth score", () => {
    expect(played(steady({}, 18), round(100)).indexes).toEqual([]);
    expect(played(steady({}, 19), round(100, 20_123)).indexes).toEqual([{ day: 20_123, index: 100 }]);
  });

  test("is that of all Indexes, though a record keeps two a day", () => {
    // 1, 4, 9, … modulo 61 jump up and down; three rounds a day for two years.
    const rounds = Array.from({ length: 2_000 }, (_, n) =>
      round(60 + ((n * n) % 61), 20_000 + Math.floor(n / 3)),
    );
    const all = [...steady().indexes];
    let record = steady();
    for (const one of rounds) {
      record = withRound(record, one).record;
      all.push({ day: one.day, index: record.handicapIndex ?? 0 });
      expect(lowHandicapIndex(record.indexes, one.day)).toBe(lowHandicapIndex(all, one.day));
    }
    const ofDay = Map.groupBy(record.indexes, ({ day }) => day);
    expect(Math.max(...[...ofDay.values()].map(({ length }) => length))).toBe(2);
  });
});

describe("the caps on a record (Rule 5.8)", () => {
  const rising = (differential: number) =>
    played(steady(), ...Array.from({ length: 20 }, (_, n) => round(differential, 20_000 + n)));

  test("soft: after twenty scores of 14.0 an Index of 10.0 is 13.5", () => {
    expect(rising(140).handicapIndex).toBe(135);
  });

  test("a year later the low is forgotten, and the Index rises on", () => {
    const later = played(rising(300), round(300, 20_000 + 800));
    // The low is 15.0 by now, and twenty scores of 30.0 are capped at 20.0.
    expect(later.handicapIndex).toBe(200);
  });
});

describe("a status", () => {
  const [down, up] = [round(60), Array.from({ length: 20 }, () => round(125))];
  const indexes = (status: number) => [
    played(steady({ status }), down).handicapIndex,
    played(steady({ status }), ...up).handicapIndex,
  ];

  test.each([
    ["Normal moves both ways", handicapStatus.normal, [95, 125]],
    ["Active and", handicapStatus.active, [95, 125]],
    ["Inactive ones do as well", handicapStatus.inactive, [95, 125]],
    ["Frozen stays", handicapStatus.frozen, [100, 100]],
    ["FrozenUp does not rise", handicapStatus.frozenUp, [95, 100]],
    ["FrozenDown does not fall", handicapStatus.frozenDown, [100, 125]],
    ["Suspended stays", handicapStatus.suspended, [100, 100]],
  ])("%s", (_name, status, expected) => {
    expect(indexes(status)).toEqual(expected);
  });

  test("that stays still has its scores recorded", () => {
    expect(played(steady({ status: handicapStatus.frozen }), down).differentials.at(-1)).toBe(60);
  });
});
