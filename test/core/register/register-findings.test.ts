import { expect, test } from "vitest";
import { registerFindings } from "../../../core/register/register-findings.ts";
import type { Json } from "../golf/sample-cards.ts";
import { red, tee, version } from "../golf/sample-courses.ts";

const length = tee().Holes.reduce((sum, { Length }) => sum + Length, 0);
const [yellow, other] = [tee({ TotalLength: length }), { ...red(), TotalLength: length }];
const textOf = (changes: Json) => JSON.stringify({ ...version(), Tees: [yellow, other], ...changes });
const findingsIn = (...versions: Json[]) =>
  registerFindings(versions.map((changes) => ({ text: textOf(changes) }))).map(({ finding }) => finding);
const withTee = (changes: Json) => ({ Tees: [{ ...yellow, ...changes }, other] });
const nine = { Holes: yellow.Holes.slice(0, 9), TotalLength: 3564 };

test.each<[string, Json, RegExp]>([
  [
    "lengths that do not add up",
    withTee({ TotalLength: 6109 }),
    /Yellow: its holes have \d+ m, and TotalLength is 6109/,
  ],
  [
    "a rating that is not times 10,000",
    withTee({ CourseRating: 71.8 }),
    /CourseRating 71.8 is not times 10,000/,
  ],
  ["a nine-hole rating that is doubled", withTee(nine), /nine holes, 71.8, is that of eighteen/],
  [
    "a stroke index that is repeated",
    withTee({ Holes: yellow.Holes.map((one) => ({ ...one, Index: 1 })) }),
    /Index/i,
  ],
  ["tees of one gender", { Tees: [yellow, { ...other, Gender: 2 }] }, /all tees have Gender 2/],
  ["no tees", { Tees: [] }, /no tees/],
  [
    "numbers as texts",
    { IsActive: "True", ...withTee({ SlopeRating: "119" }) },
    /Booleans: IsActive, SlopeRating$/,
  ],
])("a club hears once of %s in a version that is active", (_, changes, finding) => {
  expect(findingsIn({})).toEqual([]);
  expect(findingsIn(changes)).toEqual([expect.stringMatching(finding)]);
  expect(findingsIn({ ...changes, IsActive: false })).toEqual([]);
});

test("a club hears of two versions of a course that are active from the same time", () => {
  const second = { ID: "4FC90CA7-0000-4EB8-8A5E-290DAC67C77E", Version: 2 };
  expect(findingsIn({}, second)).toEqual([
    "it is active from the same time as version 2",
    "it is active from the same time as version 1",
  ]);
  expect(findingsIn({}, { ...second, ActivationDate: "20250331T220000" })).toEqual([]);
});
