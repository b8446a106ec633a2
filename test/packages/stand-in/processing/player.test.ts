import { describe, expect, test } from "vitest";
import { handicapStatus } from "../../../../packages/stand-in/handicap/handicap-status.ts";
import { type PickedUp, type Player, withRounds } from "../../../../packages/stand-in/processing/player.ts";
import type { UnionMember } from "../../../../packages/stand-in/register/records.ts";

/** A player with twenty scores of 10.0. */
const player: Player = {
  before: {
    status: handicapStatus.normal,
    handicapIndex: 100,
    differentials: Array(20).fill(100),
    indexes: [{ day: 19_900, index: 100 }],
  },
  rounds: [],
};

/** A round whose Score Differential is a number of tenths, before the expected score of any holes not played. */
function round(card: string, differential: number, day: number, hour: string, holesExpected = 0): PickedUp {
  const gross = { adjustedGross: 72, adjustedGrossWithoutIndex: 72 };
  const figures = { courseRating: 720_000 - differential * 1_000, slope: 113, holesExpected, day };
  return { card, round: { ...gross, ...figures, member: {} as UnionMember, startTime: `${day}T${hour}` } };
}

const countedAfterEach = ({ rounds }: Player) => rounds.map(({ after }) => after.differentials.at(-1));

describe("two rounds of a day (Rule 5.4: an Index is updated the day after)", () => {
  const morning = round("morning", 20, 20_000, "080000");
  const afternoon = round("afternoon", 30, 20_000, "140000");
  const nextDay = round("next day", 30, 20_001, "080000");

  test("are both exceptional by the morning's Handicap Index (Rule 5.9)", () => {
    // 8.0 and 7.0 below 10.0: each takes 1.0 off, its own score included.
    expect(countedAfterEach(withRounds(player, [morning, afternoon]))).toEqual([10, 20]);
    expect(countedAfterEach(withRounds(player, [morning, nextDay]))).toEqual([10, 30]);
  });

  test("go by it also if the second is received after the first was processed", () => {
    const first = withRounds(player, [morning]);
    expect(withRounds(first, [afternoon])).toEqual(withRounds(player, [morning, afternoon]));
    const second = withRounds(player, [afternoon]);
    expect(withRounds(second, [morning])).toEqual(withRounds(player, [morning, afternoon]));
  });

  test("have the same expected score for nine holes (Rule 5.1b)", () => {
    const nines = ["080000", "140000"].map((hour) => round(hour, 5, 20_000, hour, 9));
    const [one, other] = withRounds(player, nines).rounds;
    expect(one?.after.handicapIndex).not.toBe(100);
    expect(other?.differential).toBe(one?.differential);
  });
});

test("a thousand rounds of one day keep a few Indexes each, not a list of all", () => {
  const many = Array.from({ length: 1_000 }, (_, n) => {
    const hour = String(80_000 + n).padStart(6, "0");
    return round(String(n), 60 + ((n * n) % 61), 20_000, hour);
  });
  const { rounds } = withRounds(player, many);
  const lists = new Set(rounds.map(({ after }) => after.indexes));
  const kept = [...lists].reduce((sum, { length }) => sum + length, 0);
  expect(kept).toBeLessThanOrEqual(3 * many.length);
});
