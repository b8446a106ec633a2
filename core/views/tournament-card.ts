import type { TournamentCard } from "../../api/tournaments.ts";
import { contentAcceptedAt, type StoredCard } from "../cards/life/card.ts";
import { warningsOf } from "../cards/status.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { tournamentOf } from "./tournament.ts";

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
