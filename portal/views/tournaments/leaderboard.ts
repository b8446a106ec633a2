import { CardState, type TournamentCard } from "@scorecard-pipeline/scorecards-client";
import type { Board } from "../../base/route.ts";

/** A round of a tournament: its number, or its day if the cards have no number. */
const roundOf = ({ round, day }: Pick<TournamentCard, "round" | "day">): string =>
  round === undefined ? day : String(round);

/** The rounds of some cards, in order: the numbered ones first. */
export function listRounds(cards: readonly TournamentCard[]): string[] {
  return [...new Set(cards.map(roundOf))].sort((one, other) => {
    const [a, b] = [one.includes("-"), other.includes("-")];
    if (a !== b) return a ? 1 : -1;
    return a ? (one < other ? -1 : 1) : Number(one) - Number(other);
  });
}

/** A player's line of a leaderboard. */
export interface BoardLine {
  /** The same for those who are equal; absent without a result to compare. */
  readonly place?: number;
  readonly player: string;
  /** The cards that count, by round; the latest if there are several. */
  readonly cards: ReadonlyMap<string, TournamentCard>;
  /** Rounds of which several cards were sent, with their number. */
  readonly several: ReadonlyMap<string, number>;
  readonly total?: number;
}

/** What a card counts on a leaderboard; undefined if the ball was picked up, and strokes count. */
export const readCounted = ({ result }: TournamentCard, board: Board): number | undefined => result[board];

const isWhole = ({ result: { played, holes } }: TournamentCard) => played >= holes;

/**
 * The leaderboard of some cards, best first. By strokes, whoever has played more rounds and holes is before whoever has played
 * fewer, since fewer strokes are no better then.
 *
 * @param round one of `roundsOf`; all if left out
 */
export function leaderboard(all: readonly TournamentCard[], board: Board, round?: string): BoardLine[] {
  const cards = all.filter(
    (card) => card.state !== CardState.withdrawn && (round === undefined || roundOf(card) === round),
  );
  const lines = [...Map.groupBy(cards, ({ player }) => player)].map(([player, own]) => {
    const byRound = Map.groupBy(own, roundOf);
    const counted = new Map([...byRound].map(([of, some]) => [of, findLatest(some)] as const));
    const several = new Map(
      [...byRound].filter(([, some]) => some.length > 1).map(([of, some]) => [of, some.length]),
    );
    const values = [...counted.values()].map((card) => readCounted(card, board));
    const total = values.every((value) => value !== undefined)
      ? values.reduce((sum, value) => sum + (value ?? 0), 0)
      : undefined;
    return { player, cards: counted, several, ...(total !== undefined && { total }) };
  });
  const sorted = lines.toSorted((one, other) => compare(one, other, board) || byName(one, other));
  let place = 0;
  return sorted.map((line, index) => {
    const before = sorted[index - 1];
    if (before === undefined || compare(before, line, board) !== 0) place = index + 1;
    return line.total === undefined ? line : { ...line, place };
  });
}

const findLatest = (cards: readonly TournamentCard[]): TournamentCard =>
  cards.reduce((one, other) => (other.acceptedAt > one.acceptedAt ? other : one));

const countPlayed = ({ cards }: BoardLine) => ({
  rounds: [...cards.values()].filter(isWhole).length,
  holes: [...cards.values()].reduce((sum, { result }) => sum + result.played, 0),
});

/** Negative if one is better. */
function compare(one: BoardLine, other: BoardLine, board: Board): number {
  if (one.total === undefined || other.total === undefined) {
    return Number(one.total === undefined) - Number(other.total === undefined);
  }
  if (board === "points") return other.total - one.total;
  const [a, b] = [countPlayed(one), countPlayed(other)];
  return b.rounds - a.rounds || b.holes - a.holes || one.total - other.total;
}

const nameOf = ({ cards }: BoardLine) => {
  const [first] = cards.values();
  return first?.playerName ?? first?.externalId ?? "";
};

/** So that the order of those who are equal does not change with each read. */
const byName = (one: BoardLine, other: BoardLine) =>
  nameOf(one).localeCompare(nameOf(other)) || (one.player < other.player ? -1 : 1);
