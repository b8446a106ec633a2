import { guidKey } from "../../core/formats/identifiers.ts";
import { courseInForce, latestFirst } from "../../core/golf/course-versions.ts";
import { type ChangedVersion, type CourseQuery, selectCourses } from "../../core/register/course-query.ts";

/**
 * The one course version that an ID names, among those that a query asks for. A version's ID names that version or, with
 * `inforce`, the version of its course at that time. A TemplateID names the version in force, or the newest if none is.
 *
 * @param versions all of the club's
 * @param id a version's ID or a TemplateID, in any case
 */
export function chooseCourse<Version extends ChangedVersion>(
  query: CourseQuery,
  versions: readonly Version[],
  id: string,
  now: Date,
): Version | undefined {
  const wanted = guidKey(id);
  const named = versions.find(({ version }) => guidKey(version.ID) === wanted);
  const templateId = guidKey(named?.version.TemplateID ?? wanted);
  // All versions of the course are looked at, since which one is in force depends on the others.
  const course = versions.filter(({ version }) => guidKey(version.TemplateID) === templateId);
  const found = selectCourses({ ...query, sort: [] }, course);
  if (named !== undefined && query.inForceAt === undefined) return found.find((one) => one === named);
  const all = found.map(({ version }) => version);
  const chosen = courseInForce(all, now) ?? latestFirst(all)[0];
  return found.find(({ version }) => version === chosen);
}
