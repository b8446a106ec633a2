import { describe, expect, test } from "vitest";
import { faultCodes } from "../../../core/golf/findings.ts";
import { withField } from "./change-card.ts";
import { corruptions } from "./corruptions.ts";
import { accepted, faultsOf, fullCard, type Json, minimalCard, short } from "./sample-cards.ts";

describe("a good card with one thing wrong is refused for that alone:", () => {
  test.each(Object.entries(corruptions))(
    "%s",
    (_name, { code, pointer, spoil, card = fullCard, context: changes }) => {
      const faults = faultsOf(spoil(card()), changes);
      expect(short(faults)).toEqual([`${code} ${pointer}`]);
      expect(faults[0]?.detail).toMatch(/^[A-Z].+\.$/);
      // What is said is part of the interface: vendors read it, and show it to golfers.
      const { detail, expected, received } = faults[0] ?? {};
      expect({ detail, expected, received }).toMatchSnapshot();
    },
  );

  test.each([
    "/player",
    "/PLAYER",
    "/re\u017fult",
    "/externalid",
    "/id",
    "/PhCP",
    "/Course/courseid",
    "/Course/Holes/3/par",
  ])("a field twice, but for the case: %s", (pointer) => {
    expect(short(faultsOf(withField(fullCard(), pointer, null)))).toEqual([`field_twice ${pointer}`]);
  });

  test("a field in two other cases, which is left out otherwise", () => {
    expect(short(faultsOf(minimalCard({ Phcp: 4, phcp: 4 })))).toEqual(["field_twice /phcp"]);
  });

  test("and each reason to refuse a card is among these", () => {
    const met = new Set(Object.values(corruptions).map(({ code }) => code));
    expect(faultCodes.filter((code) => !met.has(code))).toEqual([
      "duplicate_external_id",
      "external_id_reused",
    ]);
  });
});

describe("all faults of a card are said at once", () => {
  test("in whatever part of it they are", () => {
    const card = fullCard();
    card.HCP = "12.4";
    card.Course.TeeID = "00000000-0000-4000-8000-000000000000";
    card.Round.RoundType = 3;
    card.Result.TotalStrokes = 1;
    card.Player.UnionID = "nobody";
    card.Marker = {};
    expect(short(faultsOf(card)).sort()).toEqual(
      [
        "marker_unidentified /Marker",
        "ten_thousandths_invalid /HCP",
        "tee_unknown /Course/TeeID",
        "total_mismatch /Result/TotalStrokes",
        "union_id_invalid /Player/UnionID",
        "value_not_allowed /Round/RoundType",
      ].sort(),
    );
  });

  test("without a word of what a person is", () => {
    const card = fullCard();
    card.Player = { FullName: "Secret Name", LifeTimeID: "160575026", UnionID: "secret-id" };
    card.Marker = { FullName: 7, LifeTimeID: "160575027", UnionID: "secret id" };
    expect(JSON.stringify(faultsOf(card))).not.toMatch(/secret|16057502/i);
  });
});

describe("of a course that is not known, what the card says of itself is checked all the same:", () => {
  const elsewhere = () => {
    const { Holes, TeePar, ...Course } = fullCard().Course;
    const { Points, TotalPoints, ...Result } = fullCard().Result;
    return fullCard({ Course: { ...Course, CourseID: "00000000-0000-4000-8000-000000000000" }, Result });
  };

  test("a number of strokes that no round has", () => {
    const card = elsewhere();
    card.Result.Strokes.pop();
    const [unknown, strokes, ...more] = faultsOf(card);
    expect(short(more)).toEqual([]);
    expect(unknown?.code).toBe("course_unknown");
    expect(strokes).toMatchObject({
      code: "strokes_count",
      detail: expect.stringMatching(/^A round has 9 or 18 holes, but Strokes has 17 entries\./),
      expected: "9 or 18",
      received: 17,
    });
  });

  test("points that are not as many as the strokes", () => {
    const card = elsewhere();
    card.Result.Points = [2, 2];
    expect(short(faultsOf(card))).toEqual(["course_unknown /Course/CourseID", "points_count /Result/Points"]);
  });

  test("a stroke index on two holes", () => {
    const card = elsewhere();
    card.Course.Holes = fullCard().Course.Holes;
    card.Course.Holes[4].Index = 7;
    expect(short(faultsOf(card))).toEqual([
      "course_unknown /Course/CourseID",
      "stroke_index_repeated /Course/Holes/4/Index",
    ]);
  });

  test("holes and strokes that are not as many", () => {
    const card = elsewhere();
    card.Course.Holes = fullCard().Course.Holes.slice(0, 9);
    expect(faultsOf(card)[1]).toMatchObject({
      code: "strokes_count",
      detail: expect.stringMatching(/^The tee has 9 holes, but Strokes has 18 entries\./),
    });
  });
});

describe("what follows from a fault is not said as another:", () => {
  test("totals and length of a round with a stroke missing", () => {
    const card = fullCard();
    card.Result.Strokes.pop();
    expect(short(faultsOf(card))).toEqual(["strokes_count /Result/Strokes"]);
  });

  /** A small card that says the total of its points, and no more of them. */
  const withTotal = (changes: Json) => {
    const card = minimalCard(changes);
    const { TotalPoints } = accepted(card).card.Result;
    return { ...card, Result: { ...card.Result, TotalPoints } };
  };

  test("points off a Playing Handicap that cannot be read", () => {
    expect(short(faultsOf({ ...withTotal({ PHCP: 4 }), PHCP: "4" }))).toEqual(["wrong_type /PHCP"]);
  });

  test("points off a Course Handicap that cannot be read", () => {
    expect(short(faultsOf({ ...withTotal({}), CourseHandicap: 9.5 }))).toEqual([
      "wrong_type /CourseHandicap",
    ]);
  });

  test("points of strokes that are as many as the tee has holes, but not as many as the card lists", () => {
    const card = withTotal({});
    card.Course.Holes = fullCard()
      .Course.Holes.slice(0, 9)
      .map(({ SPH, ...hole }: Json) => hole);
    expect(short(faultsOf(card))).toEqual(["holes_count /Course/Holes"]);
  });

  test("points of a nine-hole round whose length is wrong, so that it is not known to be one", () => {
    const Strokes = [5, 5, 4, 6, 5, 5, 4, 5, 6, ...Array(9).fill(-1)];
    const round = { ...minimalCard().Round, HolesPlayed: 9 };
    const card = minimalCard({ CourseHandicap: 4, Result: { Strokes, IsQualifying: true }, Round: round });
    const { TotalPoints } = accepted(card).card.Result;
    const wrong = { ...card, Result: { ...card.Result, TotalPoints }, Round: { ...round, HolesPlayed: 8 } };
    expect(short(faultsOf(wrong))).toEqual(["holes_played_mismatch /Round/HolesPlayed"]);
  });

  test("points of strokes of which one cannot be read", () => {
    const { Points, ...Result } = fullCard().Result;
    const card = fullCard({ Result: { ...Result, Strokes: Result.Strokes.with(0, "5") } });
    expect(short(faultsOf(card))).toEqual(["wrong_type /Result/Strokes/0"]);
  });

  test("holes of a round whose list of them is too short", () => {
    const card = fullCard();
    card.Course.Holes = card.Course.Holes.slice(0, 9);
    expect(short(faultsOf(card))).toEqual(["holes_count /Course/Holes"]);
  });

  test("the total of points of which one cannot be read", () => {
    const card = fullCard();
    card.Result.Points = [3, ...card.Result.Points.slice(1)];
    card.Result.TotalPoints = 28;
    expect(short(accepted(card).warnings)).toEqual(["points_differ /Result/Points"]);
    card.Result.Points[0] = "3";
    expect(short(faultsOf(card))).toEqual(["wrong_type /Result/Points/0"]);
  });

  test("what would be checked against a tee that is not known", () => {
    const card = fullCard();
    card.Course.CourseID = "no";
    card.Course.TeePar = 1;
    expect(short(faultsOf(card))).toEqual(["guid_invalid /Course/CourseID"]);
  });
});
