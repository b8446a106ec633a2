import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  courseHandicap,
  nineHoleCourseHandicaps,
  roundHalfUp,
} from "../../../../core/golf/rules/course-handicap.ts";
import {
  countedStrokes,
  netDoubleBogey,
  stablefordPoints,
  strokesReceived,
} from "../../../../core/golf/rules/holes.ts";
import { scoreDifferential } from "../../../../core/golf/rules/score-differential.ts";
import {
  accepted,
  clubId,
  type Json,
  minimalCard,
  register,
  tee,
  templateId,
  version,
  yellowId,
} from "../sample-cards.ts";

const file = new URL("../../../../../shared/vectors/whs.json", import.meta.url);
const vectors: Json[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).vectors : [];

/** The vectors write plain numbers. */
const wire = (value: number) => Math.round(value * 10_000);
const eighteen = Array.from({ length: 18 }, (_, place) => place + 1);

const figures = ({ hi, slope, cr, par }: Json) => ({ handicapIndex: wire(hi), slope, rating: wire(cr), par });

/** A card of a vector, submitted on a course of its own. */
function playedCard({ pars, strokeIndexes, slope, cr, strokes, hi }: Json, handicap: number): Json {
  const Holes = pars.map((Par: number, hole: number) => ({
    Number: hole + 1,
    Par,
    Index: strokeIndexes[hole],
    Length: 300,
  }));
  const played = tee({ CourseRating: wire(cr), SlopeRating: slope, IsNineHole: pars.length === 9, Holes });
  const sent = minimalCard({
    HCP: String(wire(hi)),
    CourseHandicap: handicap,
    Course: { CourseID: templateId, ClubID: clubId, TeeID: yellowId },
    Result: { Strokes: strokes, IsQualifying: true },
    Round: { HolesPlayed: pars.length, RoundType: 1, StartTime: "20250622T145700" },
  });
  return accepted(sent, { courses: register(version({ Tees: [played] })) });
}

function expectCard(input: Json, expected: Json): void {
  const { card, warnings } = playedCard(input, expected.courseHandicap);
  const { sph, points, netDoubleBogeyGross } = expected.derivedByUs ?? expected;
  expect(warnings.filter(({ code }: Json) => code === "course_handicap_differs")).toEqual([]);
  expect(card.Course.Holes.map(({ SPH }: Json) => SPH)).toEqual(sph);
  expect(card.Result.Points).toEqual(points);
  expect(card.Result.TotalPoints).toBe(expected.totalPoints);
  expect(card.Result.TotalStrokes).toBe(expected.totalStrokes);
  expect(card.Result.NetDoubleBogeyGross ?? null).toBe(netDoubleBogeyGross);
}

const checks: Record<string, (input: Json, expected: Json) => void> = {
  courseHandicap18: (input, expected) => expect(courseHandicap(figures(input))).toBe(expected),
  courseHandicap9: ({ hi, slope9, cr9, par9 }, expected) =>
    expect(nineHoleCourseHandicaps(figures({ hi, slope: slope9, cr: cr9, par: par9 }))[0]).toBe(expected),
  roundHalfUp: ({ value, decimals }, expected) => {
    const [whole, part = ""] = value.split(".");
    const rounded = roundHalfUp(Number(whole + part), 10 ** (part.length - decimals));
    expect(rounded / 10 ** decimals).toBe(expected);
  },
  scoreDifferential: ({ ags, cr, slope, pcc }, expected) => {
    expect(pcc).toBe(0);
    expect(scoreDifferential({ adjustedGross: ags, rating: wire(cr), slope })).toBe(wire(expected));
  },
  netDoubleBogeyLimit18: ({ courseHandicap: handicap, strokeIndex, par }, expected) =>
    expect(netDoubleBogey(par, strokesReceived(handicap, eighteen)[strokeIndex - 1])).toBe(expected),
  netDoubleBogeyLimitNoHandicap: ({ par }, expected) => expect(netDoubleBogey(par, undefined)).toBe(expected),
  adjustHole: ({ par, strokesReceived: received, strokes }, expected) =>
    expect(countedStrokes(par, received, strokes)).toBe(expected),
  strokesByIndex: ({ handicap, holes }, expected) => {
    const received = strokesReceived(handicap, eighteen.slice(0, holes));
    for (const [range, strokes] of Object.entries(expected)) {
      const [first = 1, last = first] = range.split("-").map(Number);
      expect(received.slice(first - 1, last)).toEqual(
        Array.from({ length: last - first + 1 }, () => strokes),
      );
    }
  },
  stablefordHole18: ({ playingHandicap: handicap, strokeIndex, par, strokes }, expected) => {
    const received = strokesReceived(handicap, eighteen)[strokeIndex - 1] ?? 0;
    expect(stablefordPoints(par, received, strokes)).toBe(expected);
  },
  fullCard: expectCard,
  constructedCard: expectCard,
};

describe.skipIf(vectors.length === 0)(
  "the worked examples in ../shared/vectors (skipped where that is not there)",
  () => {
    const ofCards = vectors.filter(({ kind }) => kind in checks);

    test.each(ofCards.map((vector) => [vector.id, vector.kind, vector]))(
      "%s, %s",
      (_id, kind, { input, expected }) => {
        checks[kind]?.(input, expected);
      },
    );

    test("every kind that a card is checked with occurs", () => {
      const kinds = new Set(vectors.map(({ kind }) => kind));
      for (const kind of Object.keys(checks)) expect(kinds).toContain(kind);
    });
  },
);
