import { v5 } from "uuid";
import { describe, expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { accepted, faultsOf, fullCard, minimalCard, short } from "./sample-cards.ts";
import { clubId, pars, redId, register, tee, version } from "./sample-courses.ts";

const bogeys = pars.map((par) => par + 1);
const played = (strokes: readonly number[]) => ({ Strokes: strokes, IsQualifying: true });
const round = { HolesPlayed: 9, RoundType: 1, StartTime: "20250622T145700" };
const front = [...bogeys.slice(0, 9), ...Array<number>(9).fill(-1)];
const back = [...Array<number>(9).fill(-1), ...bogeys.slice(9)];

describe("fields that a valid card leaves out", () => {
  test("an account that is bound to one of two clubs of a course need not say which, and is told if it says the other", () => {
    const [own, other] = [guidKey(redId), guidKey(clubId)];
    const sharing = { courses: register(version({ ListedBy: [other, own] })), club: { id: own, number: 7 } };
    const { Course } = minimalCard();
    const sent = minimalCard({ Course: { ...Course, ClubID: undefined } });
    expect(accepted(sent, sharing).card.Course.ClubID).toBe(own);
    expect(accepted(sent, { courses: sharing.courses }).card.Course.ClubID).toBe(other);
    expect(faultsOf(minimalCard(), sharing)).toMatchObject([{ code: "other_club", expected: own }]);
  });

  test("the smallest card comes back with every field that can be derived", () => {
    const { card } = accepted(minimalCard());
    expect(card).toEqual(
      minimalCard({
        ID: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
        PHCP: 9,
        Course: {
          ...minimalCard().Course,
          ClubName: "Test Club",
          Name: "Old Course",
          Country: "DK",
          TeeName: "Yellow",
          TeePar: 72,
          TeeRating: "718000",
          TeeSlope: 119,
          Holes: tee().Holes.map((hole) => ({ ...hole, SPH: Number(hole.Index) <= 9 ? 1 : 0 })),
        },
        Result: {
          ...minimalCard().Result,
          Points: [2, 2, 1, 2, 2, 1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 2, 1],
          TotalPoints: 27,
          TotalStrokes: 90,
          NetDoubleBogeyGross: 90,
        },
      }),
    );
  });

  test("the ID is the same for the same card, and another one for another vendor", () => {
    const { card } = accepted(minimalCard());
    expect(accepted(minimalCard()).card.ID).toBe(card.ID);
    expect(accepted(minimalCard(), { apiSet: "other" as ApiSet }).card.ID).not.toBe(card.ID);
    expect(accepted(minimalCard({ ExternalID: "other" })).card.ID).not.toBe(card.ID);
  });

  test("the ID is a UUID of version 5, and stays the same in later versions of this code", () => {
    const namespace = "5e0c9c57-4a54-4f3e-9d0f-0c3a8a1b7e64";
    // Twenty names have every variant digit, and one has letters of more than one byte.
    for (const ExternalID of ["runde-søhøj", ...Array.from({ length: 20 }, (_, card) => `card-${card}`)])
      expect(accepted(minimalCard({ ExternalID })).card.ID).toBe(v5(`acme/${ExternalID}`, namespace));
  });

  test("Country is the union's configured country", () => {
    expect(accepted(minimalCard(), { country: "NL" }).card.Course.Country).toBe("NL");
  });

  test("NetDoubleBogeyGross is left out if holes of the round were not played", () => {
    const { card } = accepted(minimalCard({ Result: played(bogeys.with(17, -1)) }));
    expect(card.Result).not.toHaveProperty("NetDoubleBogeyGross");
    expect(card.Result.TotalStrokes).toBe(84);
  });

  test("the handicap is spread over the nine holes played, by the order of their indexes", () => {
    const nine = { CourseHandicap: 4, Result: played(front), Round: round };
    const { card } = accepted(minimalCard(nine));
    // Indexes 7 3 15 9 1 11 17 5 13: the four hardest of them are 1, 3, 5 and 7.
    expect(card.Course.Holes?.map(({ SPH }) => SPH)).toEqual([
      1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(card.Result).toMatchObject({ TotalStrokes: 45, NetDoubleBogeyGross: 45, TotalPoints: 13 });
  });

  test("the handicap is spread over the half that was played, even if one of its holes was not", () => {
    const nine = { CourseHandicap: 4, Result: played(back.with(12, -1)), Round: round };
    const { card } = accepted(minimalCard(nine));
    // Indexes of the last nine 8 16 4 12 2 10 18 6 14: the four hardest are 2, 4, 6 and 8.
    expect(card.Course.Holes?.map(({ SPH }) => SPH)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0,
    ]);
    expect(card.Result).not.toHaveProperty("NetDoubleBogeyGross");
  });

  test("the handicap of nine holes is spread over the half that was played, or over nine holes of both", () => {
    const nine = (strokes: number[], HolesPlayed = 9) =>
      accepted(
        minimalCard({ CourseHandicap: 4, Result: played(strokes), Round: { ...round, HolesPlayed } }),
      ).card.Course.Holes?.flatMap(({ SPH }, hole) => (SPH === 1 ? [hole + 1] : []));
    // Stroke indexes 1, 3, 5 and 7 are on holes 5, 2, 8 and 1; 1 to 4 on holes 5, 14, 2 and 12; 1, 5, 7 and 9 of those
    // that were played and hole 1, which follows them, on holes 5, 8, 1 and 4.
    expect(nine(front.with(0, -1))).toEqual([1, 2, 5, 8]);
    expect(nine(front.with(8, -1))).toEqual([1, 2, 5, 8]);
    expect(nine(front.with(0, -1).with(17, 5).with(1, -1))).toEqual([1, 4, 5, 8]);
    expect(nine(front, 18)).toEqual([2, 5, 12, 14]);
  });

  test("points count the Playing Handicap, net double bogey the Course Handicap", () => {
    const strokes = pars.map((par) => par + 4);
    const { card } = accepted(
      minimalCard({ PHCP: 0, CourseHandicap: 18, HCP: 170000, Result: played(strokes) }),
    );
    expect(card.Result).toMatchObject({ TotalPoints: 0, NetDoubleBogeyGross: 72 + 3 * 18 });
    expect(card.Course.Holes?.map(({ SPH }) => SPH)).toEqual(pars.map(() => 0));
  });

  /** A card that brings the strokes received on each hole and the total of its points, but not the points. */
  const ownAllocation = (TotalPoints: number | undefined) => {
    const card = fullCard();
    for (const hole of card.Course.Holes) hole.SPH = hole.Index === 1 ? 9 : 0;
    const { Points, ...Result } = card.Result;
    return { ...card, Result: { ...Result, TotalPoints } };
  };

  test("the points agree with the TotalPoints that was sent, if the card's own SPH account for it", () => {
    // One point a hole for bogey, and nine more on the hole with all nine strokes: 27 as well; with ten strokes 28.
    const card = ownAllocation(28);
    card.Course.Holes[4].SPH = 10;
    expect(accepted(card).card.Result.Points).toEqual(pars.map((_, hole) => (hole === 4 ? 11 : 1)));
  });

  test("the points are those of the rules if TotalPoints is left out or the same", () => {
    const ruled = accepted(minimalCard()).card.Result.Points;
    expect(accepted(ownAllocation(undefined)).card.Result.Points).toEqual(ruled);
    expect(accepted(ownAllocation(27)).card.Result.Points).toEqual(ruled);
  });

  test("a TotalPoints that no allocation accounts for is a fault", () => {
    expect(short(faultsOf(ownAllocation(90)))).toEqual(["total_mismatch /Result/TotalPoints"]);
    const { Holes, ...Course } = ownAllocation(90).Course;
    expect(short(faultsOf({ ...ownAllocation(90), Course }))).toEqual(["total_mismatch /Result/TotalPoints"]);
  });

  test.each(["Number", "Par", "Index", "Length", "SPH"])(
    "is the %s of one hole, where only that is",
    (field) => {
      const card = fullCard();
      delete card.Course.Holes[3][field];
      expect(accepted(card).card.Course.Holes).toEqual(fullCard().Course.Holes);
    },
  );
});
