import { courseProperties, teeProperties } from "../../../core/courses/course-query.ts";
import { exampleClubId, exampleCourseId } from "./examples.ts";
import type { Operation, Parameter, Response } from "./operation.ts";
import { jsonResponse, problemResponse } from "./responses.ts";
import { listOf, schemaOf } from "./schema-reference.ts";

const timestamp = { type: "string", pattern: "^\\d{8}T\\d{6}$" };

/** `PropName:Direction` pairs with commas between, in any case. */
function sortOf(properties: readonly string[]) {
  const pair = `(${properties.join("|")}):[01]`;
  return { type: "string", pattern: `^${pair}(,${pair})*$` };
}

const parameters: readonly Parameter[] = [
  {
    name: "changedsince",
    in: "query",
    description:
      "Only what changed after this moment of the union's time zone or of UTC, whichever is the earlier.",
    schema: timestamp,
    example: "20250101T000000",
  },
  {
    name: "active",
    in: "query",
    description: "1 for active versions only, 0 for inactive ones only.",
    schema: { type: "string", enum: ["0", "1"] },
    example: "1",
  },
  {
    name: "sort",
    in: "query",
    description: "Order of the courses; 0 ascending, 1 descending.",
    schema: sortOf(courseProperties),
    example: "IsActive:0,ActivationDate:1",
  },
  {
    name: "sortTee",
    in: "query",
    description: "Order of the tees inside each course; 0 ascending, 1 descending.",
    schema: sortOf(teeProperties),
    example: "TotalLength:1",
  },
  {
    name: "excludeParams",
    in: "query",
    description: "`tees` has Tees come as an empty list.",
    schema: { type: "string", enum: ["tees"] },
    example: "tees",
  },
  {
    name: "inforce",
    in: "query",
    description:
      "Only the version of each course that is in force at this moment of the union's time zone. Not the union's, ours.",
    schema: timestamp,
    example: "20250622T100000",
  },
];

const ifNoneMatch: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "ETag of the answer that the client has.",
  schema: { type: "string" },
};

const validator: Response["headers"] = {
  ETag: { description: "Send it as If-None-Match.", required: true, schema: { type: "string" } },
  "Cache-Control": { description: "How long the answer may be kept.", schema: { type: "string" } },
};

const notModified: Response = { description: "The client has the very same answer.", headers: validator };
const noClub = problemResponse("The union has no club with this ID.");

/** Clubs and courses, from the mirror. */
export const courseOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/{apiset}/Clubs",
    operationId: "listClubs",
    resource: "clubs",
    summary: "All clubs",
    parameters: [ifNoneMatch],
    responses: {
      200: jsonResponse("Every club, with fields that the union's document does not name.", listOf("Club"), {
        headers: validator,
      }),
      304: notModified,
    },
  },
  {
    method: "get",
    path: "/{apiset}/Clubs/{clubId}",
    operationId: "getClub",
    resource: "clubs",
    summary: "One club",
    parameters: [ifNoneMatch],
    responses: {
      200: jsonResponse("The club.", schemaOf("Club"), { headers: validator }),
      304: notModified,
      404: noClub,
    },
  },
  {
    method: "get",
    path: "/{apiset}/clubs/{clubId}/courses",
    operationId: "listCourses",
    resource: "courses",
    summary: "Course versions of a club",
    description:
      "Every version, active or not, that the parameters do not leave out. A course that is played today is the version " +
      "of its TemplateID with the latest ActivationDate that has come; `inforce` picks it.",
    parameters: [...parameters, ifNoneMatch],
    responses: {
      200: jsonResponse("The course versions.", listOf("Course"), { headers: validator }),
      304: notModified,
      404: noClub,
    },
  },
  {
    method: "get",
    path: "/{apiset}/clubs/{clubId}/courses/{courseId}",
    operationId: "getCourse",
    resource: "courses",
    summary: "One course",
    description:
      "By the ID of a version that version; by a TemplateID the version in force today, or the newest where none is.",
    parameters: [...parameters, ifNoneMatch],
    responses: {
      200: jsonResponse("The course version.", schemaOf("Course"), { headers: validator }),
      304: notModified,
      404: problemResponse("The club has no such course, or the parameters leave it out."),
    },
  },
];

/** What the parameters in the paths are. */
export const coursePathParameters: Readonly<Record<string, Omit<Parameter, "name" | "in">>> = {
  clubId: {
    description: "ID of a club, in any case.",
    schema: { type: "string" },
    example: exampleClubId,
  },
  courseId: {
    description: "ID of a course version, or a TemplateID, in any case.",
    schema: { type: "string" },
    example: exampleCourseId,
  },
};
