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
  expect(methods).toContain("tournamentCards");
  expect(methods.filter(isMissingIn(sectionOf("packages/client/README.md")))).toEqual([]);
});
