import { describe, expect, test } from "vitest";
import { isNamed, listSpellings, shouldReadOn } from "../../portal/views/cards/keep-reading.ts";

const list = {
  read: 2_600,
  found: 0,
  hasMore: true,
  isReading: false,
  hasFailed: false,
  isStopped: false,
  enough: 30,
};

describe("a list that is read for some cards", () => {
  test("is read on until they are found, however many pages there are", () => {
    expect(shouldReadOn(list)).toBe(true);
    expect(shouldReadOn({ ...list, read: 99_900 })).toBe(true);
  });

  test.each([
    ["at its end", { hasMore: false }],
    ["while a page is being read", { isReading: true }],
    ["after a failure", { hasFailed: true }],
    ["when the person has stopped it", { isStopped: true }],
    ["when enough are found", { found: 30 }],
  ])("is not read on %s", (_, change) => {
    expect(shouldReadOn({ ...list, ...change })).toBe(false);
  });
});

test.each([
  ["Card-0417", "card-04", true],
  ["card-0417", "  RD-041 ", true],
  ["card-0417", "0418", false],
])("whether %j is found by %j: %j", (externalId, part, found) => {
  expect(isNamed(externalId, part)).toBe(found);
});

test("a name is asked for as typed, and in upper and lower case, each once", () => {
  expect(listSpellings("Card-1")).toEqual(["Card-1", "CARD-1", "card-1"]);
  expect(listSpellings("417")).toEqual(["417"]);
});
