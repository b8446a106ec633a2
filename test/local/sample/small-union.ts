import { inventUnion } from "@scorecard-pipeline/stand-in";
import type { TournamentOptions } from "../../../local/sample/tournament.ts";

/** A Thursday in June. */
const now = new Date("2026-06-04T07:15:00Z");
const clubs = 11;

/** A small union: its courses have every history, and one of them is played for the first time in the future. */
export const union = inventUnion({ seed: 7, clubs, members: 200, now });

/** A tournament on the Tuesday and Wednesday before. */
export function tournamentOptions(given: Partial<TournamentOptions> = {}): TournamentOptions {
  return { ...union, seed: 7, run: "one", now, country: "DK", ...given };
}
