import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assessSubmission } from "../../../core/golf/assess.ts";
import { withoutUnset } from "../../../core/golf/read-card.ts";
import { isScorecard, scorecardSchema } from "../../../core/golf/scorecard.ts";
import { courseReferences } from "../../../core/register/course-references.ts";
import { fieldOf } from "./change-card.ts";
import { assess, cardAbroad, context, fullCard, type Json, minimalCard } from "./sample-cards.ts";

/** The way to every field and entry of a card. */
function ways(value: Json, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [way];
  const below = Object.keys(value).flatMap((name) => ways(value[name], [...way, name]));
  return way.length === 0 ? below : [way, ...below];
}

const templates = [minimalCard, fullCard, cardAbroad];
const oddities = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(undefined, null, "", -1, 0, 1.5, 1e21, -1e21, "-0", "٣", [], {}, true, "\ud800"),
  fc.double(),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')),
);
const change = fc.record({ at: fc.nat(), value: oddities });

/** A card with a few of its fields set to anything, as JSON brings it. */
const spoiltCards = fc
  .tuple(fc.constantFrom(...templates), fc.array(change, { maxLength: 4 }))
  .map(([template, changes]) => {
    const card = structuredClone(template());
    for (const { at, value } of changes) {
      const all = ways(card);
      const [last = "", ...way] = (all[at % all.length] ?? []).toReversed();
      const part = way.reduceRight((place: Json, name) => place[name], card);
      const own = { value: structuredClone(value), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(part, last, own);
    }
    return JSON.parse(JSON.stringify(card));
  });

describe("any JSON", () => {
  const answered = (sent: unknown) => {
    const assessment = assess(sent);
    expect(assessment.good).toBe(!("faults" in assessment));
    if (!assessment.good) expect(assessment.faults.length).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(assessment))).toBeDefined();
    courseReferences([sent]);
    expect({}).not.toHaveProperty("polluted");
  };

  test("any JSON gets an assessment", () => {
    fc.assert(fc.property(fc.jsonValue(), answered));
  });

  test("a card with anything in its fields gets an assessment", () => {
    fc.assert(fc.property(spoiltCards, answered));
  });

  test("every card of a submission gets its own assessment, in order", () => {
    fc.assert(
      fc.property(fc.array(spoiltCards, { maxLength: 5 }), (cards) => {
        const assessments = assessSubmission(cards, context());
        expect(assessments.map(({ index }) => index)).toEqual([...cards.keys()]);
        for (const { index, warnings, ...rest } of assessments) {
          const findings = [...warnings, ...("faults" in rest ? rest.faults : [])];
          expect(findings.every((finding) => finding.index === index)).toBe(true);
        }
      }),
    );
  });

  test("the quick check accepts exactly what the schema accepts", () => {
    fc.assert(
      fc.property(spoiltCards.map(withoutUnset), (card) => {
        expect(isScorecard(card)).toBe(scorecardSchema.safeParse(card).success);
      }),
    );
  });

  test("every fault points to a field that was sent, or to a missing field of a part that was sent", () => {
    fc.assert(
      fc.property(spoiltCards, (card) => {
        const assessment = assess(card);
        if (assessment.good) return;
        for (const { pointer } of assessment.faults) {
          const parent = pointer.slice(0, pointer.lastIndexOf("/"));
          const there = [fieldOf(card, parent), fieldOf(card, parent.slice(0, parent.lastIndexOf("/")))];
          expect([pointer, there.some((part) => part !== undefined)]).toEqual([pointer, true]);
        }
      }),
    );
  });
});
