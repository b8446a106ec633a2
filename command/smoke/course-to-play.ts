import { readFromApi } from "../../client/vendor-api.ts";
import { timestampOf } from "../../core/formats/timestamp.ts";
import { wallClockAt } from "../../core/formats/zone-time.ts";
import { type PlayableTee, playableTees } from "../../sample/playable-course.ts";
import { utcInstant } from "../../sample/tee-time.ts";
import type { CourseVersion } from "../../sample/union-types.ts";
import { requestDeadline } from "../request-deadline.ts";
import type { VendorAccess } from "../vendor-access.ts";

/** Where a round can be played, as the API itself says. */
export interface CourseToPlay {
  readonly clubId: string;
  /** Official number of the club. */
  readonly unionNumber: number;
  readonly versionId: string;
  readonly tee: PlayableTee;
}

const mostClubsAsked = 100;
const someDays = 3 * 86_400_000;

/**
 * Looks for a course of 18 holes that has been in force for some days, through the API's own clubs and courses.
 *
 * @param timeZone the union's, an IANA name
 * @throws Error where none of the first hundred clubs has one
 */
export async function courseToPlay(
  { api, vendor }: Pick<VendorAccess, "api" | "vendor">,
  now: Date,
  timeZone: string,
  signal: AbortSignal,
): Promise<CourseToPlay> {
  const read = (path: string) => readFromApi(api, vendor, path, requestDeadline(), signal);
  const inForce = timestampOf(wallClockAt(now.getTime(), timeZone));
  const clubs = (await read("Clubs")) as { ID: string; UnionNumber: number }[];
  for (const { ID, UnionNumber } of clubs.slice(0, mostClubsAsked)) {
    const versions = (await read(`Clubs/${ID}/Courses?active=1&inforce=${inForce}`)) as CourseVersion[];
    for (const version of versions) {
      const [tee] = playableTees(version);
      if (tee === undefined || utcInstant(version.ActivationDate) > now.getTime() - someDays) continue;
      return { clubId: ID, unionNumber: UnionNumber, versionId: version.ID, tee };
    }
  }
  throw new Error(
    `None of ${clubs.length} clubs has a course of 18 holes in force: has the mirror been filled?`,
  );
}
