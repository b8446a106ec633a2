import { contentAcceptedAt, type StoredCard } from "../cards/life/card.ts";
import type { CardState } from "../cards/life/states.ts";
import { warningsOf } from "../cards/status.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { tournamentOf } from "./tournament.ts";

/** A card of a tournament. Times are ISO 8601, UTC. */
export interface TournamentCard {
  readonly externalId: string;
  readonly version: number;
  readonly state: CardState;
  /** Of its content: a card that is sent on again is no later than it was. */
  readonly acceptedAt: string;
  readonly since: string;
  /** Day of play, e.g. `2026-07-04`. */
  readonly day: string;
  /** Absent if the card has no number from 1 to 99. */
  readonly round?: number;
  /** Codes of its warnings. */
  readonly warnings: readonly string[];
  readonly record?: "recorded" | "not_recorded";
  /** As the card has it. */
  readonly playerName?: string;
}

/**
 * A stored card as its tournament shows it.
 *
 * @returns undefined if the card is not, or no longer, of this tournament and day, or its player was erased
 */
export function tournamentCard(card: StoredCard, id: string, day: string): TournamentCard | undefined {
  const { externalId, version, state, since, record, content } = card;
  const { Round, Player } = content.card() as Partial<Pick<Scorecard, "Round" | "Player">>;
  const tournament = tournamentOf({ Round });
  if (tournament?.id !== id || tournament.day !== day) return undefined;
  const playerName = Player?.FullName;
  return {
    externalId,
    version,
    state,
    acceptedAt: new Date(contentAcceptedAt(card)).toISOString(),
    since: new Date(since).toISOString(),
    day,
    ...(tournament.round > 0 && { round: tournament.round }),
    warnings: [...new Set(warningsOf(card).map(({ code }) => code))],
    ...(record !== undefined && { record: record.isRecorded ? "recorded" : "not_recorded" }),
    ...(playerName && { playerName }),
  };
}
