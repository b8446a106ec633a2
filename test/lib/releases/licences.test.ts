import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusedLicences } from "../../../lib/releases/licences.ts";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const withPackage = (entry: object) => ({ packages: { ...lock.packages, "node_modules/planted": entry } });

test("every package of the lock file has an allowed licence", () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  expect(refusedLicences(lock)).toEqual([]);
});

test.each([
  { license: "GPL-3.0-only" },
  { license: "GPL-3.0-or-later", dev: true },
  { license: "AGPL-3.0-only", dev: true },
  { license: "MIT AND GPL-2.0-only" },
  { license: "MPL-2.0" },
  { license: "SEE LICENSE IN LICENSE.md" },
  {},
])("a planted package with %o is refused", (entry) => {
  const license = "license" in entry ? entry.license : undefined;
  expect(refusedLicences(withPackage(entry))).toEqual([{ folder: "node_modules/planted", license }]);
});

test.each([
  { license: "(MIT OR GPL-3.0-or-later)" },
  { license: "MIT AND ISC" },
  { license: "MPL-2.0", dev: true },
])("a planted package with %o is allowed", (entry) => {
  expect(refusedLicences(withPackage(entry))).toEqual([]);
});
