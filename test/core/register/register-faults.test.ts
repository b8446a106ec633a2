import { expect, test } from "vitest";
import { registerFaults } from "../../../core/register/register-faults.ts";
import { tee, version } from "../golf/sample-cards.ts";

test("a course version that cards can be worked out on has no fault", () => {
  expect(registerFaults(version())).toEqual([]);
});

test("a course version has a fault for each rating that no tee has", () => {
  const steep = tee({ Name: "Steep", SlopeRating: 1310 });
  const halved = tee({ Name: "Halved", CourseRating: 359_000, SlopeRating: 12 });
  expect(registerFaults(version({ Tees: [tee(), steep, halved] }))).toEqual([
    "tee Steep: its Slope Rating is 1310, not from 55 to 155",
    "tee Halved: its Course Rating is 35.9, and its par 72, and its Slope Rating is 12, not from 55 to 155",
  ]);
});
