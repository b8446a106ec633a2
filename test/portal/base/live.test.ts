import { ApiError } from "@scorecard-pipeline/scorecards-client";
import { describe, expect, test } from "vitest";
import { choosePauseSeconds } from "../../../portal/base/live.ts";

describe("how often the portal asks again", () => {
  test("what changes is asked for at the usual pace", () => {
    expect(choosePauseSeconds(5, { unchanged: 0, failures: 0 })).toBe(5);
  });

  test("what does not change is asked for less often, up to once a minute", () => {
    const pauses = [1, 2, 6, 60].map((unchanged) => choosePauseSeconds(5, { unchanged, failures: 0 }));
    expect(pauses).toEqual([7.5, 11.25, 56.953125, 60]);
  });

  test("what cannot be read is asked for half as often each time, up to five minutes", () => {
    const pauses = [1, 2, 3, 60].map((failures) => choosePauseSeconds(5, { unchanged: 0, failures }));
    expect(pauses).toEqual([10, 20, 40, 300]);
  });

  test("an API that says when to come again is not asked before", () => {
    const headers = new Headers({ "Retry-After": "120" });
    const failure = new ApiError("https://scores.example/test", { status: 429, headers, text: "" });
    expect(choosePauseSeconds(5, { unchanged: 0, failures: 1, failure })).toBe(120);
  });
});
