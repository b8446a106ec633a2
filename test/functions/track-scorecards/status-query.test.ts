import { expect, test } from "vitest";
import { ProblemError } from "../../../functions/http/problem.ts";
import { readStatusQuery } from "../../../functions/track-scorecards/status-query.ts";

const read = (query: Record<string, string[]>) => readStatusQuery(new Map(Object.entries(query)));

/** The problem that a question is answered with. */
function problemOf(query: Record<string, string[]>) {
  try {
    read(query);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error("no problem");
}

test("cards are asked for by their names, or by a state with the place where a page begins", () => {
  expect(read({ externalid: ["a", "b"] })).toEqual({ about: "cards", externalIds: ["a", "b"] });
  expect(read({ state: ["rejected"] })).toEqual({ about: "state", state: "rejected", after: undefined });
  expect(read({ state: ["rejected"], after: ["x"] })).toMatchObject({ state: "rejected", after: "x" });
});

test.each([
  ["no card", {}],
  ["more cards than are answered for", { externalid: Array<string>(101).fill("a") }],
  ["two states", { state: ["rejected", "undelivered"] }],
  ["a state, and cards by name", { state: ["rejected"], externalid: ["a"] }],
  ["two places", { state: ["rejected"], after: ["x", "y"] }],
  ["a place in a list of names", { externalid: ["a"], after: ["x"] }],
])("%s: the answer says what may be asked together", (_what, query: Record<string, string[]>) => {
  expect(problemOf(query)).toMatchObject({
    status: 400,
    title: "Which cards?",
    detail: expect.stringMatching(/^Ask either for 1 to 100 cards .*, or for those in one state /),
  });
});

test("a name that is not UTF-8 in the query is refused with words of its own", () => {
  expect(problemOf({ externalid: ["a", "S\ufffd-1"] })).toMatchObject({
    status: 400,
    detail: "An ExternalID in the query is not percent-encoded UTF-8.",
  });
});
