import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { explainCard } from "../../../core/golf/explain.ts";
import { proofSeed, proofSize } from "../../proofs/proof-seed.ts";
import { type DrawnCard, drawCard, drawnRegister } from "./drawn-cards.ts";
import { plantedFaults } from "./planted-faults.ts";
import { assess, type Json } from "./sample-cards.ts";

const seed = proofSeed ?? 1;
/** `npm run proofs` draws 20,000 cards of a new seed. */
const cards = proofSeed === undefined ? 1_000 : 20_000 * proofSize;
/** So many cards show what is wrong. */
const maxShown = 3;

/** Draws cards one by one. @returns what was wrong with some of them */
function wrongOf<T>(
  purpose: string,
  judge: (drawn: DrawnCard, random: SeededRandom, context: Json) => T | undefined,
): T[] {
  const random = seededRandom(seed, purpose);
  const { courses, find } = drawnRegister(random);
  const wrong: T[] = [];
  for (let number = 0; number < cards && wrong.length < maxShown; number++) {
    const found = judge(drawCard(random, courses, number), random, { courses: find });
    if (found !== undefined) wrong.push(found);
  }
  return wrong;
}

const json = (card: Json): Json => JSON.parse(JSON.stringify(card));
const codesOf = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
  warnings.map(({ code }) => code);

test(`${cards} good cards of all formats, holes and genders are taken without a word, and every figure is right`, () => {
  const wrong = wrongOf("good", ({ card, expected, tee }, _, context) => {
    const assessed = assess(card, context);
    if (!assessed.good || assessed.warnings.length > 0) return { card, assessed };
    const { Course, Result } = assessed.card;
    const { SPH, Points, TotalPoints, TotalStrokes, adjustedGross } = expected;
    const isWhole = Result.Strokes.filter((taken) => taken !== -1).length === tee.places.length;
    const figures = [
      Course.Holes?.map((hole) => hole.SPH),
      Result.Points,
      Result.TotalPoints,
      Result.TotalStrokes,
    ];
    const right = [SPH, Points, TotalPoints, TotalStrokes];
    const gross = isWhole ? adjustedGross : undefined;
    const isRight = JSON.stringify(figures) === JSON.stringify(right) && Result.NetDoubleBogeyGross === gross;
    return isRight ? undefined : { card, figures, right, gross, of: Result.NetDoubleBogeyGross };
  });
  expect(wrong).toEqual([]);
});

test(`${cards} cards with one mistake each are told of it`, () => {
  const names = Object.keys(plantedFaults);
  const counts = new Map<string, number>();
  const wrong = wrongOf("planted", (drawn, random, context) => {
    const planted = random
      .shuffled(Object.entries(plantedFaults))
      .sort(([one], [other]) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))
      .values()
      .map(([name, { codes, plant }]) => ({ name, codes, card: plant(drawn, random) }))
      .find(({ card }) => card !== undefined);
    if (planted === undefined) return { number: drawn.card.ExternalID, found: "no fault to plant" };
    const { name, codes, card } = planted;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const assessed = assess(card, context);
    const found = [...assessed.warnings, ...(assessed.good ? [] : assessed.faults)].map(({ code }) => code);
    return found.some((code) => codes.includes(code)) ? undefined : { name, found, card };
  });
  expect(wrong).toEqual([]);
  expect(names.filter((name) => !counts.has(name))).toEqual([]);
});

test(`${cards} cards are explained with the figures that they come back with`, () => {
  const wrong = wrongOf("explained", ({ card }, _, context) => {
    const assessed = assess(card, context);
    if (!assessed.good) return { card, faults: assessed.faults };
    const whole = json(assessed.card);
    const explained = explainCard(whole);
    const holes = explained?.holes ?? [];
    const received = holes.reduce((sum, hole) => sum + hole.receivedOffCourseHandicap, 0);
    const figures = [
      holes.map(({ points }) => points),
      holes.map(({ receivedOffPlayingHandicap }) => receivedOffPlayingHandicap),
      [explained?.totalPoints, explained?.totalStrokes, explained?.playingHandicap, received],
    ];
    const { Course, Result, PHCP, CourseHandicap } = whole;
    const right = [
      Result.Points,
      Course.Holes.map(({ SPH }: Json) => SPH),
      [Result.TotalPoints, Result.TotalStrokes, PHCP, CourseHandicap],
    ];
    return JSON.stringify(figures) === JSON.stringify(right) ? undefined : { card, figures, right };
  });
  expect(wrong).toEqual([]);
});

/** Totals, points and strokes received as vendors fill them by another format than the card says. */
function oddlyFilled({ card, expected, courseHandicap }: DrawnCard, random: SeededRandom): Json {
  const { PHCP, ...rest } = card;
  const { Holes, ...Course } = rest.Course;
  const own = Holes && { Holes: Holes.map(({ SPH, ...hole }: Json) => hole) };
  const { Points, TotalPoints, NetDoubleBogeyGross, ...Result } = rest.Result;
  const most = 2 * expected.Points.length + expected.TotalPoints;
  const total = random.oneOf([0, random.whole(0, most), expected.TotalPoints + random.whole(-6, 12)]);
  return {
    ...rest,
    ...(random.chance(0.5) && {
      PHCP: random.oneOf([0, courseHandicap, courseHandicap + random.whole(-9, 9)]),
    }),
    Course: random.chance(0.3) ? rest.Course : { ...Course, ...own },
    Result: {
      ...Result,
      ...(random.chance(0.2) && { Points: expected.Points }),
      ...(random.chance(0.8) && { TotalPoints: Math.max(0, total) }),
    },
  };
}

test(`of ${cards} cards each that is taken is taken again as it was filled in, with the same figures and no new warning`, () => {
  let taken = 0;
  const wrong = wrongOf("filled", (drawn, random, context) => {
    const sent = random.chance(0.3) ? drawn.card : oddlyFilled(drawn, random);
    const once = assess(sent, context);
    if (!once.good) return undefined;
    taken++;
    const again = assess(json(once.card), context);
    const told = new Set(codesOf(once));
    if (!again.good) return { sent, faults: again.faults };
    const isSame = JSON.stringify(again.card) === JSON.stringify(once.card);
    const isNew = codesOf(again).some((code) => !told.has(code));
    return isSame && !isNew ? undefined : { sent, once, again };
  });
  expect(wrong).toEqual([]);
  expect(taken).toBeGreaterThan(cards / 2);
});
