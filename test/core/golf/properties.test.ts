import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assessSubmission } from "../../../core/golf/assess.ts";
import { explainCard } from "../../../core/golf/explain.ts";
import { withoutUnset } from "../../../core/golf/read-card.ts";
import { isScorecard, scorecardSchema } from "../../../core/golf/scorecard.ts";
import { courseReferences } from "../../../core/register/course-lookup.ts";
import { smallCards, wholeCards } from "./arbitrary-cards.ts";
import { fieldOf, withField } from "./change-card.ts";
import { accepted, assess, cardAbroad, context, fullCard, type Json, minimalCard } from "./sample-cards.ts";

const sum = (list: readonly number[] = []) => list.reduce((total, entry) => total + entry, 0);

describe("any valid card", () => {
  test("a valid card is accepted and comes back with all fields that were sent", () => {
    fc.assert(
      fc.property(smallCards, (sent) => {
        expect(accepted(sent).card).toMatchObject(sent);
      }),
    );
  });

  test("a filled-in card is accepted again, unchanged", () => {
    fc.assert(
      fc.property(wholeCards, (whole) => {
        expect(accepted(whole).card).toEqual(whole);
      }),
    );
  });

  test("the strokes received add up to the Playing Handicap", () => {
    fc.assert(
      fc.property(wholeCards, (whole) => {
        expect(sum(whole.Course.Holes.map(({ SPH }: Json) => SPH))).toBe(whole.PHCP);
      }),
    );
  });

  test("the totals of a card are those of its holes", () => {
    fc.assert(
      fc.property(wholeCards, ({ Course, Result }) => {
        expect(Result.TotalPoints).toBe(sum(Result.Points));
        expect(Course.TeePar).toBe(sum(Course.Holes.map(({ Par }: Json) => Par)));
        const counted = Result.Strokes.filter((strokes: number) => strokes !== -1);
        expect(Result.TotalStrokes).toBe(counted.includes(0) ? 0 : sum(counted));
      }),
    );
  });

  test("a card never counts more for handicapping than its strokes and the maximum of its pick-ups", () => {
    fc.assert(
      fc.property(wholeCards, (whole) => {
        const { holes = [], netDoubleBogeyGross } = explainCard(whole) ?? {};
        const most = sum(
          holes.map(({ strokes, maximum }) => (strokes === 0 ? maximum : Math.max(strokes, 0))),
        );
        const played = holes.filter(({ strokes }) => strokes !== -1).length;
        const playedOut = whole.Round.HolesPlayed === played && [9, 18].includes(played);
        expect(whole.Result.NetDoubleBogeyGross ?? null).toBe(netDoubleBogeyGross);
        expect(netDoubleBogeyGross !== null).toBe(playedOut);
        if (playedOut) expect(netDoubleBogeyGross).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("a card is explained with the figures that it came back with", () => {
    fc.assert(
      fc.property(wholeCards, (whole) => {
        const derivation = explainCard(whole);
        expect(derivation?.holes.map(({ points }) => points)).toEqual(whole.Result.Points);
        expect(derivation?.holes.map(({ receivedOffPlayingHandicap }) => receivedOffPlayingHandicap)).toEqual(
          whole.Course.Holes.map(({ SPH }: Json) => SPH),
        );
        expect(derivation).toMatchObject({
          totalPoints: whole.Result.TotalPoints,
          totalStrokes: whole.Result.TotalStrokes,
          playingHandicap: whole.PHCP,
        });
        const received = sum(
          derivation?.holes.map(({ receivedOffCourseHandicap }) => receivedOffCourseHandicap),
        );
        expect(received).toBe(whole.CourseHandicap);
      }),
    );
  });

  test("one more stroke never gives more points", () => {
    fc.assert(
      fc.property(smallCards, fc.nat(17), (sent, place) => {
        const hole = place % sent.Result.Strokes.length;
        if (sent.Result.Strokes[hole] <= 0) return;
        const worse = withField(sent, `/Result/Strokes/${hole}`, sent.Result.Strokes[hole] + 1);
        const points = accepted(sent).card.Result.TotalPoints ?? 0;
        expect(accepted(worse).card.Result.TotalPoints).toBeLessThanOrEqual(points);
      }),
    );
  });

  test("the content hash depends on the content, not on the order of fields", () => {
    const turned = (value: Json): Json =>
      typeof value !== "object" || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, entry]) => [name, turned(entry)]),
          );
    fc.assert(
      fc.property(wholeCards, fc.string(), (whole, comment) => {
        const { contentHash } = accepted(whole);
        expect(accepted(turned(whole)).contentHash).toBe(contentHash);
        expect(accepted({ ...whole, Comment: comment }).contentHash).not.toBe(contentHash);
        expect(accepted({ ...whole, comment }).contentHash).not.toBe(contentHash);
      }),
    );
  });
});

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
