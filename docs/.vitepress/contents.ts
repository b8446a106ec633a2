/** A page in the contents of the documentation, with the task that a reader opens it for. */
export interface ContentsEntry {
  /** What the link says, e.g. `vendors.md`. */
  readonly text: string;
  /** Path from the project's root. */
  readonly path: string;
  readonly task: string;
}

/** The pages for one kind of reader. */
export interface ContentsSection {
  readonly title: string;
  readonly entries: readonly ContentsEntry[];
}

/**
 * The contents of the site, which are the tables of docs/README.md: so a page that is listed there is listed everywhere.
 *
 * @param index text of docs/README.md
 */
export function readContents(index: string): ContentsSection[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...lines] = section.split("\n");
      return { title: title.trim(), entries: lines.flatMap(readRow) };
    })
    .filter(({ entries }) => entries.length > 0);
}

function readRow(line: string): ContentsEntry[] {
  const [, task = "", pages = ""] = /^\| (.+) \| (\[.+) \|$/.exec(line) ?? [];
  return Array.from(pages.matchAll(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g), ([, text = "", target = ""]) => ({
    text,
    path: new URL(target, "file:///docs/").pathname.slice(1),
    task,
  }));
}
