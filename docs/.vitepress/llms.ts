import type { ContentsSection } from "./contents.ts";

/**
 * What a language model reads first: a list of all pages, each with its task, as links to their Markdown.
 *
 * @see https://llmstxt.org
 */
export function llmsText(sections: readonly ContentsSection[]): string {
  const lists = sections.map(({ title, entries }) => {
    const links = entries.map(({ text, path, task }) => `- [${text}](${path}): to ${task}\n`);
    return `## ${title}\n\n${links.join("")}`;
  });
  return `# Scorecards

> An API that takes golf scorecards from vendors' apps, checks them under the World Handicap System, and delivers them to a golf union's exchange.

All links are to Markdown. \`llms-full.txt\` has the pages for vendors in one file. A running stage describes each request and each field at
\`{base address}/openapi.json\`.

${lists.join("\n")}`;
}

/**
 * The pages of one section in one text, each under its path.
 *
 * @param textOf reads a page by its path from the project's root
 */
export function llmsFullText(section: ContentsSection, textOf: (path: string) => string): string {
  const paths = [...new Set(section.entries.map(({ path }) => path))];
  return paths.map((path) => `<!-- ${path} -->\n\n${textOf(path).trim()}\n`).join("\n");
}
