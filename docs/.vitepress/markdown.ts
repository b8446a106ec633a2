import { existsSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

/** Tags that the pages may use. What else looks like a tag is text, such as `<apiset>` in a path. */
const tags = /^<\/?(?:br|img)\b/i;

/** Anchor of a heading, as GitHub makes it, so that links work in both. */
export function githubAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Path of a page in the site: the page of a folder is its index. */
export function sitePath(page: string): string {
  return page.replace(/(^|\/)README\.md$/, "$1index.md");
}

const isRelative = (address: string) => !/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(address);

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/**
 * Has VitePress read pages that are written for GitHub: links to files that are not in the site, such as tests, become text, and
 * so does what only looks like a tag or like an expression of Vue.
 *
 * @param root the project's root
 * @param isPage whether a path from the root is a page of the site
 * @param addressOf where the site has a file that is no page; undefined if it does not have it
 * @throws Error if a page links to a file that does not exist
 */
export function asOnGitHub(
  root: string,
  isPage: (path: string) => boolean,
  addressOf: (path: string) => string | undefined = () => undefined,
) {
  const toLink = (token: Token, page: string): { readonly href: string } | { readonly file: string } => {
    const href = token.attrGet("href") ?? "";
    if (!isRelative(href)) return { href };
    const [target = "", anchor] = decodeURI(href).split("#");
    const path = posix.join(dirname(page), target);
    if (!existsSync(join(root, path))) throw new Error(`${page} links to ${path}, which does not exist.`);
    const address = addressOf(path);
    if (address !== undefined) return { href: `/${address}` };
    if (!isPage(path)) return { file: path };
    return { href: `/${sitePath(path)}${anchor === undefined ? "" : `#${anchor}`}` };
  };

  const rewrite = (tokens: readonly Token[], page: string) => {
    let isFile = false;
    for (const token of tokens) {
      if (token.type === "html_inline" && !tags.test(token.content)) token.type = "text";
      if (token.type === "link_close" && isFile) {
        Object.assign(token, { type: "file_close", tag: "span" });
        isFile = false;
      }
      if (token.type !== "link_open") continue;
      const link = toLink(token, page);
      if ("href" in link) token.attrSet("href", link.href);
      else {
        Object.assign(token, { type: "file_open", tag: "span", attrs: [["title", link.file]] });
        isFile = true;
      }
    }
  };

  return (markdown: MarkdownRenderer): void => {
    markdown.core.ruler.push("as-on-github", ({ tokens, env }) => {
      const { path, realPath = path } = env as MarkdownEnv;
      const page = relative(root, realPath ?? path).replaceAll(sep, "/");
      for (const { children } of tokens) rewrite(children ?? [], page);
    });
    // Vue would take two braces for the beginning of an expression.
    markdown.renderer.rules.text = (tokens, index) =>
      markdown.utils.escapeHtml(tokens[index]?.content ?? "").replaceAll("{{", "&#123;&#123;");
  };
}
