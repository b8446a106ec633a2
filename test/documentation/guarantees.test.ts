import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each promise of docs/guarantees.md with the name of the test that proves it; one that begins with … continues the one above. */
const testNames: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("test/documentation/guarantees.json", "utf8"),
);

/** Each promise with the test file that it links. */
const promises: (readonly [promise: string, file: string])[] = [];
let above = "";
for (const [, promise = "", file = ""] of readFileSync("docs/guarantees.md", "utf8").matchAll(
  /^ *- (.+) \(\[test\]\(\.\.\/(test\/.+)\)\)$/gm,
)) {
  if (!promise.startsWith("…")) above = promise;
  promises.push([promise === above ? promise : `${above} ${promise}`, file]);
}

test.each(promises)("a promise links the file of a test that exists: %s", (promise, file) => {
  expect(readFileSync(file, "utf8")).toContain(`"${testNames[promise]}"`);
});

test("docs/guarantees.md has the promises whose tests are known, and no other", () => {
  expect(promises.length).toBeGreaterThan(20);
  expect(promises.map(([promise]) => promise).toSorted()).toEqual(Object.keys(testNames).toSorted());
});
