import { describe, expect, test } from "vitest";
import { faultCodes, warningCodes } from "../../core/golf/findings.ts";
import { findPlace, placeFindings } from "../../portal/base/finding-places.ts";

describe("a warning stands beside what its pointer names", () => {
  test.each([
    ["/Course/Holes/0/Par", { kind: "hole", index: 0 }],
    ["/Result/Strokes/17", { kind: "hole", index: 17 }],
    ["/Result/Points/3", { kind: "hole", index: 3 }],
    ["/Player/UnionID", { kind: "field", field: "player" }],
    ["/Course/TeeRating", { kind: "field", field: "tee" }],
    ["/Course/CourseID", { kind: "field", field: "course" }],
    ["/Round/StartTime", { kind: "field", field: "round" }],
    ["/HCP", { kind: "field", field: "handicapIndex" }],
    ["/Result/NetDoubleBogeyGross", { kind: "field", field: "netDoubleBogey" }],
    ["", { kind: "card" }],
    ["/Whatever", { kind: "card" }],
  ])("%j", (pointer, place) => {
    expect(findPlace(pointer)).toEqual(place);
  });
});

test("warnings are numbered in their order", () => {
  const findings = [faultCodes[0], warningCodes[0]].map((code) => ({
    index: 0,
    pointer: "",
    code,
    detail: "",
  }));
  expect(placeFindings(findings).map(({ number }) => number)).toEqual([1, 2]);
});
