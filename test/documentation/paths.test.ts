import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { documents } from "./documents.ts";

/** Folders at the root, without hidden ones. */
const folders = globSync("*/", { exclude: ["node_modules", "coverage", "reports", "cdk.out"] }).map(
  (folder) => folder.replace(/\/$/, ""),
);

/** Code spans that look like a path of the repository: a folder with a slash at its end, or below a folder of the root. */
function pathsOf(page: string): string[] {
  const spans = Array.from(
    page.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/`([^`\n]+)`/g),
    ([, span = ""]) => span,
  );
  return spans.filter(
    (span) =>
      /^[\w.-]+(\/[\w.-]+)*\/?$/.test(span) &&
      (span.endsWith("/") ||
        (span.includes("/") && folders.includes(span.split("/")[0] ?? "") && /\.\w+$/.test(span))),
  );
}

test("the documents name paths of the repository", () => {
  expect(documents.flatMap((file) => pathsOf(readFileSync(file, "utf8"))).length).toBeGreaterThan(20);
});

// The changelog also names what was there in earlier versions.
test.each(documents.filter((file) => file !== "CHANGELOG.md"))("every path that %s names exists", (file) => {
  const missing = pathsOf(readFileSync(file, "utf8")).filter(
    (path) => !existsSync(path) && !existsSync(join(dirname(file), path)),
  );
  expect(missing).toEqual([]);
});

test("every folder in the tree of docs/architecture.md exists", () => {
  const [, tree = ""] =
    /^## Folders\n+((?: {4}.*\n)+)/m.exec(readFileSync("docs/architecture.md", "utf8")) ?? [];
  let parent = "";
  const paths = Array.from(tree.matchAll(/^ {4}( *)([\w-]+)\//gm), ([, indent, folder = ""]) => {
    if (indent === "") parent = folder;
    return indent === "" ? folder : join(parent, folder);
  });
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
