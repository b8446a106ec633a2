import { readFileSync } from "node:fs";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";

/** What a client's README says of everything that the client does. */
function sectionOf(readme: string): string {
  const [, section = ""] = readFileSync(readme, "utf8").split("## Everything it does");
  return section;
}

const isMissingIn = (section: string) => (method: string) => !section.includes(`\`${method}(`);

test("the README of the TypeScript client says what each method does", () => {
  const account = { apiSet: "a", username: "a", password: "b" };
  const client = createClient({ api: "https://scorecards.example/test", ...account });
  const methods = Object.entries(client).flatMap(([name, member]) =>
    typeof member === "function" ? [name] : [],
  );
  expect(methods).toContain("putStartList");
  expect(methods.filter(isMissingIn(sectionOf("packages/client/README.md")))).toEqual([]);
});

test("the README of the Python client says what each method does", () => {
  const code = readFileSync("packages/client-python/src/scorecard_pipeline_client/client.py", "utf8");
  const methods = Array.from(code.matchAll(/(?<!@property)\n {4}def ([a-z]\w*)\(/g), ([, name = ""]) => name);
  expect(methods).toContain("put_start_list");
  expect(methods.filter(isMissingIn(sectionOf("packages/client-python/README.md")))).toEqual([]);
});
