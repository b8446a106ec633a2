import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { describe, expect, test } from "vitest";
import { assessSubmission } from "../../../core/golf/assess.ts";
import { proofSeed, proofSize } from "../../proofs/proof-seed.ts";
import { courseHandicapOf, scoreOf } from "./independent-score.ts";
import { realCoursesAreThere, realLayouts } from "./real-layouts.ts";
import { cardAbroad, context, type Json } from "./sample-cards.ts";

const cards = 2000 * proofSize;

/** A round that nobody played: its card, and what the card must be filled in with. */
function randomRound(
  { pars, indexes }: ReturnType<typeof realLayouts>[number],
  random: ReturnType<typeof seededRandom>,
) {
  const holes = pars.length;
  const par = pars.reduce((sum, entry) => sum + entry, 0);
  const rating = par * 10_000 + random.whole(-60, 60) * 500 * (holes / 9);
  const slope = random.whole(55, 155);
  const index = random.whole(-90, 600) * 1_000;
  const isNine = holes === 18 && random.chance(0.2);
  const first = isNine && random.chance(0.5) ? 9 : 0;
  const dealtTo = Array.from({ length: isNine ? 9 : holes }, (_, place) => first + place);
  const ruled = courseHandicapOf({ index, slope, rating, par, holes });
  const course = isNine ? Math.round(ruled / 2) : ruled;
  const playing = random.chance(0.5) ? course : course + random.whole(-6, 3);
  const strokes = pars.map((one, place) => {
    if (!dealtTo.includes(place)) return -1;
    return random.chance(0.04) ? 0 : Math.max(1, one + random.whole(-2, 7));
  });
  const leavesOut = !isNine && random.chance(0.1);
  if (leavesOut) strokes[random.whole(0, holes - 1)] = -1;
  const abroad = cardAbroad();
  const card = {
    ...abroad,
    HCP: random.chance(0.5) ? index : String(index),
    CourseHandicap: course,
    PHCP: playing === course ? undefined : playing,
    Course: {
      ...{ Name: "Links", Country: "US", TeeName: "57", TeeRating: String(rating), TeeSlope: slope },
      Holes: pars.map((Par, place) => ({ Number: place + 1, Par, Index: indexes[place] })),
    },
    Result: { Strokes: strokes, IsQualifying: false },
    Round: { ...abroad.Round, HolesPlayed: dealtTo.length },
  };
  const { adjustedGross, ...expected } = scoreOf(pars, indexes, strokes, dealtTo, { course, playing });
  const NetDoubleBogeyGross = leavesOut ? undefined : adjustedGross;
  return { card, isNine, expected: { ...expected, NetDoubleBogeyGross, TeePar: par, PHCP: playing } };
}

describe.skipIf(!realCoursesAreThere)(
  "real courses, in ../shared/data (skipped where that is not there)",
  () => {
    test("random cards are filled in as exact arithmetic of another kind has it", () => {
      const layouts = realLayouts();
      const random = seededRandom(proofSeed ?? 20_000, "cards");
      const differences: Json[] = [];
      for (let count = 0; count < cards; count++) {
        const { card, isNine, expected } = randomRound(random.oneOf(layouts), random);
        const [assessment] = assessSubmission([card], context());
        const filled = assessment?.good ? assessment.card : undefined;
        const { Points, TotalPoints, TotalStrokes, NetDoubleBogeyGross } = filled?.Result ?? {};
        const SPH = filled?.Course.Holes?.map((hole) => hole.SPH);
        const ours = { SPH, Points, TotalPoints, TotalStrokes, NetDoubleBogeyGross };
        const found = { ...ours, TeePar: filled?.Course.TeePar, PHCP: filled?.PHCP };
        const codes = assessment?.warnings.map(({ code }) => code) ?? [];
        const isWarned = !isNine && codes.includes("course_handicap_differs");
        if (JSON.stringify(found) !== JSON.stringify(expected) || isWarned)
          differences.push({ card, found, expected, assessment });
      }
      expect(layouts.length).toBeGreaterThan(400);
      expect(differences.slice(0, 2)).toEqual([]);
    });
  },
);
