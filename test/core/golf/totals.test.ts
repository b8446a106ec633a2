import { describe, expect, test } from "vitest";
import { scoreOf } from "./independent-score.ts";
import { accepted, faultsOf, type Json, minimalCard, short } from "./sample-cards.ts";
import { indexes, pars } from "./sample-courses.ts";

const bogeys = pars.map((par) => par + 1);
const all = [...pars.keys()];
/** The figures of a round of eighteen off a Course Handicap of 21, by a reference of its own. */
const figures = (strokes: readonly number[], playing: number) =>
  scoreOf(pars, indexes, strokes, all, { course: 21, playing });
const card = (Result: Json, changes: Json = {}): Json =>
  minimalCard({
    HCP: "200000",
    CourseHandicap: 21,
    ...changes,
    Result: { Strokes: bogeys, IsQualifying: true, ...Result },
  });
const sph = (filled: Json) => filled.Course.Holes.map(({ SPH }: Json) => SPH);

describe("PHCP, SPH and Points come from one Playing Handicap", () => {
  test.each([0, 10, 18, 19, 20, 22, 23, 31, 36, 50])(
    "without PHCP, from %i if that explains the total",
    (playing) => {
      const { TotalPoints, Points, SPH } = figures(bogeys, playing);
      const { card: filled, warnings } = accepted(card({ TotalPoints }));
      expect(filled.PHCP).toBe(playing);
      expect(sph(filled)).toEqual(SPH);
      expect(filled.Result.Points).toEqual(Points);
      expect(short(warnings)).toEqual(["points_differ /Result/TotalPoints"]);
      // What the text proposes, followed.
      expect(warnings[0]?.detail).toContain(`A Playing Handicap of ${playing} gives ${TotalPoints}`);
      expect(accepted(card({ TotalPoints }, { PHCP: playing })).warnings).toEqual([]);
    },
  );

  test.each([0, 18, 19, 23])("without PHCP and TotalPoints, from %i if that explains Points", (playing) => {
    const { Points, SPH } = figures(bogeys, playing);
    const { card: filled } = accepted(card({ Points }));
    expect([filled.PHCP, sph(filled)]).toEqual([playing, SPH]);
  });

  test.each([0, 12, 20, 21, 30])("a sent PHCP of 20 stays, whatever total is sent: that of %i", (playing) => {
    const { TotalPoints, Points } = figures(bogeys, playing);
    const { card: filled, warnings } = accepted(card({ TotalPoints }, { PHCP: 20 }));
    expect([filled.PHCP, sph(filled)]).toEqual([20, figures(bogeys, 20).SPH]);
    expect(filled.Result).toMatchObject({ Points, TotalPoints });
    expect(warnings.map(({ code }) => code)).toEqual(playing === 20 ? [] : ["points_differ"]);
  });
});

describe("a total that a round may have is told, not refused", () => {
  const cut = bogeys.map((taken, hole) => (hole < 15 ? taken : -1));
  const { Points, TotalPoints, TotalStrokes } = figures(cut, 21);
  const netPar = [15, 16, 17].reduce(
    (sum, hole) => sum + (pars[hole] ?? 0) + (figures(bogeys, 21).SPH[hole] ?? 0),
    0,
  );

  test.each<[string, Json, string]>([
    ["TotalPoints with net par for three holes", { TotalPoints: TotalPoints + 6 }, "points_differ"],
    ["the same beside Points", { Points, TotalPoints: TotalPoints + 6 }, "points_differ"],
    [
      "TotalStrokes with net par for three holes",
      { TotalStrokes: TotalStrokes + netPar },
      "total_strokes_differ",
    ],
    ["TotalStrokes of 0 beside -1", { TotalStrokes: 0 }, "total_strokes_differ"],
  ])("%s", (_, result, code) => {
    const { card: filled, warnings } = accepted(card({ Strokes: cut, ...result }));
    expect(warnings.map((warning) => warning.code)).toEqual([code]);
    expect([filled.PHCP, filled.Result.Points]).toEqual([21, Points]);
    expect(filled.Result).toMatchObject(result);
    const [name = ""] = Object.keys(result).slice(-1);
    const followed = accepted(card({ Strokes: cut, ...result, [name]: warnings[0]?.expected }));
    expect(followed.warnings).toEqual([]);
  });

  test.each<[string, Json]>([
    ["TotalPoints above net par", { Points, TotalPoints: TotalPoints + 7 }],
    ["TotalPoints below Points", { Points, TotalPoints: TotalPoints - 1 }],
    ["TotalPoints that no handicap gives", { TotalPoints: 120 }],
    ["TotalStrokes below the holes played", { TotalStrokes: TotalStrokes - 1 }],
    ["TotalStrokes above all maxima", { TotalStrokes: TotalStrokes + 40 }],
  ])("%s is refused, with the value to send", (_, result) => {
    const [fault] = faultsOf(card({ Strokes: cut, ...result }));
    expect(fault?.code).toBe("total_mismatch");
    const [name = ""] = Object.keys(result).slice(-1);
    expect(fault?.detail).toContain(`Send ${fault?.expected}`);
    expect(accepted(card({ Strokes: cut, ...result, [name]: fault?.expected })).warnings).toEqual([]);
  });

  test("with a stroke on each hole there is one TotalStrokes only", () => {
    expect(faultsOf(card({ TotalStrokes: 91 }))).toMatchObject([{ expected: 90, received: 91 }]);
  });

  test("after a pick-up TotalStrokes may be the sum of the others, and is told", () => {
    const { warnings } = accepted(card({ Strokes: bogeys.with(4, 0), TotalStrokes: 85 }));
    expect(warnings).toMatchObject([{ code: "total_strokes_differ", expected: 0, received: 85 }]);
  });
});

describe("NetDoubleBogeyGross", () => {
  const cut = (length: number) => bogeys.map((taken, hole) => (hole < length ? taken : -1));
  const gross = (HolesPlayed: number, sent: number | undefined, strokes: readonly number[]) =>
    accepted(
      card(
        { Strokes: strokes, NetDoubleBogeyGross: sent },
        { Round: { HolesPlayed, RoundType: 1, StartTime: "20250622T145700" } },
      ),
    );

  test.each([10, 12, 14, 17])("is not filled in for %i holes played", (length) => {
    expect(gross(length, undefined, cut(length)).card.Result.NetDoubleBogeyGross).toBeUndefined();
  });

  test.each<[number, readonly number[], boolean]>([
    [20, cut(14), true],
    [70, cut(14), true],
    [74, cut(14), false],
    [90, cut(14), false],
    [101, cut(14), true],
    [400, cut(17), true],
  ])("of %i beside holes not played is told if no round gives it", (sent, strokes, isTold) => {
    const { warnings } = gross(18, sent, strokes);
    expect(warnings.map(({ code }) => code)).toEqual(isTold ? ["net_double_bogey_differs"] : []);
  });
});

test.each([34, 40, 49])("a Playing Handicap of %i in foursomes is taken without a word", (PHCP) => {
  expect(accepted(card({}, { HCP: "160000", CourseHandicap: 17, PHCP })).warnings).toEqual([]);
});
