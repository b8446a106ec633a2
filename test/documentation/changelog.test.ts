import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const [, newest] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];

test.each(["package.json", ...globSync("packages/*/package.json")])(
  "%s has the newest version of CHANGELOG.md",
  (file) => {
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe(newest);
  },
);

test("package-lock.json has the newest version of CHANGELOG.md for the project and each package", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const folder of ["", ...globSync("packages/*")]) expect(packages[folder].version, folder).toBe(newest);
});
