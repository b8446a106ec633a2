import { expect, test } from "vitest";
import { proofSeed, proofSize } from "../../../proofs/proof-seed.ts";
import { explore } from "./explore.ts";
import { type StoryName, stories } from "./stories.ts";

const names = Object.keys(stories) as StoryName[];
/** The moments of the second act, in milliseconds: the steps of a run, and those of a correction that waits. */
const moments = [0, 5, 15, 25, 45, 100, 200, 340, 365, 500, 20_500, 400_000];
/** Ten minutes for all stories at most: there are millions of ways. */
const milliseconds = (Math.min(10, proofSize) * 60_000) / names.length;

test.each(names)("whatever two faults hit, every promise holds when %s", async (name) => {
  const [first = 0] = stories[name].moments;
  const played = first > 1000 || names.indexOf(name) < 2 ? [first] : moments;
  const until = Date.now() + milliseconds;
  const { ways, isWhole, violations } = await explore(name, {
    maxFaults: 2,
    moments: played,
    until,
    seed: proofSeed ?? 1,
  });
  console.log(`${ways} ways${isWhole ? ", which are all" : ""}, in which ${name}.`);
  expect(violations).toEqual([]);
});
