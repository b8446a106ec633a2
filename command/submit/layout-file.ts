import { readFile, writeFile } from "node:fs/promises";
import { type Layout, nameOfHeadings } from "@scorecard-pipeline/card-files/reading/recall-answers";
import * as z from "zod";

const schema = z.array(
  z.strictObject({
    name: z.string(),
    headings: z.array(z.string()),
    answers: z.record(z.string(), z.string()),
  }),
);

type KeptLayout = z.infer<typeof schema>[number];

/**
 * Reads the layouts of a file; none if it does not exist.
 *
 * @throws Error that says what is wrong with it
 */
export async function readLayouts(path: string): Promise<readonly KeptLayout[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return "[]";
  });
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} has no layouts of tables. Name another file, or delete it.`, { cause });
  }
}

/** The layout of a table with these headings. */
export const findLayout = <Kept extends KeptLayout>(
  layouts: readonly Kept[],
  headings: readonly string[],
): Kept | undefined => layouts.find((one) => one.headings.join("\n\n") === headings.join("\n\n"));

/** Writes the layout of a table into the file. What was answered before and not now, as about another mark, stays. */
export async function keepLayout(
  path: string,
  layouts: readonly KeptLayout[],
  headings: readonly string[],
  answers: Layout["answers"],
): Promise<void> {
  const before = findLayout(layouts, headings);
  const name = before?.name ?? nameOfHeadings(headings);
  const kept = [
    ...layouts.filter((one) => one !== before),
    { name, headings, answers: { ...before?.answers, ...answers } },
  ];
  await writeFile(path, `${JSON.stringify(kept, undefined, 2)}\n`);
}
