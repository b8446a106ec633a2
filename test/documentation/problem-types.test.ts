import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { problemTypes } from "../../api/problems.ts";

const document = readFileSync(new URL("../../docs/vendors.md", import.meta.url), "utf8");

test("docs/vendors.md says of every type of problem, and of no other, what to do", () => {
  const rows = Array.from(
    document.matchAll(/^\| `(urn:[^`]+)` \| [45]\d\d[, \d]* \| .+ \|$/gm),
    ([, type]) => type,
  );
  expect(rows).toEqual(problemTypes);
});
