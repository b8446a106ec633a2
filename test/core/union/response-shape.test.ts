import { expect, test } from "vitest";
import { describeShape } from "../../../core/union/response-shape.ts";

const posted = [
  JSON.stringify({ ExternalID: "card-1", Player: { FullName: "Jane Miller", UnionID: "32-1" } }),
];

test.each<[string, unknown, string]>([
  ["an object", { Message: "Database is read-only", Count: 7 }, "{Message: string, Count: number}"],
  ["a list, each form of its elements once", [{ A: 1 }, { A: 2 }, { B: null }], "[{A: number} | {B: null}]"],
  ["nested lists", { Accepted: [], Rejected: [{ Ok: true }] }, "{Accepted: [], Rejected: [{Ok: boolean}]}"],
  ["names with digits", { "32-1": {}, "010101-123": 1 }, "{?: {}, ?: number}"],
  [
    "names that are words of the cards",
    { Miller: 1, jane: "x", Ok: 1 },
    "{?: number, ?: string, Ok: number}",
  ],
])("the shape of %s has names and types, and no value", (_, response, shape) => {
  expect(describeShape(JSON.stringify(response), posted)).toBe(shape);
});

test("the shape of a page or of nothing is a word, and a long one is cut", () => {
  expect([describeShape("<html>Jane Miller", posted), describeShape(" ", posted)]).toEqual([
    "no JSON",
    "empty",
  ]);
  const wide = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${"x".repeat(n % 40)}y`, {}]));
  expect(describeShape(JSON.stringify([wide, [wide]]), posted).length).toBeLessThanOrEqual(1000);
  expect(describeShape(`${'{"x":'.repeat(20_000)}1${"}".repeat(20_000)}`, posted)).toBe("nested too deep");
});
