import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMarkdownRenderer } from "vitepress";
import { describe, expect, test } from "vitest";
import { readContents } from "../../docs/.vitepress/contents.ts";
import { llmsText } from "../../docs/.vitepress/llms.ts";
import { asOnGitHub, githubAnchor } from "../../docs/.vitepress/markdown.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("a page that is written for GitHub", () => {
  const render = async (text: string, page = "docs/page.md") => {
    const isPage = (path: string) => path.endsWith(".md");
    const markdown = await createMarkdownRenderer(root, { config: asOnGitHub(root, isPage) });
    return markdown.render(text, { path: join(root, page), relativePath: page, cleanUrls: false });
  };

  test("that links to a file which does not exist fails the build, with both names", async () => {
    await expect(render("[a](gone.md)")).rejects.toThrow(
      "docs/page.md links to docs/gone.md, which does not exist.",
    );
    await expect(render("[a](../test/gone.test.ts)")).rejects.toThrow("links to test/gone.test.ts");
  });

  test("has links to other pages, and names files that are not in the site", async () => {
    expect(await render("[a](faults.md#strokes_count)")).toContain('href="/docs/faults.html#strokes_count"');
    expect(await render("[a](decisions/README.md)")).toContain('href="/docs/decisions/"');
    expect(await render("[a](README.md)", "docs/decisions/page.md")).toContain('href="/docs/decisions/"');
    expect(await render("see [`it`](../package.json) now")).toContain(
      '<span title="package.json"><code>it</code></span> now',
    );
    expect(await render("[a](https://standardwebhooks.com)")).toContain(
      'href="https://standardwebhooks.com"',
    );
  });

  test("may have paths in angle brackets and two braces, which are no markup", async () => {
    expect(await render("GET /<apiset>/Clubs {{ x }}<br>end")).toContain(
      "GET /&lt;apiset&gt;/Clubs &#123;&#123; x }}<br>end",
    );
  });
});

test("an anchor is GitHub's, with underscores and without backticks", () => {
  expect(githubAnchor("strokes_count")).toBe("strokes_count");
  expect(githubAnchor("Update, or go back: 0.2.0")).toBe("update-or-go-back-020");
});

test("the contents are the tables of docs/README.md", () => {
  const [section] = readContents(
    "# Documentation\n\nText.\n\n## For vendors\n\n| to … | read |\n| --- | --- |\n| look; see | [a.md](a.md#b), [C](../C.md) |\n",
  );
  expect(section).toEqual({
    title: "For vendors",
    entries: [
      { text: "a.md", path: "docs/a.md", task: "look; see" },
      { text: "C", path: "C.md", task: "look; see" },
    ],
  });
  expect(llmsText(section === undefined ? [] : [section])).toContain(
    "## For vendors\n\n- [a.md](docs/a.md): to look; see\n- [C](C.md): to look; see\n",
  );
});
