import { expect, test } from "vitest";
import { canBeChecked } from "../../../core/records/found-shares.ts";
import { hour } from "../../durations.ts";

const now = Date.parse("2026-06-04T12:00:00Z");
const day = (found: number, absent: number, lastFoundAt = now - hour) => ({ found, absent, lastFoundAt });

test.each([
  ["most cards of the run are found", { found: 6, absent: 5, vanished: 0 }, [], true],
  [
    "few cards of the run are found, and were before",
    { found: 4, absent: 6, vanished: 0 },
    [day(90, 1)],
    false,
  ],
  [
    "of a small run none is found, and most were before",
    { found: 0, absent: 3, vanished: 0 },
    [day(90, 1)],
    true,
  ],
  [
    "of a small run none is found, and few were before",
    { found: 0, absent: 3, vanished: 0 },
    [day(1, 9)],
    false,
  ],
  ["none was ever found, as in another register", { found: 0, absent: 3, vanished: 0 }, [], false],
  [
    "what was found before is gone, as in another shape",
    { found: 0, absent: 3, vanished: 1 },
    [day(90, 1)],
    false,
  ],
  ["none was found for a day", { found: 0, absent: 3, vanished: 0 }, [day(90, 1, now - 25 * hour)], false],
])("if %s, whether a card that is not found may be called missing is %4$s", (_, run, days, isRight) => {
  expect(canBeChecked(run, days, now)).toBe(isRight);
});
