import { expect, test } from "vitest";
import { damages, type MovedOutcome, readMoved } from "./moved-tables.ts";

/** What a damage must come to: a table that is whole is right, one whose columns or rows have moved is stopped, a mistyped cell is red. */
const expected: Readonly<Record<(typeof damages)[number], readonly MovedOutcome["outcome"][]>> = {
  none: ["right"],
  hole: ["stopped"],
  row: ["stopped"],
  cell: ["red"],
  columns: ["stopped", "red"],
};

test.each(damages)(
  "of drawn tables with sums, damaged in the way of %j, none is read wrongly without a word",
  async (kind) => {
    for (let seed = 101; seed <= 108; seed += 1) {
      const { outcome, told } = await readMoved(seed, kind);
      expect(expected[kind], told).toContain(outcome);
    }
  },
);
