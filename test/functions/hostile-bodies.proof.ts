import { describe, expect, test } from "vitest";
import { submissionLimits } from "../../core/cards/read-submission.ts";
import { proofSeed, proofSize } from "../proofs/proof-seed.ts";
import { bodyOf, searchForSlow } from "./hostile-bodies.ts";
import { takeSubmission } from "./take-submission.ts";

/** Milliseconds of a processor, for any body within the limits of a submission. */
const maxForAnyBody = 2_000;
/** For the body that once took eleven seconds, and takes half of one on a quiet machine. */
const maxForUnknownKeys = 1_000;

/** Seeds of searches that found the slowest answers. */
const seeds = [4, 17];

/** Milliseconds of this thread on a processor: the least of some attempts, since a busy machine adds to each. */
function millisecondsFor(body: string, enough: number): number {
  const attempts = [];
  while (attempts.length < 10 && Math.min(...attempts) > enough) {
    const begun = process.threadCpuUsage();
    takeSubmission(body);
    const { user, system } = process.threadCpuUsage(begun);
    attempts.push((user + system) / 1_000);
  }
  return Math.min(...attempts);
}

test("a hundred cards with 5,240 unknown keys each are refused within a second of a processor", () => {
  const keys = Array.from({ length: 5_240 }, (_, place) => `"R${String(place).padStart(4, "0")}":0`);
  const body = `[${Array(100).fill(`{${keys}}`).join()}]`;
  expect(body.length).toBeGreaterThan(0.99 * submissionLimits.bytes);
  expect(millisecondsFor(body, maxForUnknownKeys)).toBeLessThanOrEqual(maxForUnknownKeys);
});

/** A body is tried up to four times, and takes long to make. */
const millisecondsOfBody = 30_000;
const bodies = 6 * proofSize;

describe.each(proofSeed === undefined ? seeds : [proofSeed])("bodies of seed %i", (seed) => {
  test("no body that a search for slow answers finds takes two seconds of a processor", {
    timeout: bodies * millisecondsOfBody,
  }, () => {
    const attempts = [...searchForSlow(seed, bodies, maxForAnyBody)];
    const slowest = attempts.toSorted((one, other) => other.milliseconds - one.milliseconds)[0];
    expect(attempts).toHaveLength(bodies);
    expect(slowest?.milliseconds, JSON.stringify(slowest?.recipe)).toBeLessThanOrEqual(maxForAnyBody);
  });
});

test("hostile bodies are at the limit of size, and read as submissions", () => {
  // The answer repeats accepted cards with their warnings, and would be too large.
  for (const [fault, status] of [
    ["none", 413],
    ["every hole", 200],
  ] as const) {
    const recipe = {
      cards: 27,
      card: "abroad",
      fault,
      part: "Holes",
      names: "near misses",
      values: "0",
      share: 1,
    } as const;
    const body = bodyOf(recipe);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(submissionLimits.bytes);
    expect(Buffer.byteLength(body)).toBeGreaterThan(0.95 * submissionLimits.bytes);
    expect(takeSubmission(body)).toBe(status);
  }
});
