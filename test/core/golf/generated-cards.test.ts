import { describe, expect, test } from "vitest";
import { courseHandicapOf, scoreOf } from "./independent-score.ts";
import {
  accepted,
  assess,
  cardAbroad,
  indexes,
  type Json,
  minimalCard,
  nineHoleCard,
  pars,
  short,
} from "./sample-cards.ts";

const handicaps = [-25_000, 0, 90_000, 200_000, 271_000, 540_000, 720_000];
const rounds = [
  { name: "eighteen holes", holes: 18, rating: 718_000, slope: 119 },
  { name: "nine holes", holes: 9, rating: 356_000, slope: 121 },
] as const;
/** Strokes over par of each hole; undefined if the ball was picked up. */
const scores = {
  "a bogey a hole": (_hole: number) => 1,
  "each third hole picked up": (hole: number) => (hole % 3 === 2 ? undefined : hole % 3),
};
/** The Playing Handicap that a tournament counts points with, by the Course Handicap. */
const formats = {
  "100 %": (course: number) => course,
  "95 %": (course: number) => Math.floor(course * 0.95 + 0.5),
  "85 %": (course: number) => Math.floor(course * 0.85 + 0.5),
  gross: () => 0,
};

/** A card as it is sent, with the figures that it must come to. */
function figured(
  index: number,
  round: (typeof rounds)[number],
  overPar: (hole: number) => number | undefined,
) {
  const ofRound = { pars: pars.slice(0, round.holes), indexes: indexes.slice(0, round.holes) };
  const strokes = ofRound.pars.map((par, hole) => {
    const over = overPar(hole);
    return over === undefined ? 0 : par + over;
  });
  const par = ofRound.pars.reduce((sum, one) => sum + one, 0);
  const { slope, rating, holes } = round;
  const course = courseHandicapOf({ index, slope, rating, par, holes });
  const all = ofRound.pars.map((_, place) => place);
  const scoredWith = (playing: number) =>
    scoreOf(ofRound.pars, ofRound.indexes, strokes, all, { course, playing });
  const card = (changes: Json = {}): Json => {
    const sample = holes === 18 ? minimalCard() : nineHoleCard();
    return {
      ...sample,
      HCP: String(index),
      CourseHandicap: course,
      ...changes,
      Result: { ...sample.Result, Strokes: strokes, ...changes.Result },
    };
  };
  return { course, card, scoredWith, strokes };
}

const cases = handicaps.flatMap((index) =>
  rounds.flatMap((round) =>
    Object.entries(scores).map(([score, overPar]) => ({
      name: `HCP ${index / 10_000}, ${round.name}, ${score}`,
      index,
      round,
      ...figured(index, round, overPar),
    })),
  ),
);
const codes = (card: Json) => accepted(card).warnings.map(({ code }) => code);

describe.each(cases)("$name:", ({ course, card, scoredWith, round }) => {
  const net = scoredWith(course);

  test("the smallest card is good without a word, and every figure is right", () => {
    const { card: filled, warnings } = accepted(card());
    expect(short(warnings)).toEqual([]);
    expect(filled.Course.Holes?.map(({ SPH }) => SPH)).toEqual(net.SPH);
    expect(filled.Result.Points).toEqual(net.Points);
    expect(filled.Result.TotalPoints).toBe(net.TotalPoints);
    expect(filled.Result.TotalStrokes ?? 0).toBe(net.TotalStrokes);
  });

  test.each(Object.entries(formats))(
    "a total of points by %s is good, with a warning if it is another",
    (_, playingOf) => {
      const { TotalPoints } = scoredWith(playingOf(course));
      const expected = TotalPoints === net.TotalPoints ? [] : ["points_differ"];
      expect(codes(card({ Result: { TotalPoints } }))).toEqual(expected);
    },
  );

  test("a total that no format gives is refused, with the right one", () => {
    const assessment = assess(card({ Result: { TotalPoints: 10 * round.holes } }));
    expect(assessment.good ? [] : assessment.faults).toMatchObject([
      { code: "total_mismatch", pointer: "/Result/TotalPoints", expected: net.TotalPoints },
    ]);
  });

  test("a Course Handicap that is three too high is told, with the one that follows from HCP", () => {
    const { warnings } = accepted(card({ CourseHandicap: course + 3 }));
    expect(warnings).toMatchObject([{ code: "course_handicap_differs" }]);
    expect(warnings[0]?.detail).toContain(`CourseHandicap is ${course + 3}, but`);
    expect(warnings[0]?.detail).toMatch(new RegExp(`come to ${course}\\b`));
  });
});

test.each(cases.filter(({ index }) => index > 540_000))(
  "the strokes of an uncapped handicap are told: $name",
  ({ index, round, course, card }) => {
    const uncapped = Math.round((index / 10_000) * (round.holes / 18) * (round.slope / 113));
    const { warnings } = accepted(card({ CourseHandicap: uncapped }));
    expect(warnings).toMatchObject([{ code: "course_handicap_differs" }]);
    expect(warnings[0]?.detail).toMatch(new RegExp(`come to ${course}\\b`));
  },
);

describe("a figure that is most likely mistyped is told:", () => {
  const usual = figured(90_000, rounds[0], () => 1);
  const many = usual.strokes.map((taken, hole) => (hole === 4 ? 99 : taken));
  const { Marker } = minimalCard();
  test.each<[string, Json, string]>([
    ["PHCP 90 from 9", { PHCP: 90 }, "playing_handicap_unlikely"],
    ["made in 2030", { CreateDateTime: "20300622T190200" }, "create_time_unlikely"],
    ["made before the round", { CreateDateTime: "20250622T090200" }, "create_time_unlikely"],
    ["99 strokes on a hole", { Result: { Strokes: many } }, "strokes_unlikely"],
    ["a hole in one on each", { Result: { Strokes: usual.strokes.map(() => 1) } }, "strokes_unlikely"],
    ["a marker who is the player", { Marker: { ...Marker, UnionID: "1016-01" } }, "marker_is_player"],
  ])("%s", (_, changes, code) => {
    expect(codes(usual.card(changes))).toContain(code);
  });

  /** What the start of a round is told if its card arrives at 14:00 by the union's clocks. */
  const toldAt = (StartTime: string, strokes: readonly number[], card: () => Json = minimalCard) => {
    const Round = { HolesPlayed: strokes.length, RoundType: 1, StartTime: `20250701T${StartTime}00` };
    const sent = { ...card(), CreateDateTime: Round.StartTime, Round };
    const { warnings } = accepted({ ...sent, Result: { Strokes: strokes, IsQualifying: false } });
    return warnings.filter(({ code }) => code === "round_not_over").map(({ detail }) => detail);
  };
  test.each<[string, string, readonly number[], (() => Json) | undefined, string]>([
    ["20 minutes before its card", "1340", usual.strokes, undefined, "is 2 hours too late at least"],
    ["in three hours", "1700", usual.strokes, undefined, "is 5 hours too late at least"],
    ["89 minutes before its card", "1231", usual.strokes, undefined, "is 1 hour too late at least"],
    ["as nine holes of half an hour", "1330", usual.strokes.slice(0, 9), nineHoleCard, "1 hour too late"],
  ])("eighteen holes or nine begun %s", (_, start, strokes, card, detail) => {
    expect(toldAt(start, strokes, card)).toEqual([expect.stringContaining(detail)]);
  });

  test("a round that may just be over, in the union's time zone or in that of a course abroad, is not told", () => {
    expect(toldAt("1230", usual.strokes)).toEqual([]);
    expect(toldAt("1315", usual.strokes.slice(0, 9), nineHoleCard)).toEqual([]);
    expect(
      toldAt(
        "1345",
        usual.strokes.map((taken, hole) => (hole < 3 ? taken : -1)),
      ),
    ).toEqual([]);
    expect(toldAt("2300", usual.strokes, cardAbroad)).toEqual([]);
  });

  test("a Handicap Index above the highest that the union gives a player", () => {
    const card = usual.card({ HCP: "600000" });
    const codesAt = (highestHandicapIndex: number) =>
      assess(card, { highestHandicapIndex }).warnings.map(({ code }) => code);
    expect(codesAt(54)).toContain("handicap_unlikely");
    expect(codesAt(72)).not.toContain("handicap_unlikely");
  });

  test.each<[string, Json, string, unknown]>([
    ["HCP 158", { HCP: "158" }, "/HCP", "158000"],
    ["HCP 15.8", { HCP: "15.8" }, "/HCP", "158000"],
    ["HCP +1.7", { HCP: "+1.7" }, "/HCP", "-17000"],
    ["HCP -17", { HCP: "-17" }, "/HCP", "-17000"],
    ["HCP null", { HCP: null }, "/HCP", "540000"],
    ["a Course Handicap of 9.5", { CourseHandicap: 9.5 }, "/CourseHandicap", "send 10"],
    ["a Course Handicap of -1.5", { CourseHandicap: -1.5 }, "/CourseHandicap", "send -1"],
    ["a PHCP of 8.45", { PHCP: 8.45 }, "/PHCP", "send 8"],
  ])("%s is refused, with the value to send", (_, changes, pointer, value) => {
    const assessment = assess(usual.card(changes));
    const found = assessment.good ? [] : assessment.faults.filter((fault) => fault.pointer === pointer);
    expect(found).toHaveLength(1);
    expect(found[0]?.detail).toContain(String(value));
  });

  test("a marker of two blanks is refused", () => {
    const assessment = assess(usual.card({ Marker: { FullName: "  ", UnionID: "  " } }));
    expect(assessment.good ? [] : assessment.faults.map(({ pointer }) => pointer)).not.toEqual([]);
  });
});
