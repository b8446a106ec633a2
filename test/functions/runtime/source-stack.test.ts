import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { sourceStack } from "../../../functions/runtime/log.ts";

const folder = mkdtempSync(join(tmpdir(), "source-stack-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a stack from a bundle has the positions in the sources", async () => {
  writeFileSync(join(folder, "fails.ts"), "\n\nexport function fails() {\n  throw new Error('here');\n}\n");
  const [entry, outfile] = [join(folder, "fails.ts"), join(folder, "index.mjs")];
  buildSync({ entryPoints: [entry], outfile, minify: true, sourcemap: "linked", format: "esm" });
  const { fails } = await import(pathToFileURL(outfile).href);
  let thrown: unknown;
  try {
    fails();
  } catch (error) {
    thrown = error;
  }
  expect(sourceStack(thrown as Error)).toContain("fails.ts:4:9");
});

test("a stack without a source map stays as it is", () => {
  const error = new Error("elsewhere");
  error.stack = "Error: elsewhere\n    at file:///var/task/none.mjs:1:2";
  expect(sourceStack(error)).toBe(error.stack);
});
