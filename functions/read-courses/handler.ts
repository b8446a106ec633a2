import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { readCourseQuery, selectCourses } from "../../core/course/course-query.ts";
import { courseReader } from "../../core/mirror/course-reader.ts";
import { ProblemError, problem } from "../../core/problem/problem.ts";
import { clubFinder, clubLister } from "../../core/store/clubs.ts";
import { courseFinder } from "../../core/store/courses.ts";
import { type VendorRequest, vendorApi } from "../vendor-api.ts";
import { chooseCourse } from "./choose-course.ts";
import { validated } from "./validated-answer.ts";

const settings = z
  .object({ COURSE_TABLE: z.string(), CLUB_TABLE: z.string(), TIME_ZONE: z.string() })
  .parse(process.env);

const dynamodb = new DynamoDBClient();
const reader = courseReader(
  { ...clubFinder(settings.CLUB_TABLE, dynamodb), ...clubLister(settings.CLUB_TABLE, dynamodb) },
  courseFinder(settings.COURSE_TABLE, dynamodb),
);

/** Answers with clubs and courses as the union gives them, from the mirror. */
export const handler = vendorApi(async (request) => validated(await read(request), request));

async function read({ path, resource, query: parameters }: VendorRequest): Promise<unknown> {
  const { clubId, courseId } = path;
  if (clubId === undefined) return reader.clubs();
  if (!resource.toLowerCase().includes("/courses")) {
    return (await reader.club(clubId)) ?? notFound("No such club", "The union has no club with this ID.");
  }

  const read = readCourseQuery(Object.fromEntries(parameters), settings.TIME_ZONE);
  if ("faults" in read) {
    const detail = read.faults.map((fault) => fault.detail).join(" ");
    throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters: read.faults });
  }
  const versions =
    (await reader.courses(clubId)) ?? notFound("No such club", "The union has no club with this ID.");
  if (courseId === undefined) return selectCourses(read.query, versions);
  const chosen = chooseCourse(read.query, versions, courseId, new Date());
  return (
    chosen ??
    notFound(
      "No such course",
      "The club has no course with this ID, of a version or a TemplateID, as asked for.",
    )
  );
}

function notFound(title: string, detail: string): never {
  throw new ProblemError(problem(404, title, detail));
}
