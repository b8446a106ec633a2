import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isTenThousandths,
  readTenThousandths,
  tenThousandthsSchema,
} from "../../../core/formats/ten-thousandths.ts";

test("a number times 10,000 is read alike as a number and as a text, and kept as it was sent", () => {
  fc.assert(
    fc.property(fc.integer(), (number) => {
      expect(readTenThousandths(number)).toBe(number);
      expect(readTenThousandths(String(number))).toBe(number);
      expect(tenThousandthsSchema.parse(String(number))).toBe(String(number));
      expect(tenThousandthsSchema.parse(number)).toBe(number);
    }),
  );
});

test.each([
  [12.4],
  ["12.4"],
  ["12,4"],
  [""],
  [" 90000"],
  ["+90000"],
  ["9e4"],
  ["0x10"],
  [null],
  [true],
  [[90000]],
])("a number times 10,000 is not %j", (value) => {
  expect(isTenThousandths(value)).toBe(false);
  expect(readTenThousandths(value)).toBeUndefined();
  expect(tenThousandthsSchema.safeParse(value).success).toBe(false);
});

test("a number times 10,000 has no more digits than a double holds exactly", () => {
  expect(isTenThousandths("999999999999999")).toBe(true);
  expect(isTenThousandths("1000000000000000")).toBe(false);
  expect(isTenThousandths(2 ** 53)).toBe(false);
  expect(isTenThousandths(Number.NaN)).toBe(false);
});

test("whatever a text is, the check and the schema agree whether it is a number times 10,000", () => {
  const characters = fc.constantFrom(..."0123456789", "-", "+", ".", " ", "e", "\u0661", "\ufffd");
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 17 }), (text) => {
      expect(isTenThousandths(text)).toBe(tenThousandthsSchema.safeParse(text).success);
    }),
    { numRuns: 2_000 },
  );
});

test.each(["-", "--1", "-99999999999999", "-999999999999999"])(
  "the check and the schema agree whether %s is a number times 10,000",
  (text) => {
    expect(isTenThousandths(text)).toBe(tenThousandthsSchema.safeParse(text).success);
  },
);
