import { plainTournament } from "./tournament-id.ts";

/** What of a card tells its round from others, as far as the card has it. */
export interface RoundFacts {
  /** Empty without one. */
  readonly tournament: string;
  /** `2026-09-19` */
  readonly day: string | undefined;
  readonly round: number | undefined;
  /** Member number; without one the person's number. */
  readonly player: string | undefined;
  readonly name: string | undefined;
  readonly strokes: readonly unknown[];
  /** The tee's ID in lower case. */
  readonly tee: string;
}

type Part = Readonly<Record<string, unknown>> | undefined;

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** Reads them from a card that nothing has checked. */
export function readRoundFacts(card: unknown): RoundFacts {
  const { Round, Player, Result, Course } = (card ?? {}) as Readonly<Record<string, Part>>;
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(String(Round?.StartTime)) ?? [];
  const { TournamentName: tournament, TournamentRoundNumber: round } = Round ?? {};
  return {
    tournament: plainTournament(textIn(tournament) ?? ""),
    day: day === undefined ? undefined : `${year}-${month}-${day}`,
    round: typeof round === "number" ? round : undefined,
    player: (textIn(Player?.UnionID) ?? textIn(Player?.LifeTimeID))?.toUpperCase(),
    name: textIn(Player?.FullName),
    tee: String(Course?.TeeID).toLowerCase(),
    strokes: Array.isArray(Result?.Strokes) ? Result.Strokes : [],
  };
}
