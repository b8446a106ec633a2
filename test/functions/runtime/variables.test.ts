import { afterEach, expect, test, vi } from "vitest";
import { variables } from "../../../functions/runtime/variables.ts";

afterEach(() => vi.unstubAllEnvs());

test("a function reads its environment variables by name", () => {
  vi.stubEnv("COURSE_TABLE", "courses");
  vi.stubEnv("CLUB_TABLE", "clubs");
  expect(variables("COURSE_TABLE", "CLUB_TABLE")).toEqual({ COURSE_TABLE: "courses", CLUB_TABLE: "clubs" });
});

test("missing environment variables are named in the error", () => {
  vi.stubEnv("COURSE_TABLE", "courses");
  expect(() => variables("COURSE_TABLE", "CLUB_TABLE", "TIME_ZONE")).toThrow(
    "The environment has no CLUB_TABLE, TIME_ZONE.",
  );
});
