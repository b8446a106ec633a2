import { expect, test } from "vitest";
import { inBatches } from "../../../packages/card-files/card-batches.ts";
import type { FileCard } from "../../../packages/card-files/card-fault.ts";

async function* cardsOf(count: number, length: number): AsyncGenerator<FileCard> {
  for (let number = 1; number <= count; number++) yield { number, json: "x".repeat(length), value: {} };
}

/** How many cards each batch has. */
async function sizesOf(count: number, length: number): Promise<number[]> {
  const sizes: number[] = [];
  for await (const batch of inBatches(cardsOf(count, length))) sizes.push(batch.length);
  return sizes;
}

test("a batch has a thousand cards at most, and two million characters", async () => {
  expect(await sizesOf(2_500, 500)).toEqual([1_000, 1_000, 500]);
  expect(await sizesOf(5, 1_000_000)).toEqual([2, 2, 1]);
  expect(await sizesOf(2, 3_000_000)).toEqual([1, 1]);
  expect(await sizesOf(0, 1)).toEqual([]);
});
