import type { TournamentCard } from "@scorecard-pipeline/scorecards-client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Board, boards } from "../../portal/base/route.ts";
import { leaderboard, listRounds } from "../../portal/views/tournaments/leaderboard.ts";

type Given = Partial<Omit<TournamentCard, "result">> & {
  readonly result?: Partial<TournamentCard["result"]>;
};

const card = (player: string, { result, ...given }: Given = {}): TournamentCard => ({
  externalId: `card of ${player} ${given.round ?? 1}`,
  version: 1,
  state: "delivered",
  acceptedAt: "2026-07-04T15:00:00.000Z",
  since: "2026-07-04T15:00:01.000Z",
  day: "2026-07-04",
  round: 1,
  warnings: [],
  player,
  result: { holes: 18, played: 18, par: 72, points: 30, gross: 90, net: 75, ...result },
  ...given,
});
const placed = (cards: readonly TournamentCard[], board: Board, round?: string) =>
  leaderboard(cards, board, round).map(({ place, player, total }) => [place, player, total]);

test("by points the most are best, by net and gross the fewest, and equals share a place", () => {
  const cards = [
    card("a", { result: { points: 36, net: 70, gross: 100 } }),
    card("b", { result: { points: 36, net: 71, gross: 85 } }),
    card("c", { result: { points: 40, net: 69, gross: 85 } }),
    card("d", { result: { points: 20, net: 90, gross: 110 } }),
  ];
  expect(placed(cards, "points")).toEqual([
    [1, "c", 40],
    [2, "a", 36],
    [2, "b", 36],
    [4, "d", 20],
  ]);
  expect(placed(cards, "net").map(([, player]) => player)).toEqual(["c", "a", "b", "d"]);
  expect(placed(cards, "gross").map(([place, player]) => [place, player])).toEqual([
    [1, "b"],
    [1, "c"],
    [3, "a"],
    [4, "d"],
  ]);
});

test("by strokes, whoever has played fewer rounds or holes is not before whoever has played more", () => {
  const cards = [
    card("both", { round: 1, result: { net: 80 } }),
    card("both", { round: 2, result: { net: 80 } }),
    card("one", { round: 1, result: { net: 60 } }),
    card("part", { round: 1, result: { net: 40, played: 9 } }),
    card("pick-up", { round: 1, result: { net: undefined, gross: undefined } as never }),
  ];
  expect(placed(cards, "net")).toEqual([
    [1, "both", 160],
    [2, "one", 60],
    [3, "part", 40],
    [undefined, "pick-up", undefined],
  ]);
  expect(placed(cards, "net", "2")).toEqual([[1, "both", 80]]);
});

test("of two cards of one player and round the latest counts, and withdrawn ones do not", () => {
  const cards = [
    card("a", { acceptedAt: "2026-07-04T16:00:00.000Z", result: { points: 31 } }),
    card("a", { acceptedAt: "2026-07-04T15:00:00.000Z", result: { points: 40 } }),
    card("b", { state: "withdrawn", result: { points: 45 } }),
    card("c", { state: "rejected", result: { points: 12 } }),
  ];
  expect(placed(cards, "points")).toEqual([
    [1, "a", 31],
    [2, "c", 12],
  ]);
  expect([...(leaderboard(cards, "points")[0]?.several ?? [])]).toEqual([["1", 2]]);
});

test("rounds are in the order of their numbers, and those without one after them by day", () => {
  const rounds = [{ round: 10 }, { round: 2 }, { round: undefined, day: "2026-07-05" }, { round: undefined }];
  const cards = rounds.map((one, place) => card(String(place), one as Given));
  expect(listRounds(cards)).toEqual(["2", "10", "2026-07-04", "2026-07-05"]);
});

test("every player with a card that is not withdrawn has one line, whatever was sent", () => {
  const some = fc.array(
    fc.record({
      player: fc.constantFrom("a", "b", "c"),
      round: fc.constantFrom(1, 2, undefined),
      state: fc.constantFrom("queued", "delivered", "withdrawn"),
      played: fc.integer({ min: 0, max: 18 }),
      gross: fc.option(fc.integer({ min: 60, max: 140 }), { nil: undefined }),
    }),
  );
  fc.assert(
    fc.property(some, fc.constantFrom(...boards), (given, board) => {
      const cards = given.map(({ player, round, state, played, gross }) =>
        card(player, { round, state, result: { played, gross } } as Given),
      );
      const lines = leaderboard(cards, board);
      const players = cards.filter(({ state }) => state !== "withdrawn").map(({ player }) => player);
      expect(lines.map(({ player }) => player).toSorted()).toEqual([...new Set(players)].toSorted());
      const places = lines.flatMap(({ place }) => place ?? []);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      // Whoever has no result to compare comes last.
      expect(lines.findLastIndex(({ place }) => place !== undefined)).toBe(places.length - 1);
    }),
  );
});
