import { expect, test } from "vitest";
import { proofSeed } from "../../proofs/proof-seed.ts";
import { damages, readMoved } from "./moved-tables.ts";

const first = (proofSeed ?? 1) % 1_000_000;

test.each(damages)(
  "of 500 drawn tables with sums, damaged in the way of %j, none is wrong without a word",
  async (kind) => {
    const wrong: string[] = [];
    for (let seed = first; seed < first + 500; seed += 1) {
      const { outcome, told } = await readMoved(seed, kind);
      if (outcome === "wrong") wrong.push(told);
    }
    expect(wrong).toEqual([]);
  },
);
