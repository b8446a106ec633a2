import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { timestampOf, wallClockAt } from "../../core/formats/union-time.ts";
import { type PlayableTee, playableTees } from "../../sample/playable-course.ts";
import { utcInstant } from "../../sample/tee-time.ts";

/** A course and tee for the round, as the API returns them. */
export interface CourseToPlay {
  readonly clubId: string;
  /** Official number of the club. */
  readonly unionNumber: number;
  readonly versionId: string;
  readonly tee: PlayableTee;
}

const maxClubs = 100;
/** A course that has been in force for so long was in force on the day of the round, whatever its time zone. */
const minMillisecondsInForce = 3 * 86_400_000;

/**
 * Finds a course of 18 holes that has been in force for some days, in the API's clubs and courses.
 *
 * @param timeZone the union's, an IANA name
 * @throws Error if none of the first hundred clubs has one
 */
export async function courseToPlay(
  client: Pick<ScorecardsClient, "clubs" | "courses">,
  now: Date,
  timeZone: string,
  signal: AbortSignal,
): Promise<CourseToPlay> {
  const inforce = timestampOf(wallClockAt(now.getTime(), timeZone));
  const clubs = await client.clubs({ signal });
  for (const { ID, UnionNumber } of clubs.slice(0, maxClubs)) {
    const versions = await client.courses(ID, { active: true, inforce }, { signal });
    for (const version of versions) {
      const [tee] = playableTees(version);
      if (tee === undefined || utcInstant(version.ActivationDate) > now.getTime() - minMillisecondsInForce)
        continue;
      return { clubId: ID, unionNumber: UnionNumber, versionId: version.ID, tee };
    }
  }
  throw new Error(
    `None of the first ${Math.min(clubs.length, maxClubs)} clubs has a course of 18 holes in force. Check that the mirror is filled.`,
  );
}
