import fc from "fast-check";
import { expect, test } from "vitest";
import { fullCard, type Json, minimalCard } from "../../core/golf/sample-cards.ts";
import { proofSize } from "../../proofs/proof-seed.ts";
import { takeSubmission } from "../take-submission.ts";

/** Texts of values that a careless or hostile client sends, among them what JSON cannot keep. */
const value = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    ...["1e999", "-1e308", "123456789012345678901234567890", '"20250230T250000"', '"\\ud800"', '"\\u0000"'],
    ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', "[".repeat(50)],
  ),
);

/** A good card of which some values are other ones, at any depth. */
const spoiltCard = fc
  .record({ full: fc.boolean(), changes: fc.array(fc.tuple(fc.nat(), value), { maxLength: 3 }) })
  .map(({ full, changes }) => {
    let text = JSON.stringify((full ? fullCard : minimalCard)() as Json);
    for (const [place, other] of changes) {
      const values = [...text.matchAll(/(?<=:)("[^"]*"|-?\d+|true|false|\[[^\]]*\])/g)];
      const found = values[place % Math.max(1, values.length)];
      if (found !== undefined)
        text = text.slice(0, found.index) + other + text.slice(found.index + found[0].length);
    }
    return text;
  });

const submission = fc.array(spoiltCard, { minLength: 1, maxLength: 3 }).map((cards) => `[${cards.join()}]`);
const body = fc.oneof(
  { weight: 3, arbitrary: submission },
  value,
  fc.tuple(submission, fc.nat(400)).map(([text, end]) => text.slice(0, end)),
  fc.nat(3_000).map((depth) => `[{"x":${"[".repeat(depth)}1`),
  fc.string({ maxLength: 200 }),
);

test("whatever is posted is judged, or refused as no list of cards, and changes no prototype", () => {
  const statuses = new Set<number>();
  fc.assert(
    fc.property(body, (text) => {
      const status = takeSubmission(text);
      statuses.add(status);
    }),
    { numRuns: 1_000 * proofSize },
  );
  expect([...statuses].sort()).toEqual([200, 400]);
  expect(["polluted" in {}, Object.keys(Object.prototype)]).toEqual([false, []]);
});
