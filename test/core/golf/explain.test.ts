import { describe, expect, test } from "vitest";
import { explainCard } from "../../../core/golf/explain.ts";
import { accepted, fullCard, type Json, minimalCard, nineHoleCard } from "./sample-cards.ts";

const explained = (card: Json) => explainCard(accepted(card).card);
const front = [5, 5, 4, 6, 5, 5, 4, 5, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1];

describe("the figures of a card", () => {
  test("are explained hole by hole", () => {
    const strokes = [9, 0, 3, 5, 4, 4, 3, 4, 5, 4, 3, 4, 5, 4, 4, 3, 4, -1];
    const card = minimalCard({ PHCP: 4, Result: { Strokes: strokes, IsQualifying: true } });
    const derivation = explained(card);
    expect(derivation).toMatchObject({
      courseHandicap: 9,
      courseHandicapByRule: [9],
      playingHandicap: 4,
      nineHoles: null,
      totalStrokes: 0,
      netDoubleBogeyGross: null,
    });
    // Stroke index 7, 3 and 14: strokes off 4 on indexes 1 to 4, off 9 on 1 to 9.
    const received = (playing: number, course: number) => ({
      ...{ receivedOffPlayingHandicap: playing, receivedOffCourseHandicap: course },
      ...{ points: 0, maximum: 7 },
    });
    expect([0, 1, 17].map((place) => derivation?.holes[place])).toEqual([
      { ...received(0, 1), number: 1, par: 4, strokeIndex: 7, strokes: 9, counted: 7 },
      { ...received(1, 1), number: 2, par: 4, strokeIndex: 3, strokes: 0, counted: 7 },
      { ...received(0, 0), number: 18, par: 5, strokeIndex: 14, strokes: -1, counted: null },
    ]);
    // Net par on the 15 others is 30 points, and one more on each of indexes 1, 2 and 4.
    expect(derivation?.totalPoints).toBe(33);
  });

  test("of nine holes are explained with both halves of the Handicap Index", () => {
    const derivation = explained(nineHoleCard({ HCP: "155000", CourseHandicap: 8 }));
    // 15.5 / 2 = 7.75: 7.8 x 121 / 113 + 35.6 - 36 = 7.95, exact 7.75 x 121 / 113 - 0.4 = 7.90
    expect(derivation?.courseHandicapByRule).toEqual([8]);
    expect(derivation?.holes).toHaveLength(9);
  });

  test("of nine holes of eighteen name the nine in the course's order, and no Course Handicap by the rule", () => {
    const ofNine = (Strokes: number[]) => {
      const Round = { HolesPlayed: 9, RoundType: 1, StartTime: "20250622T145700" };
      return explained(minimalCard({ CourseHandicap: 4, Result: { Strokes, IsQualifying: true }, Round }));
    };
    const overTheLast = front.map((_, hole) => (hole < 4 || hole > 13 ? 5 : -1));
    expect(ofNine(overTheLast)?.nineHoles).toEqual([1, 2, 3, 4, 5, 15, 16, 17, 18]);
    const derivation = ofNine(front);
    expect(derivation?.nineHoles).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(derivation?.courseHandicapByRule).toEqual([]);
    expect(derivation?.netDoubleBogeyGross).toBe(45);
  });

  test("have a Score Differential if all of 18 holes were played on a rated tee", () => {
    const card = fullCard();
    const { TeeRating, TeeSlope } = card.Course;
    const derivation = explained(card);
    const overRating = (derivation?.netDoubleBogeyGross ?? 0) - TeeRating / 10_000;
    const exact = (113 / TeeSlope) * overRating;
    expect((derivation?.scoreDifferential ?? 0) / 10_000).toBeCloseTo(exact, 0);
    expect((derivation?.scoreDifferential ?? 0) % 1000).toBe(0);
    const strokes = card.Result.Strokes.with(17, -1);
    for (const without of [
      { Course: { ...card.Course, TeeRating: undefined } },
      { Course: { ...card.Course, TeeSlope: 0 } },
      { Result: { ...card.Result, Strokes: strokes } },
    ]) {
      expect(explainCard({ ...card, ...without })?.scoreDifferential).toBeNull();
    }
    expect(explained(nineHoleCard())?.scoreDifferential).toBeNull();
  });

  test("name the holes by the card's own numbers", () => {
    const card = fullCard();
    for (const hole of card.Course.Holes) hole.Number += 20;
    expect(explained(card)?.holes[17]?.number).toBe(38);
  });

  test("are none of a card that has not been filled in", () => {
    expect(explainCard(minimalCard())).toBeUndefined();
    const card = fullCard();
    card.Result.Strokes = card.Result.Strokes.slice(1);
    expect(explainCard(card)).toBeUndefined();
  });

  test("are explained without what the register does not say", () => {
    for (const TeeSlope of [0, undefined]) {
      const card = fullCard();
      const withoutSlope = { ...card, Course: { ...card.Course, TeeSlope } };
      expect(explainCard(withoutSlope)?.courseHandicapByRule).toEqual([]);
    }
    const { TeeRating, ...Course } = fullCard().Course;
    expect(explainCard(fullCard({ Course }))?.courseHandicapByRule).toEqual([]);
  });
});
