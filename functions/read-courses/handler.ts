import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { guidKey } from "../../core/formats/identifiers.ts";
import { courseRemoved } from "../../core/golf/course-of-round.ts";
import { versionFacts } from "../../core/golf/course-versions.ts";
import { clubFinder, clubLister } from "../../core/register/club-table.ts";
import {
  type CourseQuery,
  readCourseQuery,
  selectCourses,
  withTees,
} from "../../core/register/course-query.ts";
import { courseLister } from "../../core/register/course-table.ts";
import { coursesForVendors } from "../../core/register/courses-for-vendors.ts";
import { versionsOfCourse } from "../../core/register/record.ts";
import { dailyQuota, quotaSettings } from "../http/daily-quota.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { streamedResponse } from "../http/streamed-response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { chooseCourse } from "./choose-course.ts";
import { documentCache } from "./document-cache.ts";
import { conditionalResponse, type JsonDocument, jsonDocument } from "./json-document.ts";

const settings = readSettings({
  COURSE_TABLE: z.string(),
  CLUB_TABLE: z.string(),
  ...quotaSettings,
});

const dynamodb = sdkClient(DynamoDBClient);
const mirror = coursesForVendors(
  { ...clubFinder(settings.CLUB_TABLE, dynamodb), ...clubLister(settings.CLUB_TABLE, dynamodb) },
  courseLister(settings.COURSE_TABLE, dynamodb),
);
const cache = documentCache(64 * 1024 * 1024);

const answers: OperationAnswers<"read-courses", JsonDocument> = {
  listClubs: async () => {
    const clubs = await mirror.clubs();
    return cache.document("clubs", clubs, () => toList(clubs.map(({ text }) => text)));
  },
  getClub: async ({ path: { clubId = "" } }) =>
    jsonDocument(((await mirror.club(clubId)) ?? noSuchClub()).text),
  listCourses: async ({ path: { clubId = "" }, query }) => {
    const asked = courseQuery(query);
    const versions = (await mirror.courses(clubId, asked.removed)) ?? noSuchClub();
    const key = `${guidKey(clubId)} ${JSON.stringify(asked)}`;
    return cache.document(key, versions, () =>
      toList(selectCourses(asked, versions).map((one) => withTees(asked, one))),
    );
  },
  getCourse: async ({ path: { clubId = "", courseId = "" }, query }) => {
    const asked = courseQuery(query);
    const versions = (await mirror.courses(clubId)) ?? noSuchClub();
    const chosen = chooseCourse(asked, versions, courseId, new Date()) ?? (await noCourse(clubId, courseId));
    return jsonDocument(withTees(asked, chosen));
  },
};

/** Returns clubs and courses from the mirror, as the union returns them. */
export const handler = streamedResponse(
  vendorApi(
    async (request) => conditionalResponse(await answerOperation(answers, request), request),
    dailyQuota(settings, dynamodb),
  ),
);

const toList = (texts: readonly string[]) => `[${texts.join()}]`;

function courseQuery(parameters: VendorRequest["query"]): CourseQuery {
  const read = readCourseQuery(parameters, settings.TIME_ZONE);
  if ("query" in read) return read.query;
  const detail = read.faults.map((fault) => fault.detail).join(" ");
  throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters: read.faults });
}

function noSuchClub(): never {
  throw new ProblemError(problem(404, "No such club", "The union has no club with this ID."));
}

/** Says why a club does not have a course: the union has removed it, or never had it, or the query excludes it. */
async function noCourse(clubId: string, courseId: string): Promise<never> {
  const removed = ((await mirror.courses(clubId, true)) ?? []).map(({ version }) => version);
  const gone = versionsOfCourse(removed, guidKey(courseId)).map(versionFacts);
  const removedAt = Math.max(...gone.map((facts) => facts.removedAt));
  const detail =
    gone.length > 0
      ? `${courseRemoved(removedAt, settings.TIME_ZONE)} Read the club's courses again.`
      : "The club has no course with this ID, of a version or a TemplateID, as asked for.";
  throw new ProblemError(problem(404, gone.length > 0 ? "Course removed" : "No such course", detail));
}
