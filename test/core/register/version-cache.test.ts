import { expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { versionCache } from "../../../core/register/version-cache.ts";
import { club } from "./union-in-memory.ts";

/** Of all versions together; each club's takes a third of it. */
const bytes = 6000;
const courses = ["c".repeat(bytes / 8)];
const idOf = (number: number) => guidKey(club(number).ID);

/** Keeps what is read of clubs, of which the first takes its time. */
function keptOfClubs() {
  const slow = Promise.withResolvers<void>();
  const reads: string[] = [];
  const keeping = { bytes, milliseconds: 60_000 };
  const kept = versionCache(keeping, async (id) => {
    reads.push(id);
    if (id === idOf(1)) await slow.promise;
    return courses;
  });
  return { kept, reads, slow };
}

test("a slow read is not given up because faster ones have filled the memory meanwhile", async () => {
  const { kept, reads, slow } = keptOfClubs();
  const first = kept.get(idOf(1));
  for (const number of [2, 3, 4, 5, 6]) await kept.get(idOf(number));
  slow.resolve();
  expect(await first).toEqual(courses);
  expect(reads).toHaveLength(6);
});

test("no more is kept than there is room for, and what was used last is", async () => {
  const { kept, reads, slow } = keptOfClubs();
  slow.resolve();
  for (const number of [1, 2, 3, 4, 5]) await kept.get(idOf(number));
  reads.length = 0;
  for (const number of [5, 4, 1]) await kept.get(idOf(number));
  expect(reads).toEqual([idOf(1)]);
});
