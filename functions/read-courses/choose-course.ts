import type { CourseVersion } from "../../core/course/course.ts";
import { courseInForce, latestFirst } from "../../core/course/course-in-force.ts";
import { type ChangedVersion, type CourseQuery, selectCourses } from "../../core/course/course-query.ts";

/**
 * The one course that an ID names, among those a query asks for: of a version that version; of a TemplateID the
 * version in force, or else the newest.
 *
 * @param id of a version or a TemplateID, in any case
 */
export function chooseCourse(
  query: CourseQuery,
  versions: readonly ChangedVersion[],
  id: string,
  now: Date,
): CourseVersion | undefined {
  const wanted = id.toUpperCase();
  const named = versions.filter(({ version }) => version.ID.toUpperCase() === wanted);
  if (named.length > 0) return selectCourses({ ...query, sort: [] }, named)[0];
  const course = versions.filter(({ version }) => version.TemplateID.toUpperCase() === wanted);
  const found = selectCourses({ ...query, sort: [] }, course);
  return courseInForce(found, now) ?? latestFirst(found)[0];
}
