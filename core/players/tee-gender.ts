import { guidKey } from "../formats/identifiers.ts";
import type { CourseVersion } from "../golf/course.ts";
import { latestFirst, versionFacts } from "../golf/course-versions.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import type { CourseTable } from "../register/course-table.ts";
import { versionCache } from "../register/version-cache.ts";

const cacheLimits = { bytes: 16 * 1024 * 1024, milliseconds: 5 * 60_000, noneMilliseconds: 60_000 };

/**
 * Makes the function that reads the Gender of a card's tee from the mirror.
 *
 * @returns a function to 1 for female and 2 for male, or what else the register has; undefined if it does not have the tee
 */
export function teeGenderReader(
  courses: Pick<CourseTable, "course">,
): (course: Scorecard["Course"]) => Promise<unknown> {
  const versions = versionCache(cacheLimits, async (courseId) =>
    (await courses.course(courseId)).map(({ version }) => version),
  );
  return async ({ CourseID, TeeID }) => {
    if (CourseID === undefined || TeeID === undefined) return undefined;
    return genderOfTee(await versions.get(guidKey(CourseID)), TeeID);
  };
}

/** The Gender of a tee in the latest of these versions that has it; undefined if none has. */
export function genderOfTee(versions: readonly CourseVersion[], teeId: string): unknown {
  const tees = latestFirst(versions).map((version) => versionFacts(version).teesById.get(guidKey(teeId)));
  return tees.find((tee) => tee !== undefined)?.Gender;
}
