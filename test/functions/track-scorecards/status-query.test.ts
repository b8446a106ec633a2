import { expect, test } from "vitest";
import { ProblemError } from "../../../functions/http/problem.ts";
import { readStatusQuery } from "../../../functions/track-scorecards/status-query.ts";

const read = (query: Record<string, string[]>) =>
  readStatusQuery(new Map(Object.entries(query)), "2026-07-04");

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

test("cards of some days are asked for by the first and the last, today if one is left out", () => {
  const days = { from: "2026-07-01", to: "2026-07-03" };
  expect(read({ from: ["2026-07-01"], to: ["2026-07-03"] })).toEqual({
    about: "days",
    days,
    after: undefined,
  });
  expect(read({ from: ["2026-07-01"], after: ["x"] })).toMatchObject({
    days: { from: "2026-07-01", to: "2026-07-04" },
    after: "x",
  });
  expect(read({ counted: ["notRecorded"] })).toMatchObject({
    days: { from: "2026-07-04", to: "2026-07-04" },
    counted: "notRecorded",
  });
  expect(read({ to: ["2026-02-28"] })).toMatchObject({ days: { from: "2026-02-28", to: "2026-02-28" } });
});

test.each([
  ["a day that does not exist", { from: ["2026-02-30"] }],
  ["a day of the year 0", { to: ["0000-07-04"] }],
  ["a time", { from: ["2026-07-01T10:00:00Z"] }],
  ["nothing", { to: [""] }],
  ["two first days", { from: ["2026-07-01", "2026-07-02"] }],
  ["days in the wrong order", { from: ["2026-07-02"], to: ["2026-07-01"] }],
  ["32 days", { from: ["2026-07-01"], to: ["2026-08-01"] }],
])(
  "%s is refused with what a day looks like, or how many there may be",
  (_what, query: Record<string, string[]>) => {
    expect(problemOf(query)).toMatchObject({ status: 400, title: "Which days?" });
  },
);

test.each([[["delivered"]], [["rejected", "undelivered"]], [[""]]])(
  "a count whose cards are not listed, or two, are refused with those that are: %j",
  (counted) => {
    expect(problemOf({ counted })).toMatchObject({
      status: 400,
      detail: expect.stringContaining("rejected, undelivered, notRecorded, player_unknown"),
    });
  },
);

test.each([
  ["no card", {}],
  ["days and a state", { from: ["2026-07-01"], state: ["rejected"] }],
  ["a count and a state", { counted: ["rejected"], state: ["rejected"] }],
  ["days and a card", { from: ["2026-07-01"], externalid: ["a"] }],
  ["more cards than are answered for", { externalid: Array<string>(101).fill("a") }],
  ["two states", { state: ["rejected", "undelivered"] }],
  ["a state, and cards by name", { state: ["rejected"], externalid: ["a"] }],
  ["two places", { state: ["rejected"], after: ["x", "y"] }],
  ["a place in a list of names", { externalid: ["a"], after: ["x"] }],
])("%s: the answer says what may be asked together", (_what, query: Record<string, string[]>) => {
  expect(problemOf(query)).toMatchObject({
    status: 400,
    title: "Which cards?",
    detail: expect.stringMatching(
      /^Ask either for 1 to 100 cards .*, for those in one state .*, or for those accepted on some days /,
    ),
  });
});

test("a name that is not UTF-8 in the query is refused with words of its own", () => {
  expect(problemOf({ externalid: ["a", "S\ufffd-1"] })).toMatchObject({
    status: 400,
    detail: "An ExternalID in the query is not percent-encoded UTF-8.",
  });
});
