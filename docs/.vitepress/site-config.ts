import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { icon } from "../../functions/http/page/page-head.ts";
import { noticesOf } from "../../lib/notices.ts";
import { type ContentsSection, readContents } from "./contents.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { asOnGitHub, githubAnchor, sitePath } from "./markdown.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The pages of the site: those that stand in the project anyway. */
const pages = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root }).sort();
const isPage = new Set(pages);

/** Programs that the pages name. */
const examples = new Set(globSync("docs/examples/**/*.{ts,go,java,py}", { cwd: root }));
/** A browser shows a text, where it would download a program. */
const exampleAddress = (path: string) => (examples.has(path) ? `${path}.txt` : undefined);

const readPage = (page: string) => readFileSync(join(root, page), "utf8");
const readTitle = (page: string) => /^# (.+)$/m.exec(readPage(page))?.[1]?.replaceAll("`", "") ?? page;

const contents = readContents(readPage("docs/README.md"));

const toSidebar = ({ title, entries }: ContentsSection) => ({
  text: title,
  collapsed: false,
  items: [...new Set(entries.map(({ path }) => path))]
    .filter((path) => isPage.has(path))
    .map((path) => ({ text: readTitle(path), link: `/${sitePath(path)}` })),
});

/** Source files whose code is in the site's scripts. */
const bundled = new Set<string>();

/** The site of the documentation, as VitePress builds it from the pages that are there. */
export const siteConfig = defineConfig({
  title: "Scorecards",
  description: "The API for vendors that send golf scorecards, and how to run it.",
  lang: "en",
  head: [["link", { rel: "icon", href: icon }]],
  srcDir: "..",
  srcExclude: ["!(docs|packages|*.md)/**", "packages/*/!(README).md", "packages/*/*/**"],
  rewrites: Object.fromEntries(
    pages.filter((page) => page !== sitePath(page)).map((page) => [page, sitePath(page)]),
  ),
  markdown: {
    anchor: { slugify: githubAnchor },
    headers: { slugify: githubAnchor },
    toc: { slugify: githubAnchor },
    config: asOnGitHub(root, (path) => isPage.has(path), exampleAddress),
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        // What changed once is not what a reader looks for.
        _render: (text, env, markdown) =>
          env.relativePath === "CHANGELOG.md" ? "" : markdown.render(text, env),
        miniSearch: {
          options: {
            // Each word also finds words that begin with it, so "a" would find nearly everything. This runs in the browser: it
            // cannot use what is outside.
            processTerm: (term) =>
              /^(?:an?|and|do|for|how|i|in|is|it|of|on|or|the|to|what)$/i.test(term)
                ? null
                : term.toLowerCase(),
          },
          searchOptions: { combineWith: "AND" },
        },
      },
    },
    sidebar: contents.map(toSidebar),
    nav: [
      { text: "Contents", link: "/docs/" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
    outline: [2, 3],
  },
  vite: {
    // The search index is one chunk, which is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [
      {
        name: "list-bundled-files",
        generateBundle(_options, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== "chunk") continue;
            for (const module of Object.keys(chunk.modules)) bundled.add(relative(root, module));
          }
        },
      },
    ],
  },
  buildEnd({ outDir }) {
    for (const page of pages) {
      mkdirSync(dirname(join(outDir, page)), { recursive: true });
      cpSync(join(root, page), join(outDir, page));
    }
    for (const example of examples) {
      const file = join(outDir, `${example}.txt`);
      mkdirSync(dirname(file), { recursive: true });
      cpSync(join(root, example), file);
    }
    const [forVendors] = contents;
    if (forVendors === undefined) throw new Error("docs/README.md has no table of pages for vendors.");
    writeFileSync(join(outDir, "llms.txt"), llmsText(contents));
    writeFileSync(join(outDir, "llms-full.txt"), llmsFullText(forVendors, readPage));
    writeFileSync(join(outDir, "NOTICES.txt"), noticesOf(root, bundled));
  },
});
