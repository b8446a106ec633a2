import { expect, test } from "vitest";
import { ProblemError } from "../../../core/problem/problem.ts";
import { readHandling } from "../../../core/submission/handling.ts";
import { readSubmission } from "../../../core/submission/read-submission.ts";

function problemOf(body: string) {
  try {
    readSubmission(body);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error("no problem");
}

test("an array of scorecards is read", () => {
  expect(readSubmission('[{"ExternalID":"1"}]')).toEqual([{ ExternalID: "1" }]);
});

test("a thousand cards are within the limit, one more is not", () => {
  expect(readSubmission(JSON.stringify(Array(1000).fill({})))).toHaveLength(1000);
  expect(problemOf(JSON.stringify(Array(1001).fill({})))).toMatchObject({
    status: 413,
    limit: "1000 scorecards",
  });
});

test("more than 5 MiB is refused before it is read", () => {
  expect(problemOf(`[${" ".repeat(5 * 1024 * 1024)}`)).toMatchObject({ status: 413, limit: "5 MiB" });
});

test.each(["", "{", "[1,", "nonsense", '["\\u12"]'])("%j is answered as no JSON", (body) => {
  expect(problemOf(body)).toMatchObject({ status: 400, title: "Not JSON" });
});

test.each(["{}", "null", "1", '"card"'])("%j is answered as no array", (body) => {
  expect(problemOf(body)).toMatchObject({ status: 400, title: "Not an array of scorecards" });
});

test("what stands near a fault in the JSON is not repeated in the answer", () => {
  expect(JSON.stringify(problemOf('[{"FullName": "Ada Birdie" oops}]'))).not.toMatch(/Ada|oops/);
});

test("__proto__ in a card pollutes nothing", () => {
  readSubmission('[{"__proto__":{"polluted":true}}]');
  expect({}).not.toHaveProperty("polluted");
});

test.each([
  ["handling=lenient", "lenient"],
  ["respond-async, Handling = Lenient", "lenient"],
  ['wait=10, handling="lenient"; x=1', "lenient"],
  ["handling=strict", "strict"],
  ["mishandling=lenient", "strict"],
  ["", "strict"],
  [undefined, "strict"],
] as const)("Prefer: %s is %s", (prefer, handling) => {
  expect(readHandling(prefer)).toBe(handling);
});
