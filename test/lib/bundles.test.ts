import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { AssetCode } from "aws-cdk-lib/aws-lambda";
import { expect, test } from "vitest";
import { bundle, bundledFiles, functionNames } from "../../lib/bundles.ts";

/** Bytes; what an execution environment reads and compiles before its first answer. */
const largestBundles: Readonly<Record<string, number>> = { authorize: 420_000, "submit-scorecards": 520_000 };
const largestOther = 450_000;

function folderOf(name: (typeof functionNames)[number]): string {
  const code = bundle(name);
  if (!(code instanceof AssetCode)) throw new Error(`The bundle of ${name} is not a folder.`);
  return code.path;
}

test("every function has a bundle, and nothing else lies in functions/ but what they share", () => {
  const folders = readdirSync("functions", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...functionNames, "http", "runtime"].sort());
});

test.each(functionNames)("the bundle of %s needs nothing beside it, and exports its handler", (name) => {
  const text = readFileSync(join(folderOf(name), "index.mjs"), "utf8");
  const imported = Array.from(
    text.matchAll(/(?:^|[;}\s])(?:import|export)[^;"'()]*["']([@\w./:-]+)["']/g),
    ([, from]) => from,
  );
  expect(imported.filter((from) => from !== undefined && !isBuiltin(from))).toEqual([]);
  expect(text).toMatch(/export\{[^}]*\bas handler\b[^}]*\}/);
  expect(text.length).toBeLessThan(largestBundles[name] ?? largestOther);
});

test.each(functionNames)(
  "the source map of %s names files of the project, and no path of this machine",
  (name) => {
    const { sources, sourcesContent } = JSON.parse(
      readFileSync(join(folderOf(name), "index.mjs.map"), "utf8"),
    );
    expect(sources).toContain(`../../../functions/${name}/handler.ts`);
    const elsewhere = sources.filter(
      (source: string) => !/^(\.\.\/){3}(node_modules|functions|core)\//.test(source),
    );
    expect(elsewhere).toEqual([]);
    expect(sourcesContent).toBeUndefined();
  },
);

test.each(functionNames)(
  "%s reads with the small form of zod alone, which takes a third of the time to start",
  (name) => {
    expect(bundledFiles(name).filter((file) => file.includes("/zod/v4/classic/"))).toEqual([]);
  },
);

test.each(functionNames)(
  "%s does not ask for web streams, which Node would load for the question",
  (name) => {
    expect(readFileSync(join(folderOf(name), "index.mjs"), "utf8")).not.toMatch(/typeof ReadableStream/);
  },
);

test.each(functionNames)("%s does not import http, for which Node would load all that fetches", (name) => {
  const text = readFileSync(join(folderOf(name), "index.mjs"), "utf8");
  expect(text).not.toMatch(/(from|import)\s*\(?\s*["'](node:)?http["']/);
});
