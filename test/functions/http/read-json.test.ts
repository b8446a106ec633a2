import { expect, test } from "vitest";
import { faultsText, readJson } from "../../../functions/http/read-json.ts";

const limits = { bytes: 1_024, values: 10, levels: 3 };
const read = (body: string) => readJson(body, limits, "list", "Send less.");
const refused = (status: number, said: string) =>
  expect.objectContaining({
    problem: expect.objectContaining({ status, detail: expect.stringContaining(said) }),
  });

test.each([
  '{"a": [1, 2, {"b": "[[[[,,,,,,,,,,,,,,"}]}',
  '["\\\\", "\\"[[[[", "{{{{"]',
  "[1,2,3,4,5,6,7,8,9,10]",
  " 7 ",
  '""',
])("a body within the limits is read: %s", (body) => {
  expect(read(body)).toEqual(JSON.parse(body));
});

test.each([
  [`"${"a".repeat(1_023)}"`, "1 KiB"],
  [`"${"ø".repeat(512)}"`, "1 KiB"],
  ["[1,2,3,4,5,6,7,8,9,10,11]", "10 values"],
  ["[[],[],[],[],[],[]]", "10 values"],
  ["[[[[1]]]]", "3 levels"],
  ['{"a":{"b":{"c":{}}}}', "3 levels"],
  ["[[[[", "3 levels"],
])("a body that exceeds a limit is 413, and says which: %s", (body, limit) => {
  expect(() => read(body)).toThrow(refused(413, `A list may have at most ${limit}. Send less.`));
});

test("what is not JSON is undefined, and a field that no object can have is 400", () => {
  expect(read("{")).toBeUndefined();
  expect(read("")).toBeUndefined();
  expect(() => read('{"a": [{"__proto__": 1}]}')).toThrow(refused(400, "__proto__"));
});

test("twenty faults are told, each once, and how many more there are", () => {
  expect(faultsText(["a", "b", "a"])).toBe("a; b.");
  const many = Array.from({ length: 30 }, (_, place) => `fault ${place}`);
  expect(faultsText(many)).toMatch(/^fault 0; .*; fault 19; and 10 more\.$/);
});
