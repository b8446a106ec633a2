import { describe, expect, test } from "vitest";
import {
  accepted,
  assess,
  cardAbroad,
  faultsOf,
  type Json,
  minimalCard,
  nineHoleCard,
} from "./sample-cards.ts";
import { pars, register, tee, version } from "./sample-courses.ts";

/** A card of a bogey a hole, without a warning. */
const bogeys = pars.map((par) => par + 1);
const usual = (changes: Json = {}): Json =>
  minimalCard({
    HCP: "90000",
    CourseHandicap: 9,
    ...changes,
    Result: { Strokes: bogeys, IsQualifying: true },
  });

describe("a figure that is most likely mistyped is told:", () => {
  /** What the start of a round is told if its card arrives at 14:00 by the union's clocks. */
  const toldAt = (StartTime: string, strokes: readonly number[], card: () => Json = minimalCard) => {
    const Round = { HolesPlayed: strokes.length, RoundType: 1, StartTime: `20250701T${StartTime}00` };
    const sent = { ...card(), CreateDateTime: Round.StartTime, Round };
    const { warnings } = accepted({ ...sent, Result: { Strokes: strokes, IsQualifying: false } });
    return warnings.filter(({ code }) => code === "round_not_over").map(({ detail }) => detail);
  };
  test.each<[string, string, readonly number[], (() => Json) | undefined, string]>([
    ["20 minutes before its card", "1340", bogeys, undefined, "is 2 hours too late at least"],
    ["in three hours", "1700", bogeys, undefined, "is 5 hours too late at least"],
    ["89 minutes before its card", "1231", bogeys, undefined, "is 1 hour too late at least"],
    ["as nine holes of half an hour", "1330", bogeys.slice(0, 9), nineHoleCard, "1 hour too late"],
  ])("eighteen holes or nine begun %s", (_, start, strokes, card, detail) => {
    expect(toldAt(start, strokes, card)).toEqual([expect.stringContaining(detail)]);
  });

  test("a round that may just be over, in the union's time zone or in that of a course abroad, is not told", () => {
    expect(toldAt("1230", bogeys)).toEqual([]);
    expect(toldAt("1315", bogeys.slice(0, 9), nineHoleCard)).toEqual([]);
    expect(
      toldAt(
        "1345",
        bogeys.map((taken, hole) => (hole < 3 ? taken : -1)),
      ),
    ).toEqual([]);
    expect(toldAt("2300", bogeys, cardAbroad)).toEqual([]);
  });

  test("a Handicap Index above the highest that the union gives a player", () => {
    const card = usual({ HCP: "600000" });
    const codesAt = (highestHandicapIndex: number) =>
      assess(card, { highestHandicapIndex }).warnings.map(({ code }) => code);
    expect(codesAt(54)).toContain("handicap_unlikely");
    expect(codesAt(72)).not.toContain("handicap_unlikely");
  });

  test("of two Handicap Indexes that explain HCP and Course Handicap alike, none is proposed", () => {
    const courses = register(version({ Tees: [tee({ SlopeRating: 55, CourseRating: 720_000 })] }));
    // 1.0 times 1,000, or 0.1 times 10,000 once more.
    const [fault] = faultsOf(usual({ HCP: "10000000", CourseHandicap: 0 }), { courses });
    expect(fault?.detail).toContain("1.0 and 0.1 give CourseHandicap 0 alike. Send the player's.");
    expect(fault).not.toHaveProperty("expected");
  });

  test.each<[string, Json, string, unknown]>([
    ["HCP 54.0 with Course Handicap 0", { HCP: "54.0", CourseHandicap: 0 }, "/HCP", "send 540000"],
    ["HCP null", { HCP: null }, "/HCP", "540000"],
    ["a Course Handicap of 9.5", { CourseHandicap: 9.5 }, "/CourseHandicap", "send 10"],
    ["a Course Handicap of -1.5", { CourseHandicap: -1.5 }, "/CourseHandicap", "send -1"],
    ["a PHCP of 8.45", { PHCP: 8.45 }, "/PHCP", "send 8"],
  ])("%s is refused, with the value to send", (_, changes, pointer, value) => {
    const assessment = assess(usual(changes));
    const found = assessment.good ? [] : assessment.faults.filter((fault) => fault.pointer === pointer);
    expect(found).toHaveLength(1);
    expect(found[0]?.detail).toContain(String(value));
  });
});
