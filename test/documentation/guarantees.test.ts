import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A row of docs/guarantees.md: the promise, the name of a test, and its file below test/. */
const row =
  /^\| (?<promise>.+) \| (?<name>.+) \| \[(?<file>[\w/.-]+\.(?:test|proof)\.ts)\]\(\.\.\/test\/\k<file>\) \|$/;

const lines = readFileSync("docs/guarantees.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\| (promise|---) \|/.test(line));

test.each(lines)("a promise names a test that exists: %s", (line) => {
  const { name = "", file = "" } = row.exec(line)?.groups ?? {};
  expect(readFileSync(`test/${file}`, "utf8")).toContain(`"${name}"`);
});

test("docs/guarantees.md has promises", () => {
  expect(lines.length).toBeGreaterThan(20);
});
