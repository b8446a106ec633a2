import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const [, newest] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];

test.each(["package.json", ...globSync("packages/*/package.json")])(
  "%s has the newest version of CHANGELOG.md",
  (file) => {
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe(newest);
  },
);

test("the Python client has the newest version of CHANGELOG.md", () => {
  const project = readFileSync("packages/client-python/version.py", "utf8");
  expect(/^version = "(.+)"$/m.exec(project)?.[1]).toBe(newest);
});

test("package-lock.json has the newest version of CHANGELOG.md for the project and each package", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  // The Python client is no package of npm.
  const folders = globSync("packages/*/package.json").map((file) => file.replace("/package.json", ""));
  for (const folder of ["", ...folders]) expect(packages[folder].version, folder).toBe(newest);
});
