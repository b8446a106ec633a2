import type { Assessment } from "../golf/assess.ts";
import { unknownPlayer } from "../golf/unknown-player.ts";
import { type AskForPlayer, askForPlayers } from "./ask-for-players.ts";

/** How many players of the valid cards the union knows, does not know, and was not asked for or did not answer. */
export interface PlayerCounts {
  readonly known: number;
  readonly unknown: number;
  readonly unanswered: number;
}

/** Assessments with the warnings about players whom the union does not know. */
export interface CheckedPlayers {
  readonly assessments: readonly Assessment[];
  readonly players: PlayerCounts;
}

/**
 * Asks the union for the players of valid cards, and warns of those whom it does not know.
 *
 * @param ask undefined if the union cannot be asked
 * @param left milliseconds that are left
 */
export async function warnOfUnknownPlayers(
  assessments: readonly Assessment[],
  ask: AskForPlayer | undefined,
  left: () => number,
): Promise<CheckedPlayers> {
  const unionIds = assessments.flatMap((assessment) =>
    assessment.good ? [assessment.card.Player.UnionID] : [],
  );
  const players = [...new Set<string>(unionIds)];
  const { isKnown } = ask === undefined ? { isKnown: new Map() } : await askForPlayers(ask, players, left);
  const known = players.filter((unionId) => isKnown.get(unionId)).length;
  return {
    assessments: assessments.map((assessment) => {
      if (!assessment.good || isKnown.get(assessment.card.Player.UnionID) !== false) return assessment;
      const warning = unknownPlayer(assessment.index, assessment.externalId);
      return { ...assessment, warnings: [...assessment.warnings, warning] };
    }),
    players: { known, unknown: isKnown.size - known, unanswered: players.length - isKnown.size },
  };
}
