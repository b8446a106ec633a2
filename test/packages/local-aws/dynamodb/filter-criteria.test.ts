import { expect, test } from "vitest";
import { readFilterCriteria } from "../../../../packages/local-aws/dynamodb/filter-criteria.ts";

const criteria = (...patterns: unknown[]) => ({
  Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })),
});
const delivered = {
  eventName: ["INSERT", "MODIFY"],
  dynamodb: { NewImage: { state: { S: ["delivered"] } } },
};
const breaker = { dynamodb: { NewImage: { item: { S: ["breaker"] } } } };
const record = (eventName: string, NewImage?: object) => ({ eventName, dynamodb: { NewImage } });

test.for([
  [
    "a record with one of the values everywhere passes",
    record("MODIFY", { state: { S: "delivered" }, id: { S: "a" } }),
    true,
  ],
  ["a record that matches another pattern passes", record("REMOVE", { item: { S: "breaker" } }), true],
  ["a record with another value does not pass", record("MODIFY", { state: { S: "queued" } }), false],
  [
    "a record that matches a pattern in part does not pass",
    record("REMOVE", { state: { S: "delivered" } }),
    false,
  ],
  [
    "a record with a value of another type does not pass",
    record("MODIFY", { state: { N: "delivered" } }),
    false,
  ],
  ["a record without the image does not pass", record("MODIFY"), false],
] as const)("%s", ([, value, passes]) => {
  expect(readFilterCriteria(criteria(delivered, breaker))(value)).toBe(passes);
});

test("any record passes where there are no patterns", () => {
  expect(readFilterCriteria({ Filters: [] })(record("REMOVE"))).toBe(true);
});

test.for([
  [{ eventName: [{ prefix: "IN" }] }, '[{"prefix":"IN"}] at eventName'],
  [{ dynamodb: { NewImage: { state: { S: "delivered" } } } }, '"delivered" at dynamodb.NewImage.state.S'],
  [{ eventName: [] }, "[] at eventName"],
  [["INSERT", { a: 1 }], "at its root"],
] as const)("the pattern %j is an error that names what is not known", ([pattern, named]) => {
  expect(() => readFilterCriteria(criteria(pattern))).toThrow(named);
});
