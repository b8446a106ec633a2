import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { readContents } from "../../docs/.vitepress/contents.ts";
import { sitePath } from "../../docs/.vitepress/markdown.ts";
import { documents } from "./documents.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(
  dirname(fileURLToPath(import.meta.resolve("vitepress/package.json"))),
  "bin/vitepress.js",
);
const contents = readContents(readFileSync(join(root, "docs/README.md"), "utf8"));

describe("the site of the documentation", () => {
  let site = "";
  const textOf = (file: string) => readFileSync(join(site, file), "utf8");
  const pageOf = (document: string) => sitePath(document).replace(/md$/, "html");

  beforeAll(async () => {
    site = mkdtempSync(join(tmpdir(), "site-"));
    await promisify(execFile)(process.execPath, [program, "build", "docs", "--outDir", site], { cwd: root });
  });

  test("has every document of the project, and nothing else of it", () => {
    const built = globSync("**/*.html", { cwd: site }).sort();
    expect(built).toEqual([...documents.map(pageOf), "404.html"].sort());
  });

  test("leads each link to a page and a heading that it has", () => {
    const dead: string[] = [];
    let links = 0;
    for (const document of documents) {
      const text = textOf(pageOf(document));
      for (const [, address = ""] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(address)) continue;
        links += 1;
        const [path = "", anchor] = decodeURI(address).split("#");
        const named =
          path === "" ? pageOf(document) : join(path.slice(1), path.endsWith("/") ? "index.html" : "");
        const file = [named, `${named}.html`].find(
          (one) => /\.\w+$/.test(one) && existsSync(join(site, one)),
        );
        const isThere =
          file !== undefined &&
          (anchor === undefined || anchor === "" || textOf(file).includes(`id="${anchor}"`));
        if (!isThere) dead.push(`${document}: ${address}`);
      }
    }
    expect(dead).toEqual([]);
    expect(links).toBeGreaterThan(1_000);
  });

  test("shows the examples that its pages name", () => {
    const example = "docs/examples/scoring-app.ts";
    expect(textOf("docs/vendors.html")).toContain(`href="/${example}.txt"`);
    expect(textOf(`${example}.txt`)).toBe(readFileSync(join(root, example), "utf8"));
  });

  test("loads nothing from another host", () => {
    const loaded: string[] = [];
    for (const file of globSync("**/*.{html,css}", { cwd: site })) {
      const text = textOf(file);
      const addresses = text.matchAll(
        /<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]+)"|url\(([^)]+)\)/g,
      );
      for (const [, attribute, inStyle] of addresses) loaded.push(attribute ?? inStyle ?? "");
    }
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((address) => /^['"]?(?:https?:)?\/\//.test(address))).toEqual([]);
  });

  test("finds every document but the changelog by its search", async () => {
    const [chunk = ""] = globSync("assets/chunks/@localSearchIndex*.js", { cwd: site });
    const { default: index } = await import(pathToFileURL(join(site, chunk)).href);
    const ids = Object.values<string>(JSON.parse(index).documentIds);
    const found = new Set(ids.map((id) => id.replace(/#.*/, "")));
    const missing = documents
      .map(pageOf)
      .filter(
        (page) => ![`/${page}`, `/${page.replace(/(^|\/)index\.html$/, "$1")}`].some((id) => found.has(id)),
      );
    expect(missing).toEqual(["CHANGELOG.html"]);
    expect(ids).toContain("/docs/faults.html#strokes_count");
  });

  test("has the Markdown of every document, and in llms.txt a link to each page below docs/", () => {
    for (const document of documents)
      expect(textOf(document)).toBe(readFileSync(join(root, document), "utf8"));
    const links = new Set(Array.from(textOf("llms.txt").matchAll(/\]\(([^)]+)\)/g), ([, path = ""]) => path));
    for (const path of links) expect(existsSync(join(site, path)), path).toBe(true);
    const pages = documents.filter((document) => /^docs\/(?!README)[^/]+$/.test(document));
    for (const page of pages) expect(links).toContain(page);
    const forVendors = contents[0]?.entries.map(({ path }) => path) ?? [];
    expect(forVendors).toContain("docs/moving-over.md");
    for (const path of forVendors)
      expect(textOf("llms-full.txt")).toContain(readFileSync(path, "utf8").trim());
  });

  test("has the notice of every package whose code is in its scripts", () => {
    const notices = textOf("NOTICES.txt");
    for (const name of ["vitepress", "@vue/runtime-core", "minisearch", "mark.js"])
      expect(notices).toMatch(new RegExp(`^${name} \\d[^,]*, MIT$`, "m"));
  });
});
