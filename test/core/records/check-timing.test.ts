import { expect, test } from "vitest";
import { isLastLook, nextLookAt } from "../../../core/records/check-timing.ts";
import { hour } from "../../durations.ts";
import { start } from "../memory/stored-card.ts";

const timing = { first: 3 * hour, last: 72 * hour };
/** Hours after the delivery at which a card is looked for that is never found, by a check that runs on time. */
function looks(late: number): number[] {
  const hours: number[] = [];
  for (let now = start; !isLastLook(start, now, timing); ) {
    now = nextLookAt(start, now, timing) + late;
    hours.push((now - start) / hour);
  }
  return hours;
}

test("a card is looked for after 3, 9, 27 and 72 hours", () => {
  expect(looks(0)).toEqual([3, 9, 27, 72]);
});

test("a check that is late looks for it less often, and not before it is due", () => {
  expect(looks(20 * hour)).toEqual([23, 47, 92]);
});

test("a card for which the union did not answer in the end is looked for again a day later", () => {
  const now = start + 80 * hour;
  expect(isLastLook(start, now, timing)).toBe(true);
  expect(nextLookAt(start, now, timing)).toBe(now + 24 * hour);
});
