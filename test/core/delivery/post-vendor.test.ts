import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arraySize } from "../../../core/delivery/array-size.ts";
import { postVendor, type Settled, type VendorPosting } from "../../../core/delivery/post-vendor.ts";
import type { PostResult } from "../../../core/union/exchange.ts";

const answer = (status: number, words = "", echoed: readonly string[] = []): PostResult => ({
  stage: "after",
  status,
  words,
  echoed: new Set(echoed),
});

/** An exchange that answers each array by a rule, and a record of what it was posted. */
function posting(rule: (cards: readonly string[]) => PostResult, given: Partial<VendorPosting<string>> = {}) {
  const posts: (readonly string[])[] = [];
  const settled: Settled<string>[] = [];
  const all: VendorPosting<string> = {
    externalId: (card) => card,
    size: arraySize(50),
    characters: () => 2_000,
    suspected: () => false,
    attempts: () => 0,
    post: async (cards) => {
      posts.push(cards);
      return rule(cards);
    },
    due: async (cards) => cards,
    mayPost: () => true,
    settled: async (cards) => {
      settled.push(...cards);
    },
    ...given,
  };
  const outcomes = () => Object.fromEntries(settled.map(({ card, outcome }) => [card, outcome.kind]));
  return { all, posts, settled, outcomes };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `card-${n}`);
const echo = (cards: readonly string[]) => answer(200, "", cards);
const count = (outcomes: Record<string, string>, kind: string) =>
  Object.values(outcomes).filter((one) => one === kind).length;

test("cards that the exchange echoes are delivered, in one post an array", async () => {
  const exchange = posting(echo);
  await postVendor([...names(50), "last"], exchange.all);
  expect(exchange.posts).toHaveLength(2);
  expect(count(exchange.outcomes(), "delivered")).toBe(51);
});

test("cards of 200 KB go two to a post, and one larger than a post may be by itself", async () => {
  const large = names(5);
  const exchange = posting(echo, {
    characters: (card) => (card === "huge" ? 2_000_000 : card === "small" ? 2_000 : 200_000),
  });
  await postVendor([...large, "huge", "small"], exchange.all);
  expect(exchange.posts).toEqual([large.slice(0, 2), large.slice(2, 4), large.slice(4), ["huge"], ["small"]]);
  expect(count(exchange.outcomes(), "delivered")).toBe(7);
});

test("a card missing from the echo is not delivered", async () => {
  const exchange = posting((cards) => echo(cards.filter((card) => card !== "card-3")));
  await postVendor(names(5), exchange.all);
  expect(exchange.outcomes()["card-3"]).toBe("retry");
  expect(count(exchange.outcomes(), "delivered")).toBe(4);
});

describe.each([
  ["refused with 422", 422, "rejected"],
  ["answered with 500", 500, "retry"],
] as const)("one poison card among 100, %s,", (_, status, kind) => {
  test.each([0, 1, 49, 50, 77, 99])(
    "at place %i is found in at most 2 log2(100) + 2 posts, the others delivered",
    async (n) => {
      const poison = `card-${n}`;
      const exchange = posting((cards) => (cards.includes(poison) ? answer(status, "no") : echo(cards)));
      await postVendor(names(100), exchange.all);
      expect(exchange.posts.length).toBeLessThanOrEqual(2 * Math.log2(100) + 2);
      expect(exchange.outcomes()[poison]).toBe(kind);
      expect(count(exchange.outcomes(), "delivered")).toBe(99);
    },
  );
});

test("the exchange's words reach the card that it refused", async () => {
  const exchange = posting((cards) => (cards.length === 1 ? answer(400, "no such player") : echo(cards)));
  await postVendor(["one"], exchange.all);
  expect(exchange.settled[0]?.outcome).toMatchObject({
    kind: "rejected",
    failure: { message: "no such player" },
  });
});

test("both halves broken is an outage: three posts, and nothing more for the vendor", async () => {
  const exchange = posting(() => answer(500));
  const stop = await postVendor(names(100), exchange.all);
  expect(exchange.posts).toHaveLength(3);
  expect(stop).toBeDefined();
  expect(count(exchange.outcomes(), "retry")).toBe(100);
});

test("single cards broken three in a row are an outage too", async () => {
  const exchange = posting(() => answer(500), { size: arraySize(1) });
  expect(await postVendor(names(100), exchange.all)).toBeDefined();
  expect(exchange.posts).toHaveLength(3);
  expect(count(exchange.outcomes(), "retry")).toBe(100);
});

test("an exchange that is too slow for large arrays gets smaller ones, and large ones again when it is well", async () => {
  let most = 20;
  const exchange = posting((cards) =>
    cards.length <= most ? echo(cards) : { stage: "during", message: "late" },
  );
  for (let run = 0; run < 3; run++) await postVendor(names(50), exchange.all);
  expect(exchange.posts.map(({ length }) => length)).toEqual([50, 25, 12, 24]);
  most = 50;
  exchange.posts.length = 0;
  await postVendor(names(100), exchange.all);
  expect(exchange.posts.map(({ length }) => length)).toEqual([12, 24, 48, 16]);
});

test("with many poison cards among the good ones, the good ones go through in the end", async () => {
  let left = names(100);
  const poison = new Set(left.filter((_, n) => n % 3 === 0));
  const exchange = posting((cards) => (cards.some((card) => poison.has(card)) ? answer(500) : echo(cards)));
  for (let run = 0; run < 12; run++) {
    await postVendor(left, exchange.all);
    const outcomes = exchange.outcomes();
    left = left.filter((card) => outcomes[card] !== "delivered");
  }
  expect(left.filter((card) => !poison.has(card))).toEqual([]);
});

/** What is left of some cards after so many runs, or once all good ones are through; each finds them in the same order. */
async function leftAfter(
  mostRuns: number,
  cards: readonly string[],
  bad: ReadonlySet<string>,
  given: Partial<VendorPosting<string>>,
): Promise<readonly string[]> {
  let left = cards;
  const attempts = new Map<string, number>();
  const exchange = posting((array) => (array.some((card) => bad.has(card)) ? answer(500) : echo(array)), {
    attempts: (card) => attempts.get(card) ?? 0,
    ...given,
  });
  for (let run = 0; run < mostRuns && left.length > bad.size; run++) {
    await postVendor(left, exchange.all);
    for (const { card, outcome } of exchange.settled.splice(0)) {
      if (outcome.kind === "delivered") left = left.filter((one) => one !== card);
      if (outcome.kind === "retry" && outcome.posted) attempts.set(card, (attempts.get(card) ?? 0) + 1);
    }
  }
  return left;
}

test.each([
  ["", false],
  [", all of them suspected,", true],
])(
  "cards that break the exchange%s do not keep those behind them from ever being posted",
  async (_, suspected) => {
    const bad = names(12).slice(0, 9);
    const given = { size: arraySize(1), suspected: () => suspected };
    expect(await leftAfter(4, names(12), new Set(bad), given)).toEqual(bad);
  },
);

test("wherever bad cards stand among a hundred, and whichever are suspected, the good ones go through in the end", async () => {
  const some = fc.uniqueArray(fc.constantFrom(...names(100)), { maxLength: 100, size: "max" });
  await fc.assert(
    fc.asyncProperty(some, some, fc.integer({ min: 1, max: 50 }), async (bad, suspects, size) => {
      const suspected = new Set(suspects);
      const given = { size: arraySize(size), suspected: (card: string) => suspected.has(card) };
      const left = await leftAfter(400, names(100), new Set(bad), given);
      expect(left.toSorted()).toEqual(bad.toSorted());
    }),
    { numRuns: 50 },
  );
});

test.each([
  ["429", answer(429)],
  ["503", answer(503)],
  ["a redirect", answer(302)],
  ["401", answer(401)],
  ["no connection", { stage: "before", message: "refused" } as PostResult],
  ["a timeout", { stage: "during", message: "late" } as PostResult],
])("%s stops posting for the vendor at once, and every card is tried again", async (_, result) => {
  const exchange = posting(() => result);
  const stop = await postVendor(names(100), exchange.all);
  expect(exchange.posts).toHaveLength(1);
  expect(stop?.credentialsRefused).toBe(result.stage === "after" && result.status === 401);
  expect(count(exchange.outcomes(), "retry")).toBe(100);
});

test.each([
  [
    "a status",
    answer(503, "Karen's card is wrong"),
    "answered another post of this vendor's cards with status 503",
  ],
  [
    "a timeout",
    { stage: "during", message: "late" } as PostResult,
    "did not answer another post of this vendor's cards",
  ],
])(
  "after %s, cards that were not posted are told so, and not the story of those that were",
  async (_, result, words) => {
    const exchange = posting(() => result);
    await postVendor(names(51), exchange.all);
    const [first] = exchange.settled;
    expect(first?.outcome).toMatchObject({ posted: true, failure: { stage: result.stage } });
    expect(exchange.settled.at(-1)).toEqual({
      card: "card-50",
      outcome: {
        kind: "retry",
        posted: false,
        alone: false,
        failure: { stage: "before", message: `Not posted: the exchange ${words}.` },
      },
    });
  },
);

test("without a connection, the exchange has seen no card, and all are told the same", async () => {
  const exchange = posting(() => ({ stage: "before", message: "refused" }));
  await postVendor(names(51), exchange.all);
  for (const { outcome } of exchange.settled)
    expect(outcome).toMatchObject({ failure: { stage: "before", message: "refused" } });
});

test.each([500, 422])(
  "cards that were posted with others only, and answered with %i, are not told that the exchange has not seen them",
  async (status) => {
    const answers = [answer(status, "Karen's card is wrong"), answer(503)];
    const exchange = posting(() => answers.shift() ?? answer(200));
    await postVendor(names(4), exchange.all);
    expect(exchange.posts.map(({ length }) => length)).toEqual([4, 2]);
    expect(exchange.settled.at(-1)?.outcome).toMatchObject({
      failure: {
        stage: "after",
        status,
        message: `Posted only together with other cards, which the exchange answered with status ${status}.`,
      },
    });
  },
);

test("a card that was corrected in between is not posted", async () => {
  const exchange = posting(echo, { due: async (cards) => cards.filter((card) => card !== "card-1") });
  await postVendor(names(3), exchange.all);
  expect(exchange.posts).toEqual([["card-0", "card-2"]]);
  expect(exchange.outcomes()).toEqual({ "card-0": "delivered", "card-2": "delivered" });
});

test("when the time is up what was not posted stays untouched", async () => {
  let left = 1;
  const exchange = posting(echo, { mayPost: () => left-- > 0, size: arraySize(1) });
  await postVendor(["one", "two"], exchange.all);
  expect(exchange.outcomes()).toEqual({ one: "delivered", two: "untouched" });
});

test("whatever the exchange answers, every card gets exactly one outcome", async () => {
  const results = fc.constantFrom(200, 207, 302, 400, 401, 404, 422, 429, 500, 500, 500, 503);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(results, { minLength: 1 }),
      async (size, script) => {
        let turn = 0;
        const exchange = posting(
          (cards) => {
            const status = script[turn++ % script.length] ?? 200;
            return status < 300 ? echo(cards.filter((_, n) => n % 7 !== 6)) : answer(status);
          },
          { size: arraySize(13) },
        );
        const cards = names(size);
        await postVendor(cards, exchange.all);
        expect(exchange.settled.map(({ card }) => card).sort()).toEqual([...cards].sort());
      },
    ),
  );
});
