import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { assessSubmission } from "../../../core/golf/assess.ts";
import { proofSeed } from "../../proofs/proof-seed.ts";
import { courseHandicapOf } from "./independent-score.ts";
import { accepted, context, type Json, minimalCard, nineHoleCard } from "./sample-cards.ts";
import { pars } from "./sample-courses.ts";

const random = seededRandom(proofSeed ?? 1, "exceptional");

/** Strokes as a player of this handicap takes them: two or three more than it on most days. */
function strokesOf(random: SeededRandom, handicap: number): number[] {
  return pars.map((par) => Math.max(2, par + Math.round(random.around((handicap + 2.5) / 18, 0.75))));
}

/** The cards of a tournament, in the order of its start list. */
const field = Array.from({ length: 300 }, (_, row): Json => {
  const index = 1_000 * random.whole(20, 400);
  const CourseHandicap = courseHandicapOf({ index, slope: 119, rating: 718_000, par: 72, holes: 18 });
  return minimalCard({
    ExternalID: `card-${row}`,
    HCP: String(index),
    CourseHandicap,
    Result: { Strokes: strokesOf(random, CourseHandicap), IsQualifying: true },
    Player: { UnionID: `1016-${row + 1}` },
  });
});
/** The same with each card's strokes so many rows further down. */
const shifted = (rows: number) =>
  field.map((card, row) => ({ ...card, Result: field[(row + rows + field.length) % field.length]?.Result }));
const toldOf = (cards: readonly Json[]) =>
  assessSubmission(cards, context()).flatMap(({ warnings }) =>
    warnings.filter(({ code }) => code === "score_exceptional"),
  );

test("of a field of 300 at most 2 % of the scores are told to be exceptional", () => {
  expect(toldOf(field).length).toBeLessThanOrEqual(6);
});

test.each([
  [1, "the card 1 row further up"],
  [-1, "the card 1 row further down"],
  [2, "the card 2 rows further up"],
  [-3, "the card 3 rows further down"],
])("a field whose strokes are %i rows off is told by how many", (rows, words) => {
  const told = toldOf(shifted(rows));
  expect(told.length).toBeGreaterThan(20);
  for (const { detail } of told) expect(detail).toContain(words);
});

test("a field with the strokes of other players in no order is told that rows may be shifted, without a number", () => {
  const results = random.shuffled(field.map(({ Result }) => Result));
  const told = toldOf(field.map((card, row) => ({ ...card, Result: results[row] })));
  expect(told.length).toBeGreaterThan(20);
  for (const { detail } of told) expect(detail).toContain("may be shifted against each other");
});

test("a score that is ten strokes better than the Handicap Index is exceptional, on nine holes one that is five better", () => {
  const codes = (card: Json) => accepted(card).warnings.map(({ code }) => code);
  const Strokes = pars.with(0, 5).with(1, 5).with(3, 6);
  // 113 / 119 x (75 - 71.8) is 3.04.
  const eighteen = (HCP: number, CourseHandicap: number) =>
    minimalCard({ HCP, CourseHandicap, Result: { Strokes, IsQualifying: true } });
  expect(codes(eighteen(131_000, 14))).toEqual(["score_exceptional"]);
  expect(codes(eighteen(130_000, 13))).toEqual([]);
  // 113 / 121 x (38 - 35.6) is 2.24.
  const nine = (HCP: number, CourseHandicap: number) =>
    nineHoleCard({
      HCP,
      CourseHandicap,
      Result: { Strokes: pars.slice(0, 9).with(0, 5).with(1, 5), IsQualifying: true },
    });
  expect(codes(nine(145_000, 7))).toEqual(["score_exceptional"]);
  expect(codes(nine(144_000, 7))).toEqual([]);
});
