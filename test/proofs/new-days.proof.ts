import { expect, test } from "vitest";
import { kinds } from "../core/simulation/simulated-day.ts";
import { playDay } from "../core/simulation/simulated-days.ts";

const { PROOF_SEED, PROOF_DAYS, PROOF_MINUTES, PROOF_PART, PROOF_PARTS, PROOF_KIND } = process.env;
const firstSeed = Number(PROOF_SEED);
const minDays = Number(PROOF_DAYS);
const milliseconds = Number(PROOF_MINUTES) * 60_000;
const part = Number(PROOF_PART);
const parts = Number(PROOF_PARTS);

/** So many failing days show what is wrong. */
const maxFailures = 5;
const oneDay = 24 * 3_600_000;

/** The days are numbered, so that they are the same however many workers play them: all kinds of a seed, then the next seed. */
function dayAt(number: number) {
  const played = kinds.filter((kind) => PROOF_KIND === undefined || PROOF_KIND === kind);
  const kind = played[number % played.length];
  if (kind === undefined) throw new Error(`There is no kind ${PROOF_KIND}. Choose ${kinds.join(", ")}.`);
  return { kind, seed: firstSeed + Math.floor(number / played.length) };
}

test(`days of new seeds violate nothing (worker ${part} of ${parts})`, { timeout: oneDay }, async () => {
  const until = Date.now() + milliseconds;
  const found: string[] = [];
  let count = 0;
  for (let number = part - 1; number < minDays || Date.now() < until; number += parts) {
    const { kind, seed } = dayAt(number);
    const violations = await playDay(kind, seed);
    count += 1;
    if (violations.length > 0) found.push(violations.join("\n"));
    if (found.length === maxFailures) break;
  }
  console.log(`${count} days from seed ${firstSeed} on: ${found.length} violate a promise.`);
  expect(found).toEqual([]);
});
