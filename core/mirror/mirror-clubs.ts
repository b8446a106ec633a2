import { isDeepStrictEqual } from "node:util";
import type { Club } from "../course/course.ts";
import type { ClubTable } from "../store/clubs.ts";
import type { Listing } from "../union/register.ts";
import { type GuidKey, guidKey } from "../wire/guid.ts";

/** The clubs to mirror, by their IDs. */
export interface MirroredClubs {
  /** Those whose courses are to be asked for. */
  readonly present: readonly GuidKey[];
  /** Those that are still mirrored, but that the union does not list any more. */
  readonly removed: readonly GuidKey[];
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
  const mirrored = new Map((await table.all()).map((club) => [guidKey(club.ID), club]));
  const entries = listing?.entries ?? [];
  await table.put(entries.filter((club) => !isDeepStrictEqual(mirrored.get(guidKey(club.ID)), club)));
  const listed = new Set(entries.map((club) => guidKey(club.ID)));
  const unlisted = [...mirrored.keys()].filter((id) => !listed.has(id));
  const whole = listing !== undefined && listing.unreadable === 0 && entries.length > 0;
  return whole
    ? { present: [...listed], removed: unlisted }
    : { present: [...listed, ...unlisted], removed: [] };
}
