import { describe, expect, test } from "vitest";
import { courseHandicapOf } from "./independent-score.ts";
import { accepted, assess, faultsOf, type Json, minimalCard } from "./sample-cards.ts";
import { pars, redId, register, tee, version } from "./sample-courses.ts";

const bogeys = pars.map((par) => par + 1);
const holes = { front: [...pars.keys()].slice(0, 9), back: [...pars.keys()].slice(9) };
/** Bogeys, but `unset` on these places. */
const without = (places: readonly number[], unset: number) =>
  bogeys.map((taken, place) => (places.includes(place) ? unset : taken));
const card = (strokes: readonly number[], HolesPlayed = 18, changes: Json = {}): Json =>
  minimalCard({
    Result: { Strokes: strokes, IsQualifying: true },
    Round: { HolesPlayed, RoundType: 1, StartTime: "20250622T145700" },
    ...changes,
  });
const codes = (sent: Json, context = {}) => accepted(sent, context).warnings.map(({ code }) => code);

describe("many holes with 0 are told, few are not", () => {
  test.each<[string, readonly number[], boolean]>([
    ["all", [...pars.keys()], true],
    ["the last nine", holes.back, true],
    ["the first nine", holes.front, true],
    ["nine here and there", [0, 2, 4, 6, 8, 10, 12, 14, 16], true],
    ["the last five", [13, 14, 15, 16, 17], true],
    ["the last four", [14, 15, 16, 17], false],
    ["five at the beginning", [0, 1, 2, 3, 4], false],
    ["eight here and there", [0, 2, 4, 6, 8, 10, 12, 14], false],
    ["one", [7], false],
  ])("%s", (_, places, isTold) => {
    const found = accepted(card(without(places, 0))).warnings;
    expect(found.map(({ code }) => code)).toEqual(isTold ? ["picked_up_many"] : []);
    if (isTold) expect(found[0]?.received).toBe(places.length);
  });
});

describe("a hole that is -1 between others is told, a round cut short is not", () => {
  test.each<[string, readonly number[], number, readonly number[]]>([
    ["one of eighteen", [6], 18, [7]],
    ["three here and there", [3, 8, 12], 18, [4, 9, 13]],
    ["three of a round of fifteen", [3, 8, 12], 15, [4, 9, 13]],
    ["the last four", [14, 15, 16, 17], 18, []],
    ["the first two", [0, 1], 18, []],
    ["a gap of four in a round of fourteen from the tenth hole", [5, 6, 7, 8], 14, []],
    ["a gap and the last hole of a round of thirteen", [5, 6, 7, 17], 14, [6, 7, 8]],
  ])("%s", (_, places, length, told) => {
    const found = accepted(card(without(places, -1), length)).warnings;
    expect(found.map(({ code, received }) => [code, received])).toEqual(
      told.length > 0 ? [["not_played_between", told]] : [],
    );
  });

  test("a dash within nine of eighteen holes is told", () => {
    const strokes = without([...holes.back, 4], -1);
    expect(codes(card(strokes, 9, { CourseHandicap: 4 }))).toEqual([
      "nine_holes_unrated",
      "not_played_between",
      "round_too_short",
    ]);
  });
});

describe("nine holes with 0 are never counted by an advice", () => {
  const nine = { Name: "Yellow 1-9", CourseRating: 356_000, SlopeRating: 121, IsNineHole: true };
  const courses = register(
    version({ Tees: [tee(), tee({ ...nine, ID: redId, Holes: tee().Holes.slice(0, 9) })] }),
  );
  const handicap = courseHandicapOf({ index: 90_000, slope: 121, rating: 356_000, par: 36, holes: 9 });

  test.each([
    ["HolesPlayed 9, refused", () => faultsOf(card(without(holes.back, 0), 9), { courses })],
    ["HolesPlayed 18, taken", () => accepted(card(without(holes.back, 0), 18), { courses }).warnings],
    ["-1 and HolesPlayed 18", () => accepted(card(without(holes.back, -1), 18), { courses }).warnings],
  ])("%s: the card of nine holes is proposed, and taken without a word", (_, find) => {
    const details = find().map(({ detail }) => detail);
    expect(details).toHaveLength(1);
    expect(details[0]).toContain(
      `send HolesPlayed 9, Strokes with -1 for holes 10 to 18, and CourseHandicap ${handicap}`,
    );
    expect(details[0]).not.toMatch(/[Ss]end (HolesPlayed )?18/);
    const sent = card(without(holes.back, -1), 9, { CourseHandicap: handicap });
    expect(codes(sent, { courses })).toEqual([]);
    expect(accepted(sent, { courses }).card.Result.TotalStrokes).toBe(45);
  });

  test("without a rating of the nine no value is proposed that brings another warning", () => {
    const [fault] = faultsOf(card(without(holes.back, 0), 9));
    expect(fault).toMatchObject({ code: "holes_played_mismatch", received: 9 });
    expect(fault?.expected).toBeUndefined();
    expect(fault?.detail).toMatch(/^9 holes are 0.* HolesPlayed is 9.* about 5/);
  });

  test.each([9, 12, 17])("eighteen holes with 0 and HolesPlayed %i: no length is proposed", (length) => {
    const [fault] = faultsOf(card(without([...pars.keys()], 0), length));
    expect(fault?.detail).toContain("send no card");
    expect(fault?.detail).not.toMatch(/[Ss]end \d/);
  });

  test("six holes with 0 that HolesPlayed leaves out are to be -1, and then the card is taken", () => {
    const last = [12, 13, 14, 15, 16, 17];
    const [fault] = faultsOf(card(without(last, 0), 12));
    expect(fault?.detail).toContain("If holes 13 to 18 were not played, send -1 for them.");
    expect(codes(card(without(last, -1), 12))).toEqual([]);
  });
});

test("a woman's nine is not judged by a man's rating", () => {
  const man = {
    Name: "Red 1-9",
    CourseRating: 330_000,
    SlopeRating: 110,
    IsNineHole: true,
    Gender: 2,
  } as const;
  const woman = tee({ Gender: 1, CourseRating: 780_000, SlopeRating: 135 });
  const courses = register(
    version({ Tees: [woman, tee({ ...man, ID: redId, Holes: tee().Holes.slice(0, 9) })] }),
  );
  const half = courseHandicapOf({ index: 250_000, slope: 135, rating: 390_000, par: 36, holes: 9 });
  const sent = card(without(holes.back, -1), 9, { HCP: "250000", CourseHandicap: half });
  expect(codes(sent, { courses })).toEqual(["nine_holes_unrated"]);
  expect(assess(sent, { courses: register(version({ Tees: [woman] })) }).warnings).toHaveLength(1);
});
