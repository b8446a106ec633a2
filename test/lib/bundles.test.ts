import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { AssetCode } from "aws-cdk-lib/aws-lambda";
import { expect, test } from "vitest";
import { bundle, bundledFiles, functionNames } from "../../lib/bundles.ts";

/** Bytes that a cold start may read and compile. */
const largestBundles: Readonly<Record<string, number>> = {
  authorize: 420_000,
  "submit-scorecards": 520_000,
  // It reads three AWS services.
  "wake-waiting-cards": 468_000,
  "read-operations": 455_000,
  // It has all rules of golf, explains them, and finds rounds that were sent before.
  "validate-scorecards": 479_000,
};
const largestOther = 450_000;

function folderOf(name: (typeof functionNames)[number]): string {
  const code = bundle(name);
  if (!(code instanceof AssetCode)) throw new Error(`The bundle of ${name} is not a folder.`);
  return code.path;
}

test("every folder below functions/ is a bundled function, except http and runtime", () => {
  const folders = readdirSync("functions", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...functionNames, "http", "runtime"].sort());
});

test.each(functionNames)(
  "the bundle of %s imports only built-ins, exports its handler, and is not too large",
  (name) => {
    const text = readFileSync(join(folderOf(name), "index.mjs"), "utf8");
    const imported = Array.from(
      text.matchAll(/(?:^|[;}\s])(?:import|export)[^;"'()]*["']([@\w./:-]+)["']/g),
      ([, from]) => from,
    );
    expect(imported.filter((from) => from !== undefined && !isBuiltin(from))).toEqual([]);
    expect(text).toMatch(/export\{[^}]*\bas handler\b[^}]*\}/);
    expect(text.length).toBeLessThan(largestBundles[name] ?? largestOther);
  },
);

test.each(functionNames)(
  "%s has the notice of every package that has code in it, beside the code",
  (name) => {
    const notices = readFileSync(join(folderOf(name), "NOTICES.txt"), "utf8");
    const packages = bundledFiles(name).flatMap(
      (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
    );
    for (const one of new Set(packages)) expect(notices).toMatch(new RegExp(`^${one} \\d[^,]*, \\S`, "m"));
    if (packages.length > 0) expect(notices).toContain("Permission is hereby granted");
  },
);

test("the notices of the portal are of what its page has, too", () => {
  const notices = readFileSync(join(folderOf("serve-portal"), "NOTICES.txt"), "utf8");
  expect(notices).toMatch(/^preact \d/m);
});

test.each(functionNames)("the source map of %s has relative paths of the project only", (name) => {
  const { sources, sourcesContent } = JSON.parse(readFileSync(join(folderOf(name), "index.mjs.map"), "utf8"));
  expect(sources).toContain(`../../../functions/${name}/handler.ts`);
  const elsewhere = sources.filter(
    (source: string) => !/^(\.\.\/){3}(node_modules|api|functions|core|unions)\//.test(source),
  );
  expect(elsewhere).toEqual([]);
  expect(sourcesContent).toBeUndefined();
});

test.each(functionNames)("%s uses zod/mini only, which starts in a third of the time", (name) => {
  expect(bundledFiles(name).filter((file) => file.includes("/zod/v4/classic/"))).toEqual([]);
});

test.each(functionNames)("%s does not check for web streams, which would make Node load them", (name) => {
  expect(readFileSync(join(folderOf(name), "index.mjs"), "utf8")).not.toMatch(/typeof ReadableStream/);
});

test.each(functionNames)("%s does not import http, which would make Node load undici", (name) => {
  const text = readFileSync(join(folderOf(name), "index.mjs"), "utf8");
  expect(text).not.toMatch(/(from|import)\s*\(?\s*["'](node:)?http["']/);
});
