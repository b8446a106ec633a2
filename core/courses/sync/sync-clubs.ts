import { isDeepStrictEqual } from "node:util";
import type { ClubTable } from "../../dynamodb/clubs.ts";
import { type GuidKey, guidKey } from "../../formats/guid.ts";
import type { Listing } from "../../union/register.ts";
import type { Club } from "../course.ts";

/** The clubs that a pass has to do with, by their IDs. */
export interface MirroredClubs {
  /** Those whose courses are to be asked for. */
  readonly present: readonly GuidKey[];
  /** Those that are still mirrored although the union no longer lists them. */
  readonly removed: readonly GuidKey[];
  /** Those that are mirrored and kept, although a list that was too short left them out. */
  readonly leftOut: readonly GuidKey[];
  /** Those whose own record is too large to be mirrored, or mirrored as it is now. */
  readonly tooLarge: readonly GuidKey[];
}

/** The most of the mirrored clubs, as a share, that one list may leave out. */
const mostRemoved = 0.5;

/**
 * Writes the clubs of the union's list that are new or changed, and tells which there are now.
 *
 * A list that is empty, partly unreadable or missing removes no club, nor does one that leaves out more than half of
 * them: it is cut off, or its first page. All that are mirrored are still asked for then.
 *
 * @param listing undefined where the union did not give one
 */
export async function mirrorClubs(
  table: ClubTable,
  listing: Listing<Club> | undefined,
): Promise<MirroredClubs> {
  const mirrored = new Map((await table.all()).map((club) => [guidKey(club.ID), club]));
  const entries = listing?.entries ?? [];
  const changed = entries.filter((club) => !isDeepStrictEqual(mirrored.get(guidKey(club.ID)), club));
  const tooLarge = (await table.put(changed)).map(({ ID }) => guidKey(ID));
  const listed = new Set(entries.map((club) => guidKey(club.ID)));
  const unlisted = [...mirrored.keys()].filter((id) => !listed.has(id));
  const whole = listing !== undefined && listing.unreadable === 0;
  const leftOut = whole && unlisted.length > mostRemoved * mirrored.size ? unlisted : [];
  return whole && leftOut.length === 0
    ? { present: [...listed], removed: unlisted, leftOut, tooLarge }
    : { present: [...listed, ...unlisted], removed: [], leftOut, tooLarge };
}
