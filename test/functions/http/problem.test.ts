import { expect, test } from "vitest";
import { unavailable } from "../../../core/golf/refusal.ts";
import { problemOf } from "../../../functions/http/problem.ts";

test("a 503 has the header Retry-After, five seconds by default", () => {
  expect(problemOf(unavailable("Nothing was stored."))).toMatchObject({
    problem: {
      status: 503,
      detail: expect.stringContaining("Nothing was stored. Send the same request again"),
    },
    headers: { "Retry-After": "5" },
  });
  expect(problemOf(unavailable("Nothing was stored.", { retryAfterSeconds: 30 })).headers).toEqual({
    "Retry-After": "30",
  });
});

test("a 503 keeps its cause for the log and out of the response", () => {
  const cause = new Error("a table's name");
  const thrown = problemOf(unavailable("Nothing was stored.", { cause }));
  expect(thrown.cause).toBe(cause);
  expect(JSON.stringify(thrown.problem)).not.toContain("table");
});
