import * as z from "zod/mini";
import { timestampPattern, timestampSchema } from "../core/formats/union-time.ts";
import {
  documentedClub,
  documentedCourseVersion,
  documentedHole,
  documentedTee,
} from "../core/golf/documented-course.ts";
import { courseProperties, teeProperties } from "../core/register/course-query.ts";
import { exampleClub, exampleCourse } from "./examples.ts";
import { clubLinks, courseLinks } from "./links.ts";
import { defineOperation, header, jsonResponse, problemResponse, query } from "./operation.ts";
import { orEmpty, refer, referToEach } from "./schema.ts";

/** A date and time. An empty value counts as left out. */
const timestamp = { type: "string", pattern: orEmpty(timestampPattern) };

/** `PropName:Direction` pairs with commas between, in any case. An empty value counts as left out. */
function describeSort(properties: readonly string[]) {
  const pair = `(${properties.join("|")}):[01]`;
  return { type: "string", pattern: `^(${pair}(,${pair})*)?$` };
}

const parameters = [
  query(
    "changedsince",
    "Only what changed after this moment of the union's time zone or of UTC, whichever is earlier.",
    timestamp,
    "20250101T000000",
  ),
  query(
    "active",
    "true, or 1 as the union writes it, for active versions only; false or 0 for inactive ones only.",
    { type: "boolean" },
    true,
  ),
  query(
    "sort",
    "Order of the courses; 0 ascending, 1 descending.",
    describeSort(courseProperties),
    "IsActive:0,ActivationDate:1",
  ),
  query(
    "sortTee",
    "Order of the tees in each course; 0 ascending, 1 descending.",
    describeSort(teeProperties),
    "TotalLength:1",
  ),
  query(
    "excludeParams",
    "With `tees`, Tees is an empty array.",
    { type: "string", enum: ["tees", ""] },
    "tees",
  ),
  query(
    "inforce",
    "Only the version of each course that is in force at this moment of the union's time zone. The union lacks this parameter.",
    timestamp,
    "20250622T100000",
  ),
];

const ifNoneMatch = header("If-None-Match", "ETag of the response that the client has.");

const validator = {
  ETag: { description: "Send it as If-None-Match.", required: true, schema: { type: "string" } },
  "Cache-Control": { description: "How long the response may be cached.", schema: { type: "string" } },
};

const notModified = { description: "The client has this response already.", headers: validator };
const tooLarge = problemResponse(
  "Without compression the list has more than 6 MB: send `Accept-Encoding: gzip`. `detail` says how large it is.",
);
const noClub = problemResponse("The union has no club with this ID.");

const removed = query(
  "removed",
  "With 1, only the versions that the union has removed from the club, as they were, without tees and with RemovedAt; `changedsince` " +
    "then means since they were removed. The union lacks this parameter.",
  { type: "boolean" },
  true,
);

const clubSchema = documentedClub.register(z.globalRegistry, { id: "Club" });
const removedAt = timestampSchema.check(
  z.describe(
    "When the mirror saw that the union had removed it, UTC; only with `removed`. The union has no such field.",
  ),
);
const courseSchema = z
  .extend(documentedCourseVersion, { RemovedAt: z.optional(removedAt) })
  .register(z.globalRegistry, { id: "Course" });
documentedTee.register(z.globalRegistry, { id: "Tee" });
documentedHole.register(z.globalRegistry, { id: "Hole" });

/** Clubs and courses, from the mirror. */
export const courseOperations = [
  defineOperation("listClubs", {
    summary: "All clubs",
    description: "The whole list in one answer, for which a client should accept gzip.",
    parameters: [ifNoneMatch],
    responses: {
      200: jsonResponse(
        "Every club, including fields that the union's document does not name.",
        referToEach(clubSchema),
        {
          headers: validator,
          links: clubLinks("$response.body#/0/ID"),
          example: [exampleClub],
        },
      ),
      304: notModified,
      413: tooLarge,
    },
  }),
  defineOperation("getClub", {
    summary: "One club",
    description: "A club by its ID.",
    parameters: [ifNoneMatch],
    responses: {
      200: jsonResponse("The club.", refer(clubSchema), { headers: validator, example: exampleClub }),
      304: notModified,
      404: noClub,
    },
  }),
  defineOperation("listCourses", {
    summary: "Course versions of a club",
    description:
      "Every version, active or not, that the parameters do not exclude. The version in force today has the latest " +
      "ActivationDate of its TemplateID that is not in the future; `inforce` selects it.",
    parameters: [...parameters, removed, ifNoneMatch],
    responses: {
      200: jsonResponse("The course versions.", referToEach(courseSchema), {
        headers: validator,
        links: courseLinks,
        example: [exampleCourse],
      }),
      304: notModified,
      404: noClub,
      413: tooLarge,
    },
  }),
  defineOperation("getCourse", {
    summary: "One course",
    description:
      "For the ID of a version, that version; for a TemplateID, the version in force today or, if there is none, the newest.",
    parameters: [...parameters, ifNoneMatch],
    responses: {
      200: jsonResponse("The course version.", refer(courseSchema), {
        headers: validator,
        example: exampleCourse,
      }),
      304: notModified,
      404: problemResponse(
        "The club has no such course, or the parameters exclude it. `detail` says if the union has removed it.",
      ),
    },
  }),
];
