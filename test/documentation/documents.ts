import { globSync } from "node:fs";

/** Every Markdown page of the project, as a path from its root. */
export const documents: readonly string[] = globSync(["*.md", "packages/*/*.md", "docs/**/*.md"]).sort();
