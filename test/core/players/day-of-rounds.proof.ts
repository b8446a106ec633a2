import { expect, test } from "vitest";
import { proofSeed } from "../../proofs/proof-seed.ts";
import { playDayOfRounds } from "./day-of-rounds.ts";

test.each([0, 1])(
  "of 10,000 rounds of a day what is wrong is told, and nothing else (day %i)",
  async (day) => {
    expect(await playDayOfRounds((proofSeed ?? 1) + day, 10_000)).toBeLessThan(0.8);
  },
);
