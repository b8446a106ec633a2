import type { Register } from "../register/register.ts";
import type { ReceivedCard } from "./record.ts";

interface CardParts {
  readonly Course?: { readonly CourseID?: unknown; readonly TeeID?: unknown } | null;
  readonly Result?: { readonly Strokes?: unknown } | null;
  readonly Player?: { readonly UnionID?: unknown } | null;
}

/**
 * Whether a handicap can be calculated from a card: its course and tee exist, it has a stroke for every hole, and its
 * player is a member. Nobody is told of a card from which it cannot.
 *
 * @see union-api, Errors, 3
 */
export function isCalculable(card: unknown, register: Register): boolean {
  const { Course, Result, Player } = (card ?? {}) as CardParts;
  const teeId = String(Course?.TeeID).toUpperCase();
  const tee = register
    .versions(String(Course?.CourseID))
    .flatMap(({ version }) => version.Tees)
    .find(({ ID }) => ID.toUpperCase() === teeId);
  if (tee === undefined || register.member({ unionId: String(Player?.UnionID) }) === undefined) return false;
  const strokes = Result?.Strokes;
  return Array.isArray(strokes) && strokes.length === tee.Holes.length;
}

/**
 * A player's record: the latest of each card that the player's rounds can be calculated from, in the order received.
 *
 * @param unionId any of the player's
 */
export function playerRecord(
  unionId: string,
  received: readonly ReceivedCard[],
  register: Register,
): ReceivedCard[] {
  const player = register.member({ unionId });
  if (player === undefined) return [];
  const latest = new Map<unknown, ReceivedCard>();
  for (const entry of received) {
    const { Player, ExternalID } = (entry.card ?? {}) as CardParts & { ExternalID?: unknown };
    if (register.member({ unionId: String(Player?.UnionID) }) !== player) continue;
    if (isCalculable(entry.card, register)) latest.set(`${entry.apiSet} ${ExternalID}`, entry);
  }
  return [...latest.values()];
}
