import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { describe, expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import { proofSeed } from "../../proofs/proof-seed.ts";
import { context, type Json, minimalCard, nineHoleCard, strokesOfRound } from "./sample-cards.ts";
import { redId } from "./sample-courses.ts";

interface Played {
  readonly player?: string;
  readonly lifeTimeId?: string;
  /** hhmm of 22 June 2025. */
  readonly at?: string;
  readonly day?: string;
  readonly nine?: boolean;
  readonly change?: Json;
  readonly number?: number;
  /** Which strokes; without it rounds of other starts have other strokes. */
  readonly first?: number;
  /** Places of holes that were picked up. */
  readonly other?: readonly number[];
}

const { Course } = minimalCard();
const red = { Course: { ...Course, TeeID: redId }, CourseHandicap: 12 };

/** The codes about rounds of the cards of one submission, in order. */
function doubtsOf(...rounds: Played[]): string[][] {
  const cards = rounds.map(
    (
      { player = "1016-1", lifeTimeId, at = "1000", day = "20250622", nine, change, number, ...round },
      index,
    ) => {
      const { first = 3 + (Number(day + at) % 97), other = [] } = round;
      const card = (nine ? nineHoleCard : minimalCard)({ ExternalID: `card-${index}`, ...change });
      return {
        ...card,
        CreateDateTime: "20250623T120000",
        Result: {
          ...card.Result,
          Strokes: strokesOfRound(card.Result.Strokes, first).map((taken, hole) =>
            other.includes(hole) ? 0 : taken,
          ),
        },
        Player: { UnionID: player, ...(lifeTimeId && { LifeTimeID: lifeTimeId }) },
        Round: { ...card.Round, StartTime: `${day}T${at}00`, TournamentRoundNumber: number },
      };
    },
  );
  return assessSubmission(cards, context()).map((assessment) => {
    if (!assessment.good) throw new Error(JSON.stringify(assessment.faults));
    return assessment.warnings.map(({ code }) => code).filter((code) => code.startsWith("round"));
  });
}

describe("a round of a player that the submission has already", () => {
  test.each<[string, Played[], string[][]]>([
    ["the same round under another ExternalID", [{}, {}], [[], ["round_seen"]]],
    ["under a number with another count of zeros", [{}, { player: "1016-01" }], [[], ["round_seen"]]],
    [
      "of a player of two clubs",
      [{ lifeTimeId: "010190-001" }, { player: "1017-5", lifeTimeId: "010190-001" }],
      [[], ["round_seen"]],
    ],
    ["under one round number and none", [{ number: 1 }, {}], [[], ["round_seen"]]],
    ["under the same round number", [{ number: 1 }, { number: 1 }], [[], ["round_seen"]]],
    ["as another round of a tournament that has one start", [{ number: 1 }, { number: 2 }], [[], []]],
    ["with the same strokes two hours later", [{ first: 5 }, { first: 5, at: "1200" }], [[], ["round_seen"]]],
    [
      "with the same strokes a day later",
      [{ first: 5 }, { first: 5, day: "20250623" }],
      [[], ["round_seen"]],
    ],
    ["as the nine of eighteen", [{ first: 5 }, { first: 5, nine: true, at: "1500" }], [[], ["round_seen"]]],
    ["from another tee", [{ first: 5 }, { first: 5, at: "1500", change: red }], [[], ["round_seen"]]],
    ["with two other holes", [{ first: 5 }, { first: 5, at: "1500", other: [3, 7] }], [[], ["round_seen"]]],
    ["three times", [{}, {}, {}], [[], ["round_seen"], ["round_seen"]]],
    ["on another course at the same minute", [{}, { nine: true }], [[], ["round_seen"]]],
    ["89 minutes after the start of eighteen holes", [{}, { at: "1129" }], [[], ["rounds_overlap"]]],
    ["89 minutes before another", [{ at: "1129" }, {}], [[], ["rounds_overlap"]]],
    ["44 minutes after the start of nine holes", [{ nine: true }, { at: "1044" }], [[], ["rounds_overlap"]]],
    [
      "the seventh eighteen of a day",
      ["0400", "0600", "0800", "1000", "1200", "1400", "1600"].map((at) => ({ at })),
      [[], [], [], [], [], [], ["rounds_many"]],
    ],
    [
      "the thirteenth nine of a day",
      Array.from({ length: 13 }, (_, round) => ({
        nine: true,
        at: `${String(6 + round)}00`.padStart(4, "0"),
      })),
      [...Array.from({ length: 12 }, () => []), ["rounds_many"]],
    ],
  ])("gets a warning: %s", (_, rounds, expected) => {
    expect(doubtsOf(...rounds)).toEqual(expected);
  });
});

describe("rounds that only look the same", () => {
  test.each<[string, Played[]]>([
    ["two rounds of eighteen on a day", [{}, { at: "1430" }]],
    ["with three other holes", [{ first: 5 }, { first: 5, at: "1500", other: [3, 7, 9] }]],
    ["the next round, 90 minutes later", [{}, { at: "1130" }]],
    ["the second nine, 45 minutes later", [{ nine: true }, { nine: true, at: "1045" }]],
    ["the same time on another day", [{}, { day: "20250621" }]],
    ["two rounds without tee times", [{ at: "0000" }, { at: "0000", first: 9 }]],
    ["the same strokes three days earlier", [{ first: 5 }, { first: 5, day: "20250619" }]],
    ["a nine of another day", [{ first: 5 }, { first: 5, nine: true, day: "20250623" }]],
    ["twins", [{}, { player: "1016-2" }]],
    ["a member of another club with the same member number", [{}, { player: "1017-1" }]],
    ["a shotgun start", Array.from({ length: 40 }, (_, player) => ({ player: `1016-${player + 1}` }))],
    ["six rounds of eighteen", ["0600", "0800", "1000", "1200", "1400", "1600"].map((at) => ({ at }))],
    [
      "six rounds of eighteen, and a nine",
      [...["0600", "0800", "1000", "1200", "1400", "1600"].map((at) => ({ at })), { nine: true, at: "1800" }],
    ],
  ])("get no warning: %s", (_, rounds) => {
    expect(doubtsOf(...rounds).flat()).toEqual([]);
  });

  test("a card with a fault is not sent on, so another one of the same round gets no warning", () => {
    const refused = minimalCard({ ExternalID: "refused", Result: { Strokes: [4], IsQualifying: true } });
    const [, good] = assessSubmission([refused, minimalCard()], context());
    expect(good).toMatchObject({ good: true, warnings: [] });
  });
});

test("the warning says by how much the two starts differ", () => {
  const later = { ExternalID: "other", Round: { ...minimalCard().Round, StartTime: "20250622T165700" } };
  const [, second] = assessSubmission([minimalCard(), minimalCard(later)], context());
  expect(second?.warnings.map(({ detail }) => detail)).toEqual([
    expect.stringContaining("This round begins 2 hours later: one of the two StartTimes may be in UTC"),
  ]);
});

test("the warning names the other card of the submission if it is of the same club, and no player", () => {
  const ListedBy = [Course.ClubID, redId].map(guidKey);
  const courses = (id: string) =>
    context()
      .courses(id)
      ?.map((one) => ({ ...one, ListedBy }));
  const cards = [Course.ClubID, Course.ClubID, redId].map((ClubID, place) =>
    minimalCard({ ExternalID: `card-${place}`, Course: { ...Course, ClubID } }),
  );
  const [, same, other] = assessSubmission(cards, context({ courses }));
  const detail = expect.stringMatching(/^The card at index 0 .*, card-0, /);
  expect(same?.warnings).toMatchObject([{ pointer: "/Round/StartTime", detail }]);
  expect(other?.warnings.at(-1)?.detail).toMatch(/^The card at index 0 of this submission is of/);
});

const random = seededRandom(proofSeed ?? 1, "same round");
const played = () => minimalCard().Result.Strokes.map((taken: number) => taken + random.whole(-1, 2));

/** One round as another system has it: a hole, tee, nine, name or membership differs. */
function drawPair(number: number): Json[] {
  const card = minimalCard({
    ExternalID: `one-${number}`,
    Result: { Strokes: played(), IsQualifying: true },
  });
  const [UnionID, LifeTimeID] = [`1016-${number + 1}`, `010190-${String(number).padStart(3, "0")}`];
  const one = { ...card, Player: { UnionID, LifeTimeID } };
  const { Strokes } = one.Result;
  const StartTime = random.oneOf(["20250622T165700", "20250622T140000", "20250622T000000"]);
  const again = { ...one, ExternalID: `other-${number}`, Round: { ...one.Round, StartTime } };
  const other = random.oneOf([
    () => ({
      ...again,
      Result: { ...one.Result, Strokes: Strokes.with(random.whole(0, 17), random.oneOf([0, 9])) },
    }),
    () => ({ ...again, ...red }),
    () => {
      const nine = nineHoleCard({ ExternalID: again.ExternalID, Player: again.Player });
      const from = random.oneOf([0, 9]);
      return { ...nine, Result: { ...nine.Result, Strokes: Strokes.slice(from, from + 9) } };
    },
    () => again,
    () => ({ ...again, Player: { ...again.Player, UnionID: `1017-${number + 1}` } }),
  ])();
  return [one, other];
}
const isSeen = (cards: readonly Json[]) =>
  assessSubmission(cards, context()).map(({ warnings }) =>
    warnings.some(({ code }) => code === "round_seen"),
  );

test("of 200 rounds that two systems send with another hole, tee, nine, name or membership, at least 95 % are seen", () => {
  const seen = Array.from({ length: 200 }, (_, number) => isSeen(drawPair(number))[1]);
  expect(seen.filter(Boolean).length).toBeGreaterThanOrEqual(190);
});

test("of 10,000 rounds of friends on one day, some of two rounds, at most three are taken for others", () => {
  const rounds = Array.from({ length: 10_000 }, (_, number) => {
    // Two of five play a second round in the afternoon.
    const player = number % 7_000;
    const StartTime = number < 7_000 ? "20250622T083000" : "20250622T140000";
    return minimalCard({
      ExternalID: `card-${number}`,
      Result: { Strokes: played(), IsQualifying: true },
      Round: { ...minimalCard().Round, StartTime },
      Player: { UnionID: `1016-${player + 1}` },
    });
  });
  expect(isSeen(rounds).filter(Boolean).length).toBeLessThanOrEqual(3);
});
