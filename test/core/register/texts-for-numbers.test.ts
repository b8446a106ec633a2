import { expect, test } from "vitest";
import { teeNumbers } from "../../../core/golf/tee-numbers.ts";
import { readVersion } from "../../../core/register/record.ts";
import { red, tee, version } from "../golf/sample-courses.ts";

test("numbers and Booleans that the register has as texts are read as what they are", () => {
  const Holes = tee().Holes.map((hole, place) => ({
    ...hole,
    ...(place === 0 && { Par: "4", Index: " 7 " }),
  }));
  const Tees = [{ ...tee(), Holes, SlopeRating: "119" }, red()];
  const read = readVersion(JSON.stringify({ ...version(), IsActive: "True", Version: "2", Tees }));
  expect(read).toMatchObject({ IsActive: true, Version: 2, Tees: [{ SlopeRating: 119 }, {}] });
  expect(read.Tees.map((one) => teeNumbers(one).par)).toEqual([72, 72]);
  const odd = readVersion(JSON.stringify({ ...version(), IsActive: "perhaps", Version: "" }));
  expect(odd).toMatchObject({ IsActive: "perhaps", Version: 0 });
});
