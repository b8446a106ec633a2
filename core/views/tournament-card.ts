import { contentAcceptedAt, type StoredCard } from "../cards/life/card.ts";
import type { CardState } from "../cards/life/states.ts";
import { warningsOf } from "../cards/status.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import type { PlayerDigest } from "./start-list.ts";
import { tournamentOf } from "./tournament.ts";

/** A card of a tournament, with what a leaderboard needs. Times are ISO 8601, UTC. */
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
  /** The same for all cards of one player; a keyed hash of the player's number. */
  readonly player: string;
  /** As the card has it. */
  readonly playerName?: string;
  readonly clubName?: string;
  readonly playingHandicap?: number;
  readonly result: TournamentResult;
}

/** A card's result as it was sent. */
export interface TournamentResult {
  /** Holes of the round. */
  readonly holes: number;
  /** Holes that were played, those that were picked up included. */
  readonly played: number;
  /** Par of the holes that were played. */
  readonly par: number;
  readonly points: number;
  /** Strokes of the holes that were played; absent if the ball was picked up on any. */
  readonly gross?: number;
  /** The same less the strokes received on them off the Playing Handicap. */
  readonly net?: number;
}

type CardLeft = Partial<Pick<Scorecard, "Round" | "Player" | "PHCP" | "Course" | "Result">>;

/** Strokes and points, from the card's own holes. */
function resultOf({ Course, Result, Round }: CardLeft): TournamentResult {
  const strokes = Result?.Strokes ?? [];
  const played = strokes.flatMap((count, place) =>
    count < 0 ? [] : [{ count, hole: Course?.Holes?.[place] }],
  );
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const hasGross = played.length > 0 && played.every(({ count }) => count > 0);
  const gross = sum(played.map(({ count }) => count));
  const received = played.map(({ hole }) => hole?.SPH);
  const hasNet = hasGross && received.every((count) => count !== undefined);
  return {
    holes: Math.max(Round?.HolesPlayed ?? 0, played.length),
    played: played.length,
    par: sum(played.map(({ hole }) => hole?.Par ?? 0)),
    points: Result?.TotalPoints ?? 0,
    ...(hasGross && { gross }),
    ...(hasNet && { net: gross - sum(received.map((count) => count ?? 0)) }),
  };
}

/** The same text for all cards of a player, without the player's number. */
function playerKey(player: Partial<Scorecard["Player"]>, externalId: string, digest: PlayerDigest): string {
  const { UnionID, LifeTimeID, FullName } = player;
  return digest(UnionID || LifeTimeID || FullName || externalId);
}

const present = (text: string | null | undefined) => (text === "" ? undefined : (text ?? undefined));

/**
 * A stored card as its tournament shows it.
 *
 * @returns undefined if the card is not, or no longer, of this tournament and day, or its player was erased
 */
export function tournamentCard(
  card: StoredCard,
  id: string,
  day: string,
  digest: PlayerDigest,
): TournamentCard | undefined {
  const { externalId, version, state, since, record, content } = card;
  const left = content.card() as CardLeft;
  const tournament = tournamentOf(left);
  if (tournament?.id !== id || tournament.day !== day) return undefined;
  const { PHCP } = left;
  const player: Partial<Scorecard["Player"]> = left.Player ?? {};
  const [playerName, clubName] = [present(player.FullName), present(player.HomeClubName)];
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
    player: playerKey(player, externalId, digest),
    ...(playerName !== undefined && { playerName }),
    ...(clubName !== undefined && { clubName }),
    ...(typeof PHCP === "number" && { playingHandicap: PHCP }),
    result: resultOf(left),
  };
}
