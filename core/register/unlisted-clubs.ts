import { dayMilliseconds } from "../formats/days.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseTable } from "./course-table.ts";
import type { ClubSync } from "./sync-state.ts";

/** So long the union's list and its answer for the club itself must agree that the club is gone. */
const agreementMilliseconds = dayMilliseconds;
/** A club that is in doubt for longer than this is the operator's to decide. */
const doubtMilliseconds = 2 * dayMilliseconds;
/** If more of the mirrored clubs than this share are missing from a list, an operator decides; a single club never needs one. */
const shareWithoutOperator = 0.02;

/**
 * What becomes of a mirrored club that the union's list lacks: `remove` it, `keep` it because that is not proven yet, or
 * keep it until an `operator` decides.
 */
export type UnlistedDecision = "remove" | "keep" | "operator";

/**
 * Decides about a club that a readable list of the union lacks.
 *
 * A list that leaves a club out proves nothing by itself: it may have been cut off. So the union is asked for the club as well,
 * in every sync; only if it says that it knows no such club, and has said so for a day, is the club removed.
 *
 * @param sizes mirrored clubs, and how many of them the list lacks
 * @param beganAt when this sync began, in milliseconds since 1970, UTC
 */
export function decideUnlisted(
  { unlisted, attemptedAt, failures }: Pick<ClubSync, "unlisted" | "attemptedAt" | "failures">,
  { mirrored, lacking }: { readonly mirrored: number; readonly lacking: number },
  beganAt: number,
): UnlistedDecision {
  if (lacking > Math.max(1, shareWithoutOperator * mirrored)) return "operator";
  const saidUnknownNow = unlisted?.unknownSince !== undefined && attemptedAt >= beganAt && failures === 0;
  if (saidUnknownNow && beganAt - unlisted.unknownSince >= agreementMilliseconds) return "remove";
  return beganAt - (unlisted?.since ?? beganAt) > doubtMilliseconds ? "operator" : "keep";
}

/** Decides about all clubs that the union does not list. */
export function decideAllUnlisted(
  clubs: ReadonlyMap<GuidKey, ClubSync>,
  beganAt: number,
): ReadonlyMap<GuidKey, UnlistedDecision> {
  const unlisted = [...clubs].filter(([, club]) => club.unlisted !== undefined);
  const sizes = { mirrored: clubs.size, lacking: unlisted.length };
  return new Map(unlisted.map(([id, club]) => [id, decideUnlisted(club, sizes, beganAt)]));
}

/**
 * Removes a club and all its courses. If the union lists the club again, the next sync restores both.
 *
 * @returns how many listings of versions were marked as removed
 */
export async function removeClub(
  id: GuidKey,
  tables: {
    readonly clubs: Pick<ClubTable, "remove">;
    readonly courses: Pick<CourseTable, "listings" | "remove">;
  },
  at: number,
): Promise<number> {
  const removed = await tables.courses.remove(await tables.courses.listings(id), at);
  // In this order, whoever is killed in between finds the club again.
  await tables.clubs.remove([id]);
  return removed;
}
