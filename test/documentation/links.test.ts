import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { documents } from "./documents.ts";

/** Target and anchor of a link to another file or section of the project. */
const link = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** Anchors of a page, as Markdown readers make them from headings. */
const anchorsOf = (page: string) =>
  Array.from(page.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test.each([...documents, ".github/SECURITY.md"])(
  "every link of %s leads to a file and a heading that exist",
  (file) => {
    const page = readFileSync(file, "utf8");
    for (const [whole, target = "", anchor] of page.matchAll(link)) {
      const path = target === "" ? file : join(dirname(file), target);
      expect(existsSync(path), `${file}: ${whole}`).toBe(true);
      if (anchor === undefined || !statSync(path).isFile()) continue;
      expect(anchorsOf(readFileSync(path, "utf8")), `${file}: ${whole}`).toContain(anchor);
    }
  },
);

test("docs/README.md lists every page below docs", () => {
  const index = readFileSync("docs/README.md", "utf8");
  const pages = documents.filter((file) => /^docs\/[^/]+\.md$/.test(file) && file !== "docs/README.md");
  for (const page of pages) expect(index).toContain(`](${page.slice("docs/".length)})`);
});

test("docs/decisions/README.md lists every decision", () => {
  const index = readFileSync("docs/decisions/README.md", "utf8");
  const decisions = documents
    .filter((file) => /^docs\/decisions\/[a-z]/.test(file))
    .map((file) => {
      const numbers = anchorsOf(readFileSync(file, "utf8")).flatMap((anchor) => /^\d+/.exec(anchor) ?? []);
      return { page: file.slice("docs/decisions/".length), numbers: numbers.map(Number) };
    });
  for (const { page, numbers } of decisions) {
    const line = index.split("\n").find((one) => one.startsWith(`| [${page}](${page})`)) ?? "";
    const listed = Array.from(line.matchAll(/(?<=[|,] )\d+(?= )/g), ([number]) => Number(number));
    expect(listed, page).toEqual(numbers);
  }
  const all = decisions.flatMap(({ numbers }) => numbers).toSorted((one, other) => one - other);
  expect(all).toEqual(Array.from(all, (_, index) => index + 1));
});

test("README.md has at most 10 KB", () => {
  expect(statSync("README.md").size).toBeLessThanOrEqual(10 * 1024);
});
