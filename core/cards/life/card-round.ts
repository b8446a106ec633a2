import type { CardContent } from "./card-content.ts";

/** The part of a card's round that the player's record also has. */
export interface CardRound {
  /** Timestamp in the union's time zone. */
  readonly startTime: string;
  readonly totalStrokes: number;
  readonly totalPoints: number;
  /** At least one of both numbers is there. */
  readonly unionId: string | undefined;
  readonly lifeTimeId: string | undefined;
}

/** Reads the round from a card that was accepted; undefined if its player was erased. */
export function roundOf(content: CardContent): CardRound | undefined {
  const { Round, Result, Player } = content.card() as Partial<{
    readonly Round: { readonly StartTime: string };
    readonly Result: { readonly TotalStrokes: number; readonly TotalPoints: number };
    readonly Player: { readonly UnionID?: string | null; readonly LifeTimeID?: string | null };
  }>;
  if (Round === undefined || Result === undefined || Player === undefined) return undefined;
  return {
    startTime: Round.StartTime,
    totalStrokes: Result.TotalStrokes,
    totalPoints: Result.TotalPoints,
    unionId: Player.UnionID ?? undefined,
    lifeTimeId: Player.LifeTimeID ?? undefined,
  };
}
