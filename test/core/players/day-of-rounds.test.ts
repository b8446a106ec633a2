import { expect, test } from "vitest";
import { proofSeed } from "../../proofs/proof-seed.ts";
import { playDayOfRounds } from "./day-of-rounds.ts";

test("of 600 rounds of forty vendors every double, reused name and card of two persons is told, and nothing else", async () => {
  expect(await playDayOfRounds(proofSeed ?? 1, 600)).toBeLessThan(0.8);
});
