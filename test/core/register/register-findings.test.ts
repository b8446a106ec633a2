import { expect, test } from "vitest";
import { readVersion } from "../../../core/golf/course.ts";
import { teeNumbers } from "../../../core/golf/tee-numbers.ts";
import { registerFindings } from "../../../core/register/register-findings.ts";
import { type Json, red, tee, version } from "../golf/sample-cards.ts";

const whole = () => {
  const length = tee().Holes.reduce((sum, { Length }) => sum + Length, 0);
  return [tee({ TotalLength: length }), { ...red(), TotalLength: length }];
};
const textOf = (changes: Json) => JSON.stringify({ ...version(), Tees: whole(), ...changes });

test("numbers and Booleans as texts are read as what they are, and a club hears of them", () => {
  const [yellow, other] = whole();
  const Holes = yellow?.Holes.map((hole, place) => ({
    ...hole,
    ...(place === 0 && { Par: "4", Index: " 7 " }),
  }));
  const text = textOf({
    IsActive: "True",
    Version: "2",
    Tees: [{ ...yellow, Holes, SlopeRating: "119" }, other],
  });
  const read = readVersion(text);
  expect(read).toMatchObject({ IsActive: true, Version: 2 });
  expect(read.Tees.map((one) => teeNumbers(one).par)).toEqual([72, 72]);
  expect(registerFindings([{ text }]).map(({ finding }) => finding)).toEqual([
    "Version, IsActive, SlopeRating, Par, Index as text",
  ]);
  expect(readVersion(textOf({ IsActive: "perhaps", Version: "" }))).toMatchObject({
    IsActive: "perhaps",
    Version: 0,
  });
});

test.each<[string, Json, RegExp]>([
  ["lengths that do not add up", { Tees: [tee(), red()] }, /TotalLength is 6109/],
  [
    "a rating that is not times 10,000",
    { Tees: [{ ...whole()[0], CourseRating: 718 }, whole()[1]] },
    /not times 10,000/,
  ],
  ["tees of one gender", { Tees: whole().map((one) => ({ ...one, Gender: 2 })) }, /all tees have Gender 2/],
  [
    "a nine-hole rating that is doubled",
    { Tees: [{ ...tee(), Holes: tee().Holes.slice(0, 9) }] },
    /that of eighteen/,
  ],
  ["no tees", { Tees: [] }, /no tees/],
])("a club hears of %s", (_, changes, finding) => {
  expect(registerFindings([{ text: textOf({}) }])).toEqual([]);
  expect(registerFindings([{ text: textOf(changes) }]).map((one) => one.finding)).toContainEqual(
    expect.stringMatching(finding),
  );
});

test("a club hears of two versions of a course that are active from the same day", () => {
  const other = textOf({ ID: "4FC90CA7-0000-4EB8-8A5E-290DAC67C77E", Version: 2 });
  const found = registerFindings([{ text: textOf({}) }, { text: other }]);
  expect(found.map(({ finding }) => finding)).toEqual([
    "version 1 is active from the same day as version 2",
    "version 2 is active from the same day as version 1",
  ]);
});
