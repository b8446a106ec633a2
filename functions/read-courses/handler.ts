import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type CourseQuery, readCourseQuery, selectCourses } from "../../core/course/course-query.ts";
import { coursesForVendors } from "../../core/mirror/courses-for-vendors.ts";
import { ProblemError, problem } from "../../core/problem/problem.ts";
import { clubFinder, clubLister } from "../../core/store/clubs.ts";
import { courseReader } from "../../core/store/courses.ts";
import { guidKey } from "../../core/wire/guid.ts";
import { leanSdk } from "../lean-sdk.ts";
import { variables } from "../variables.ts";
import { type VendorRequest, vendorApi } from "../vendor-api.ts";
import { chooseCourse } from "./choose-course.ts";
import { type JsonDocument, jsonDocument } from "./json-document.ts";
import { keptDocuments } from "./kept-documents.ts";
import { validated } from "./validated-answer.ts";

const settings = variables("COURSE_TABLE", "CLUB_TABLE", "TIME_ZONE");

const dynamodb = new DynamoDBClient(leanSdk);
const mirror = coursesForVendors(
  { ...clubFinder(settings.CLUB_TABLE, dynamodb), ...clubLister(settings.CLUB_TABLE, dynamodb) },
  courseReader(settings.COURSE_TABLE, dynamodb),
);
const kept = keptDocuments(64 * 1024 * 1024);

/** Answers with clubs and courses as the union gives them, from the mirror. */
export const handler = vendorApi(async (request) => validated(await read(request), request));

async function read({ path, resource, query }: VendorRequest): Promise<JsonDocument> {
  const { clubId, courseId } = path;
  if (clubId === undefined) {
    const clubs = await mirror.clubs();
    return kept.document("clubs", clubs, () => clubs);
  }
  if (!resource.toLowerCase().includes("/courses")) {
    return jsonDocument((await mirror.club(clubId)) ?? noSuchClub());
  }

  const asked = courseQuery(query);
  const versions = (await mirror.courses(clubId)) ?? noSuchClub();
  if (courseId === undefined) {
    const key = `${guidKey(clubId)} ${JSON.stringify(asked)}`;
    return kept.document(key, versions, () => selectCourses(asked, versions));
  }
  return jsonDocument(chooseCourse(asked, versions, courseId, new Date()) ?? noSuchCourse());
}

function courseQuery(parameters: VendorRequest["query"]): CourseQuery {
  const read = readCourseQuery(parameters, settings.TIME_ZONE);
  if ("query" in read) return read.query;
  const detail = read.faults.map((fault) => fault.detail).join(" ");
  throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters: read.faults });
}

function noSuchClub(): never {
  throw new ProblemError(problem(404, "No such club", "The union has no club with this ID."));
}

function noSuchCourse(): never {
  const detail = "The club has no course with this ID, of a version or a TemplateID, as asked for.";
  throw new ProblemError(problem(404, "No such course", detail));
}
