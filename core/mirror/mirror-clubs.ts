import { isDeepStrictEqual } from "node:util";
import type { Club } from "../course/course.ts";
import type { ClubTable } from "../store/clubs.ts";
import type { Listing } from "../union/register.ts";

/**
 * Brings the mirrored clubs up to what the union lists: writes those that are new or changed, removes those that
 * are gone. An empty or partly unreadable list removes none.
 */
export async function mirrorClubs(table: ClubTable, listing: Listing<Club>): Promise<void> {
  const mirrored = new Map((await table.all()).map((club) => [club.ID.toUpperCase(), club]));
  const changed = listing.entries.filter(
    (club) => !isDeepStrictEqual(mirrored.get(club.ID.toUpperCase()), club),
  );
  await table.put(changed);
  if (listing.unreadable > 0 || listing.entries.length === 0) return;
  const listed = new Set(listing.entries.map((club) => club.ID.toUpperCase()));
  await table.remove([...mirrored.keys()].filter((id) => !listed.has(id)));
}
