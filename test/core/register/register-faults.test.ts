import { expect, test } from "vitest";
import { registerFaults } from "../../../core/register/register-faults.ts";
import { red, tee, version } from "../golf/sample-cards.ts";

const eight = tee({ Name: "Eight", Holes: tee().Holes.slice(0, 8) });

test("a course version that cards can be worked out on has no fault", () => {
  expect(registerFaults(version())).toEqual([]);
});

test("a course version has a fault for its date, and one for each tee that is not whole", () => {
  expect(registerFaults(version({ ActivationDate: "" }))).toEqual(["it has no activation date"]);
  expect(registerFaults(version({ Tees: [red(), eight] }))).toEqual([
    "tee Eight: it has 8 holes, not 9 or 18",
  ]);
  expect(registerFaults(version({ ActivationDate: "", Tees: [eight] }))).toEqual([
    "it has no activation date",
    "tee Eight: it has 8 holes, not 9 or 18",
  ]);
});

test("a course version without tees has that fault", () => {
  expect(registerFaults(version({ Tees: [] }))).toEqual(["it has no tees"]);
  expect(registerFaults(version({ ActivationDate: "", Tees: [] }))).toEqual([
    "it has no activation date",
    "it has no tees",
  ]);
});

test("a course version has a fault for each rating that no tee has", () => {
  const steep = tee({ Name: "Steep", SlopeRating: 1310 });
  const halved = tee({ Name: "Halved", CourseRating: 359_000, SlopeRating: 12 });
  expect(registerFaults(version({ Tees: [tee(), steep, halved] }))).toEqual([
    "tee Steep: its Slope Rating is 1310, not from 55 to 155",
    "tee Halved: its Course Rating is 35.9, and its par 72, and its Slope Rating is 12, not from 55 to 155",
  ]);
});
