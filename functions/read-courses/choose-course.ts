import type { CourseVersion } from "../../core/courses/course.ts";
import { type ChangedVersion, type CourseQuery, selectCourses } from "../../core/courses/course-query.ts";
import { courseInForce, latestFirst } from "../../core/courses/course-versions.ts";
import { guidKey } from "../../core/formats/guid.ts";

/**
 * The one course that an ID names, among those that a query asks for. A version's ID names that version; a TemplateID
 * names the version in force, or the newest if none is.
 *
 * @param versions all of the club's
 * @param id a version's ID or a TemplateID, in any case
 */
export function chooseCourse(
  query: CourseQuery,
  versions: readonly ChangedVersion[],
  id: string,
  now: Date,
): CourseVersion | undefined {
  const wanted = guidKey(id);
  const named = versions.find(({ version }) => guidKey(version.ID) === wanted)?.version;
  const templateId = guidKey(named?.TemplateID ?? wanted);
  // All versions of the course are looked at, since which one is in force depends on the others.
  const course = versions.filter(({ version }) => guidKey(version.TemplateID) === templateId);
  const found = selectCourses({ ...query, sort: [] }, course);
  if (named !== undefined) return found.find(({ ID }) => ID === named.ID);
  return courseInForce(found, now) ?? latestFirst(found)[0];
}
