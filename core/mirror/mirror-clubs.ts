import { isDeepStrictEqual } from "node:util";
import type { Club } from "../course/course.ts";
import type { ClubTable } from "../store/clubs.ts";
import type { Listing } from "../union/register.ts";

/** The clubs to mirror, by their IDs in upper case. */
export interface MirroredClubs {
  /** Those whose courses are to be asked for. */
  readonly present: readonly string[];
  /** Those that are still mirrored, but that the union does not list any more. */
  readonly removed: readonly string[];
}

/**
 * Brings the mirrored clubs up to what the union lists: writes those that are new or changed.
 *
 * An empty or partly unreadable list, or none at all, removes no club: those that are mirrored are still asked for.
 *
 * @param listing undefined where the union did not give one
 */
export async function mirrorClubs(
  table: ClubTable,
  listing: Listing<Club> | undefined,
): Promise<MirroredClubs> {
  const mirrored = new Map((await table.all()).map((club) => [club.ID.toUpperCase(), club]));
  const entries = listing?.entries ?? [];
  await table.put(entries.filter((club) => !isDeepStrictEqual(mirrored.get(club.ID.toUpperCase()), club)));
  const listed = new Set(entries.map((club) => club.ID.toUpperCase()));
  const unlisted = [...mirrored.keys()].filter((id) => !listed.has(id));
  const whole = listing !== undefined && listing.unreadable === 0 && entries.length > 0;
  return whole
    ? { present: [...listed], removed: unlisted }
    : { present: [...listed, ...unlisted], removed: [] };
}
