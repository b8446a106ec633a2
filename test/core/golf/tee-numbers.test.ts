import { describe, expect, test } from "vitest";
import type { Hole, Tee } from "../../../core/golf/course.ts";
import { isOfEighteen } from "../../../core/golf/handicaps.ts";
import {
  courseHandicapsByRule,
  isPlausibleRating,
  isPlausibleSlope,
  teeNumbers,
} from "../../../core/golf/tee-numbers.ts";
import type { Json } from "./sample-cards.ts";
import { tee } from "./sample-courses.ts";

/** A tee of the register as it may really be: any field can be missing or be anything. */
const dirty = (changes: Json): Tee => ({ ...tee(), ...changes });
const holes = (change: (hole: Hole, place: number) => Json): Json => tee().Holes.map(change);
const at = (spoilt: number, change: Json) => (hole: Hole, place: number) =>
  place === spoilt ? { ...hole, ...change } : hole;

describe("a tee of the register", () => {
  test("has its figures, and what a score is worked out with", () => {
    const numbers = teeNumbers(tee());
    expect(numbers).toMatchObject({ par: 72, rating: 718000, slope: 119, fault: undefined });
    expect(numbers.complete).toEqual({
      pars: numbers.pars,
      indexes: numbers.indexes,
      ranks: numbers.indexes.map((index) => Number(index) - 1),
    });
    expect(numbers.numbers).toEqual(tee().Holes.map((_, place) => place + 1));
  });

  test("is read once", () => {
    const one = tee();
    expect(teeNumbers(one)).toBe(teeNumbers(one));
    expect(teeNumbers(tee())).not.toBe(teeNumbers(one));
  });

  test("may list its holes in any order", () => {
    const turned = teeNumbers(dirty({ Holes: tee().Holes.toReversed() }));
    expect(turned).toEqual(teeNumbers(tee()));
  });

  test.each([
    ["two nines of a longer course as they are played", 19, 1, 19],
    ["the nines of one course by number", 10, 1, 1],
    ["nines that are in order anyway", 1, 19, 1],
  ])("lists %s", (_, front, back, first) => {
    const numberAt = (place: number) => (place < 9 ? front + place : back + place - 9);
    const listed = holes((hole, place) => ({ ...hole, Number: numberAt(place) }));
    const { numbers, pars } = teeNumbers(dirty({ Holes: listed }));
    expect(numbers[0]).toBe(first);
    expect(pars[0]).toBe(listed.find(({ Number: number }: Json) => number === first).Par);
  });

  test("may write its figures as texts, and has none where they are none", () => {
    expect(teeNumbers(dirty({ CourseRating: "718000", SlopeRating: "119" }))).toMatchObject({
      rating: 718000,
      slope: 119,
    });
    for (const none of [null, undefined, "high", 0, -113, 113.5, {}]) {
      expect(teeNumbers(dirty({ SlopeRating: none })).slope).toBeUndefined();
    }
    for (const none of [null, undefined, "high", 0, "0", -718000, 71.8, {}]) {
      expect(teeNumbers(dirty({ CourseRating: none })).rating).toBeUndefined();
    }
  });
});

describe("a tee that the register does not know whole", () => {
  test.each<[string, Json, string]>([
    ["without holes", { Holes: [] }, "it has 0 holes, not 9 or 18"],
    ["with no list of holes", { Holes: null }, "it has 0 holes, not 9 or 18"],
    ["with eight holes", { Holes: tee().Holes.slice(0, 8) }, "it has 8 holes, not 9 or 18"],
    [
      "with holes that are none",
      { Holes: [null, 7, "x", ...tee().Holes.slice(1)] },
      "it has 17 holes, not 9 or 18",
    ],
    ["without the first par", { Holes: holes(at(0, { Par: null })) }, "its 1st hole has no par"],
    ["with a par of 0", { Holes: holes(at(1, { Par: 0 })) }, "its 2nd hole has no par"],
    ["with a par of 44", { Holes: holes(at(1, { Par: 44 })) }, "its 2nd hole has no par"],
    ["with a par as a text", { Holes: holes(at(2, { Par: "4" })) }, "its 3rd hole has no par"],
    ["without a stroke index", { Holes: holes(at(3, { Index: null })) }, "its 4th hole has no stroke index"],
    [
      "with a negative stroke index",
      { Holes: holes(at(17, { Index: -1 })) },
      "its 18th hole has no stroke index",
    ],
    [
      "with a stroke index of 100",
      { Holes: holes(at(17, { Index: 100 })) },
      "its 18th hole has no stroke index",
    ],
    [
      "with a stroke index twice",
      { Holes: holes(at(4, { Index: 7 })) },
      "stroke index 7 is on more than one hole",
    ],
  ])("%s says so", (_name, changes, fault) => {
    const numbers = teeNumbers(dirty(changes));
    expect([numbers.fault, numbers.complete]).toEqual([fault, undefined]);
  });

  test("still has what it says", () => {
    const numbers = teeNumbers(dirty({ Holes: holes(at(3, { Index: null, Par: 3 })) }));
    expect(numbers.par).toBe(70);
    expect(numbers.indexes.map((index) => index === undefined)).toEqual(
      tee().Holes.map((_, place) => place === 3),
    );
    expect(teeNumbers(dirty({ Holes: holes(at(3, { Par: null })) })).par).toBeUndefined();
    for (const Holes of [[], tee().Holes.slice(1)]) expect(teeNumbers(dirty({ Holes })).par).toBeUndefined();
  });

  test("has holes with the same numbers as they are listed: nine that are played twice", () => {
    const Holes = holes((hole, place) => ({ ...hole, Number: (place % 9) + 1 }));
    expect(teeNumbers(dirty({ Holes })).holes).toEqual(Holes);
    expect(teeNumbers(dirty({ Holes })).pars).toEqual(teeNumbers(tee()).pars);
  });

  test.each([null, undefined, "5", 0, 100])(
    "has holes as they are listed where one has the number %j",
    (none) => {
      const Holes = holes(at(4, { Number: none }));
      expect(teeNumbers(dirty({ Holes })).numbers).toEqual(
        Holes.map((_: Json, place: number) => (place === 4 ? undefined : place + 1)),
      );
      expect(teeNumbers(dirty({ Holes })).complete).toEqual(teeNumbers(tee()).complete);
    },
  );
});

test.each([
  [55, true],
  [113, true],
  [155, true],
  [54, false],
  [156, false],
  [12, false],
  [1310, false],
  [Number.NaN, false],
])("a Slope Rating of %d is plausible: %s", (slope, isPlausible) => {
  expect(isPlausibleSlope(slope)).toBe(isPlausible);
});

test.each([
  [718_000, 72, 18, true],
  [500_000, 72, 18, true],
  [499_000, 72, 18, false],
  [870_000, 72, 18, true],
  [871_000, 72, 18, false],
  [500_000, 54, 18, true],
  [359_000, 72, 18, false],
  [356_000, 36, 9, true],
  [718_000, 36, 9, false],
  [435_000, 36, 9, true],
  [436_000, 36, 9, false],
])(
  "a Course Rating of %i for a par of %i on %i holes is plausible: %s",
  (rating, par, holes, isPlausible) => {
    expect(isPlausibleRating(rating, par, holes)).toBe(isPlausible);
  },
);

test("a Course Handicap of nine holes may have either half of the Handicap Index, one of eighteen the whole", () => {
  // 6.1b: 15.5 / 2 = 7.75, rounded 7.8; 7.8 + 0.7 = 8.5, and 7.75 + 0.7 = 8.45
  const figures = { handicapIndex: 155_000, slope: 113 };
  expect(courseHandicapsByRule({ ...figures, rating: 367_000, par: 36 }, 9)).toEqual([9, 8]);
  expect(courseHandicapsByRule({ ...figures, rating: 727_000, par: 72 }, 18)).toEqual([16]);
});

test.each([
  [2, 1, false],
  [4, 2, true],
])(
  "for nine unrated holes %i, about %i by half of the index, is that of eighteen: %s",
  (sent, estimate, is) => {
    expect(isOfEighteen(sent, { ruled: [], ofEighteen: { estimate, eighteen: sent } })).toBe(is);
  },
);

test("a Handicap Index above 54.0 gives the Course Handicap of 54.0", () => {
  const figures = { slope: 113, rating: 720_000, par: 72 };
  expect(courseHandicapsByRule({ ...figures, handicapIndex: 600_000 }, 18)).toEqual([54]);
});
