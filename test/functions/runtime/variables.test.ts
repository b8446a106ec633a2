import { afterEach, expect, test, vi } from "vitest";
import { variables } from "../../../functions/runtime/variables.ts";

afterEach(() => vi.unstubAllEnvs());

test("a function reads what the stack gives it by name", () => {
  vi.stubEnv("COURSE_TABLE", "courses");
  vi.stubEnv("CLUB_TABLE", "clubs");
  expect(variables("COURSE_TABLE", "CLUB_TABLE")).toEqual({ COURSE_TABLE: "courses", CLUB_TABLE: "clubs" });
});

test("a function that is not given all it needs says what is missing", () => {
  vi.stubEnv("COURSE_TABLE", "courses");
  expect(() => variables("COURSE_TABLE", "CLUB_TABLE", "TIME_ZONE")).toThrow(
    "The environment has no CLUB_TABLE, TIME_ZONE.",
  );
});
