import fc from "fast-check";
import { expect, test } from "vitest";
import { isLongNumber, parseExactly } from "../../../core/formats/exact-json.ts";

const again = (text: string) => JSON.stringify(parseExactly(text));

test.each([
  "12345678901234567890",
  "-9007199254740993",
  "0.12345678901234567890123",
  "1e400",
  "-1.5E+309",
  "1.50000000000000000001",
  `1${"0".repeat(120_000)}1`,
])("JSON that is parsed exactly is written with the number %.40s unchanged", (number) => {
  const text = `{"a":[1,{"b":${number}}],"c":${number}}`;
  expect(again(text)).toBe(text);
  expect(isLongNumber((parseExactly(`[${number}]`) as unknown[])[0])).toBe(true);
});

test.each([
  ["1.10", 1.1],
  ["12e4", 120_000],
  ["1.2E+5", 120_000],
  ["5.0000000000000000000", 5],
  ["0.000000000000000000100e3", 1e-16],
  ["1000000000000000000000000000e-27", 1],
  ["0.00000000000000000", 0],
  ["-0e9", -0],
  ["1e-400", 0],
  ["4.00000000000000000001", 4],
  ["1e20", 1e20],
  ["0.1000000000000000055511151231257827", undefined],
  ["0.30000000000000004", 0.1 + 0.2],
  ["9007199254740992", 2 ** 53],
])("JSON that is parsed exactly has %s as a number, since a double holds it", (text, number) => {
  const [value] = parseExactly(`[${text}]`) as unknown[];
  if (number === undefined) expect(isLongNumber(value)).toBe(true);
  else expect(value).toBe(number);
});

test("JSON without long numbers is parsed as JSON.parse does", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseExactly(`[${text}]`)).toEqual(JSON.parse(`[${text}]`));
    }),
  );
});

test("strings in JSON stay as they are, even if they look like long numbers", () => {
  const text = '["a:1e400","12345678901234567890",12345678901234567890]';
  expect(again(text)).toBe(text);
});

test("__proto__ in JSON is a field like any other", () => {
  const text = '[{"__proto__":{"polluted":12345678901234567890}}]';
  expect(again(text)).toBe(text);
  expect({}).not.toHaveProperty("polluted");
});

test.each(["", "[", "[1e400", "[01e5]", "[1e400,]"])("%j is not JSON, so it is not parsed", (text) => {
  expect(() => parseExactly(text)).toThrow(SyntaxError);
});
