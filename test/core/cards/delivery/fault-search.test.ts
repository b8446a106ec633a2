import fc from "fast-check";
import { expect, test } from "vitest";
import { partsOf, sampleOf, searchFault, type Tried } from "../../../../core/cards/delivery/fault-search.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  [0, []],
  [1, [0]],
  [2, [0, 1]],
  [3, [0, 1, 2]],
  [50, [0, 16, 33]],
])("of %i cards those that are posted alone are spread: %j", (count, sample) => {
  expect(sampleOf(numbers(count))).toEqual(sample);
});

test.each([
  ["halves, if failing took as long as going through", 7, 300, 300, ["0 1 2 3", "4 5 6"]],
  ["halves, if failing was quicker", 4, 20, 300, ["0 1", "2 3"]],
  ["thirds, if it took three times as long", 7, 900, 300, ["0 1 2", "3 4", "5 6"]],
  ["single cards, if the exchange hung", 3, 10_000, 300, ["0", "1", "2"]],
  ["halves, if the time was too short to be measured", 2, 0, 0, ["0", "1"]],
  ["one part, if only one card is left", 1, 300, 300, ["0"]],
  ["nothing, if no card is left", 0, 300, 300, []],
])("the parts of a failed array are %s", (_, count, failedIn, wentThroughIn, parts) => {
  const made = partsOf(numbers(count), failedIn, wentThroughIn);
  expect(made.map((part) => part.join(" "))).toEqual(parts);
});

test("the parts of a failed array have each card once, in its order, and none is empty or the whole", () => {
  const milliseconds = fc.nat(30_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 200 }),
      milliseconds,
      milliseconds,
      (count, failedIn, wentThroughIn) => {
        const parts = partsOf(numbers(count), failedIn, wentThroughIn);
        expect(parts.flat()).toEqual(numbers(count));
        expect(Math.min(...parts.map(({ length }) => length))).toBeGreaterThan(0);
        expect(parts.length).toBeGreaterThan(1);
      },
    ),
  );
});

const failure = { phase: "after", status: 500, message: "" } as const;
type Found = {
  readonly posts: number;
  readonly arrays: readonly (readonly number[])[];
  readonly suspects: readonly number[];
  readonly left: readonly number[] | undefined;
};

/** Plays a search after a failed array, with an exchange that fails for arrays with a bad card. */
async function play(
  array: readonly number[],
  isBad: (card: number) => boolean,
  spare: readonly number[] = [],
  maxPosts = Number.POSITIVE_INFINITY,
  millisecondsOf: (post: number) => number = () => 100,
): Promise<Found & { readonly through: readonly number[]; readonly isOutage: boolean }> {
  const suspects: number[] = [];
  const through: number[] = [];
  const arrays: (readonly number[])[] = [];
  const stop = await searchFault({ kind: "failed", left: array, failure, milliseconds: 100 }, spare, {
    async post(cards): Promise<Tried<number>> {
      if (arrays.length === maxPosts) return { kind: "stopped", left: cards };
      arrays.push(cards);
      const milliseconds = millisecondsOf(arrays.length);
      if (cards.some(isBad)) return { kind: "failed", left: cards, failure, milliseconds };
      through.push(...cards);
      return { kind: "done", milliseconds };
    },
    suspect: async ({ card }) => void suspects.push(card),
    resize: () => undefined,
  });
  const { left, outage } = stop ?? {};
  return { posts: arrays.length, arrays, suspects, through, left, isOutage: outage !== undefined };
}

test("whichever cards of an array are bad, the search suspects them, posts the others, and leaves none out", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 60 }),
      fc.array(fc.nat(59)),
      fc.integer({ min: 0, max: 80 }),
      async (size, bad, maxPosts) => {
        const array = numbers(size);
        const found = await play(array, (card) => bad.includes(card), [], maxPosts);
        const all = [...found.suspects, ...found.through, ...(found.left ?? [])];
        expect(all.toSorted((a, b) => a - b)).toEqual(array);
        expect(found.suspects.every((card) => bad.includes(card))).toBe(true);
        if (found.left === undefined) expect(found.through).not.toEqual([]);
      },
    ),
  );
});

test("one bad card of fifty is found in at most sixteen posts", async () => {
  for (const bad of numbers(50)) {
    const found = await play(numbers(50), (card) => card === bad);
    expect([found.suspects, found.isOutage]).toEqual([[bad], false]);
    expect(found.posts).toBeLessThanOrEqual(16);
  }
});

test.each([
  ["halves, if the first card goes through", 7, [[0], [1, 2, 3, 4], [5, 6, 7], [5, 6], [7]]],
  [
    "one array, if a bad card of the sample was found: it may be the only one",
    0,
    [[0], [2], [1, 3, 4, 5, 6, 7]],
  ],
] as const)("after the sample the rest is posted in %s", async (_, bad, arrays) => {
  expect((await play(numbers(8), (card) => card === bad)).arrays).toEqual(arrays);
});

test("parts are as many as the latest post that went through says, if the exchange becomes slower", async () => {
  const { arrays } = await play(
    numbers(8),
    (card) => card === 7,
    [],
    undefined,
    (post) => (post === 1 ? 100 : 400),
  );
  expect(arrays).toEqual([[0], [1, 2, 3, 4], [5, 6, 7], [5, 6], [7]]);
});

test("if nothing goes through it is an outage after three cards, and no card is left out", async () => {
  expect(await play(numbers(50), () => true)).toMatchObject({ posts: 3, isOutage: true, suspects: [] });
  expect(await play([0], () => true, [1, 2])).toMatchObject({ posts: 2, isOutage: true, left: [0, 1, 2] });
});

test("a card that was alone is suspected if another one goes through, and that one is posted once", async () => {
  expect(await play([0], (card) => card === 0, [1, 2])).toMatchObject({
    posts: 1,
    suspects: [0],
    through: [1],
  });
});

test("a search that has no time to post another card leaves that card, too", async () => {
  expect(await play([0], () => true, [1, 2], 0)).toMatchObject({ left: [1, 0], isOutage: true });
});

test.each([
  ["its sample", 1, [1, 2, 3, 4, 5, 6, 7, 0]],
  ["its parts", 3, [5, 6, 7]],
])(
  "an outage that begins in %s ends a search at once, with the cards that are left",
  async (_, from, cards) => {
    const outage = { phase: "before", message: "No connection." } as const;
    let posts = 0;
    const stop = await searchFault({ kind: "failed", left: numbers(8), failure, milliseconds: 100 }, [], {
      async post(left): Promise<Tried<number>> {
        posts += 1;
        if (posts < from) return { kind: "done", milliseconds: 100 };
        return { kind: "outage", left, failure: outage, milliseconds: 100 };
      },
      suspect: async () => undefined,
      resize: () => undefined,
    });
    expect([posts, stop?.outage?.failure, stop?.left]).toEqual([from, outage, cards]);
  },
);
