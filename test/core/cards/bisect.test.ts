import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bisection, bisect, rangeKey } from "../../../core/cards/bisect.ts";
import type { DeliveryFailure } from "../../../core/cards/card.ts";
import type { ArrayResponse } from "../../../core/cards/classify-response.ts";
import { names } from "./delivery-world.ts";

const failed = (status: number): DeliveryFailure => ({ phase: "after", status, message: "" });
const refused: ArrayResponse = { kind: "refused", failure: failed(422) };
const serverError: ArrayResponse = { kind: "serverError", failure: failed(500) };
const outage: ArrayResponse = { kind: "outage", failure: failed(503) };
const echoed = (ids: readonly string[]): ArrayResponse => ({ kind: "echoed", ids: new Set(ids) });

/** Posts what is to be posted next, until nothing is. */
function postAll(ids: readonly string[], exchange: (ids: readonly string[]) => ArrayResponse) {
  const answers = new Map<string, ArrayResponse>();
  const posts: (readonly string[])[] = [];
  /** How far it had come after each answer. */
  const steps: Bisection[] = [];
  for (;;) {
    const progress = bisect(ids, answers);
    steps.push(progress);
    if (progress.next === undefined) {
      const kinds = Object.fromEntries(
        ids.map((id, index) => [id, progress.results.get(index)?.kind] as const),
      );
      return { ...progress, kinds, posts, steps };
    }
    const posted = ids.slice(...progress.next);
    posts.push(posted);
    answers.set(rangeKey(progress.next), exchange(posted));
  }
}

/** Refuses exactly the arrays with a bad card. */
const refusing =
  (bad: ReadonlySet<string>, refusal: ArrayResponse = refused) =>
  (ids: readonly string[]) =>
    ids.some((id) => bad.has(id)) ? refusal : echoed(ids);

const isBad = (kinds: Record<string, string | undefined>, kind: string) =>
  Object.keys(kinds).filter((id) => kinds[id] === kind);

test("an array is posted whole first", () => {
  expect(bisect(names(3), new Map())).toMatchObject({ results: new Map(), next: [0, 3] });
});

test("an empty array needs no post", () => {
  expect(postAll([], echoed).kinds).toEqual({});
});

test("cards that the exchange echoes are delivered by one post", () => {
  const { kinds, posts } = postAll(names(50), echoed);
  expect([posts.length, isBad(kinds, "delivered")]).toEqual([1, names(50)]);
});

test("a card that is missing from the echo is not delivered", () => {
  const { kinds } = postAll(names(3), (ids) => echoed(ids.filter((id) => id !== "card-1")));
  expect(kinds).toEqual({ "card-0": "delivered", "card-1": "notEchoed", "card-2": "delivered" });
});

describe.each([
  ["422", refused, "rejected"],
  ["500", serverError, "serverError"],
] as const)("one bad card among a hundred, answered with %s,", (_, refusal, kind) => {
  test.each([0, 1, 49, 50, 77, 99])(
    "is found at index %i by 15 posts at most, and the others are delivered",
    (place) => {
      const bad = `card-${place}`;
      const { kinds, posts } = postAll(names(100), refusing(new Set([bad]), refusal));
      expect(posts.length).toBeLessThanOrEqual(15);
      expect(isBad(kinds, kind)).toEqual([bad]);
      expect(isBad(kinds, "delivered")).toHaveLength(99);
    },
  );
});

test("both halves answered with 500 are an outage after three posts", () => {
  const { kinds, posts, outage: found } = postAll(names(100), () => serverError);
  expect(posts.map(({ length }) => length)).toEqual([100, 50, 50]);
  expect(found).toEqual({ failure: failed(500) });
  expect(isBad(kinds, "outage")).toHaveLength(100);
});

test("an outage in the middle keeps what is known, and leaves what was not posted without a result", () => {
  const answers = [refused, refused, echoed(names(2)), outage];
  const { kinds, results, outage: found } = postAll(names(8), () => answers.shift() ?? echoed([]));
  expect(found).toMatchObject({ failure: { status: 503 } });
  expect(kinds).toMatchObject({ "card-1": "delivered", "card-2": "outage", "card-3": "outage" });
  expect(results.has(4)).toBe(false);
});

test("an outage after a half that was refused ends all posting", () => {
  const answers = [serverError, refused, outage];
  const { posts, next, outage: found } = postAll(names(8), () => answers.shift() ?? echoed([]));
  expect([posts.length, next]).toEqual([3, undefined]);
  expect(found).toBeDefined();
});

test.each([
  ["an array with it was answered with 500", [serverError, refused, echoed(["card-1"])], true],
  ["every array with it was refused", [refused, refused, echoed(["card-1"])], false],
] as const)("a refused card may have been taken if %s: %s", (_, script, maybePosted) => {
  const answers = [...script];
  const { results } = postAll(names(2), () => answers.shift() ?? echoed([]));
  expect(results.get(0)).toEqual({ kind: "rejected", failure: failed(422), maybePosted });
});

const hundred = names(100);
const someCards = fc.uniqueArray(fc.constantFrom(...hundred), { maxLength: 100, size: "max" });

test("whichever cards are bad, the good ones are delivered and the bad ones refused, by at most 14 posts for each bad one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), someCards, (size, drawn) => {
      const ids = hundred.slice(0, size);
      const bad = new Set(drawn.filter((id) => ids.includes(id)));
      const { kinds, posts } = postAll(ids, refusing(bad));
      expect(isBad(kinds, "rejected").toSorted()).toEqual([...bad].toSorted());
      expect(isBad(kinds, "delivered")).toHaveLength(ids.length - bad.size);
      expect(posts.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(size)) * bad.size);
    }),
  );
});

test("whichever cards are answered with 500, no good one counts as bad, and without an outage all have a result", () => {
  fc.assert(
    fc.property(someCards, (drawn) => {
      const bad = new Set(drawn);
      const { kinds, outage: found } = postAll(hundred, refusing(bad, serverError));
      expect(isBad(kinds, "serverError").filter((id) => !bad.has(id))).toEqual([]);
      if (found === undefined) expect(Object.values(kinds).filter((kind) => kind === undefined)).toEqual([]);
    }),
  );
});

test("whatever the exchange answers, each result is known from its answer on, stays, and nothing is posted twice or after an outage", () => {
  const response = fc.oneof(
    fc.constant(refused),
    fc.constant(serverError),
    fc.constant("echo" as const),
    fc.constant(outage),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(response, { minLength: 1, maxLength: 16 }),
      (size, script) => {
        let turn = 0;
        const {
          steps,
          posts,
          outage: found,
        } = postAll(names(size), (ids) => {
          const answer = script[turn++ % script.length];
          return answer === undefined || answer === "echo" ? echoed(ids) : answer;
        });
        for (const [place, { results }] of steps.entries()) {
          for (const [index, result] of steps[place - 1]?.results ?? []) {
            expect(results.get(index)).toEqual(result);
          }
        }
        expect(steps.slice(0, -1).filter((step) => step.outage !== undefined)).toEqual([]);
        expect(new Set(posts.map((ids) => ids.join())).size).toBe(posts.length);
        if (found === undefined) expect(steps.at(-1)?.results.size).toBe(size);
      },
    ),
  );
});
