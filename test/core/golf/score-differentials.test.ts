import { inventUnion } from "@scorecard-pipeline/stand-in";
import { adjustedGrossScore, scoreDifferential } from "@scorecard-pipeline/stand-in/handicap";
import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { explainCard } from "../../../core/golf/explain.ts";
import type { Scorecard } from "../../../core/golf/scorecard.ts";
import { proofSeed, proofSize } from "../../proofs/proof-seed.ts";
import { realCoursesAreThere, realLayouts } from "./real-layouts.ts";

const rounds = 10_000 * proofSize;

interface Layout {
  readonly pars: readonly number[];
  readonly indexes: readonly number[];
}

/** Courses of 18 holes: real ones where they are there, else invented ones. */
function layouts(): Layout[] {
  if (realCoursesAreThere) return realLayouts().filter(({ pars }) => pars.length === 18);
  const { courses } = inventUnion({ seed: 1, clubs: 100, members: 1, now: new Date("2026-06-17T09:00:00Z") });
  return courses
    .flatMap(({ Tees }) => Tees)
    .map(({ Holes }) => ({
      pars: Holes.map(({ Par }) => Par),
      indexes: Holes.flatMap(({ Index }) => Index ?? []),
    }))
    .filter(({ pars, indexes }) => pars.length === 18 && indexes.length === 18);
}

/** A rated tee and a round on all its holes, from a plus player's to a beginner's, some holes picked up. */
function randomRound({ pars, indexes }: Layout, random: SeededRandom) {
  const over = random.whole(-2, 4);
  const strokes = pars.map((par) =>
    random.chance(0.03) ? 0 : Math.max(1, par + over + random.whole(-2, 3)),
  );
  const par = pars.reduce((sum, one) => sum + one, 0);
  return {
    pars,
    indexes,
    strokes,
    // Ratings are tenths, but some registers have hundredths.
    rating: par * 10_000 + random.whole(-120, 120) * 500,
    slope: random.whole(55, 155),
    courseHandicap: random.whole(-12, 60),
  };
}

function ourDifferential({
  pars,
  indexes,
  strokes,
  rating,
  slope,
  courseHandicap,
}: ReturnType<typeof randomRound>) {
  const card = {
    HCP: "100000",
    CourseHandicap: courseHandicap,
    Course: {
      TeeRating: String(rating),
      TeeSlope: slope,
      Holes: pars.map((Par, place) => ({ Number: place + 1, Par, Index: indexes[place] })),
    },
    Result: { Strokes: strokes, IsQualifying: true },
    Round: { HolesPlayed: 18 },
  };
  return explainCard(card as unknown as Scorecard)?.scoreDifferential;
}

/** The stand-in is written independently of the code that is tested. */
function unionsDifferential({
  pars,
  indexes,
  strokes,
  rating,
  slope,
  courseHandicap,
}: ReturnType<typeof randomRound>) {
  const holes = pars.map((par, place) => ({
    par,
    index: indexes[place] ?? 0,
    strokes: strokes[place] ?? -1,
  }));
  const adjustedGross = adjustedGrossScore(holes, courseHandicap);
  return scoreDifferential({ adjustedGross, courseRating: rating, slope, holesExpected: 0 }, 0) * 1000;
}

test("the Score Differential of a full round is the one that the union works out, on any course", () => {
  const courses = layouts();
  expect(courses.length).toBeGreaterThan(20);
  const random = seededRandom(proofSeed ?? 2026, "rounds");
  const differing: unknown[] = [];
  const signs = new Set<number>();
  for (let place = 0; place < rounds; place++) {
    const course = courses[random.whole(0, courses.length - 1)];
    if (course === undefined) throw new Error("no course");
    const round = randomRound(course, random);
    const [ours, unions] = [ourDifferential(round), unionsDifferential(round)];
    signs.add(Math.sign(unions));
    if (ours !== unions) differing.push({ ours, unions, round });
  }
  expect(differing).toEqual([]);
  expect(signs).toEqual(new Set([-1, 0, 1]));
});
