import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundledFiles, functionNames } from "../../lib/bundles.ts";

/** The file that defines each function which makes a middy handler. */
const makers: Readonly<Record<string, string>> = {
  vendorApi: "functions/http/vendor-api.ts",
  openRoute: "functions/http/open-route.ts",
  consumer: "functions/runtime/consumer.ts",
};

test.each(Object.entries(makers))("%s makes middy handlers", (name, file) => {
  const source = readFileSync(file, "utf8");
  expect(source).toMatch(new RegExp(`^export function ${name}\\b`, "m"));
  expect(source).toMatch(/(return|=) middy[<(]/);
});

test("each function has a handler, and no other folder has one", () => {
  expect(globSync("functions/*/handler.ts").sort()).toEqual(
    functionNames.map((name) => `functions/${name}/handler.ts`),
  );
});

test.each(functionNames)("the handler of %s is a middy handler", (name) => {
  const source = readFileSync(`functions/${name}/handler.ts`, "utf8");
  // A streamed response passes on the response of a middy handler: see decision 19.
  const maker = /^export const handler = (?:streamedResponse\(\s*)?(\w+)[(<]/m.exec(source)?.[1];
  expect(["middy", ...Object.keys(makers)]).toContain(maker);
  expect(bundledFiles(name)).toContain("node_modules/@middy/core/index.js");
});

test("the environment is read by readSettings alone", () => {
  const readers = globSync("{functions,core}/**/*.ts").filter((file) =>
    // Deleting a variable is no reading: Powertools reads it itself.
    /(?<!delete )process\.env/.test(readFileSync(file, "utf8")),
  );
  expect(readers).toEqual(["functions/runtime/read-settings.ts"]);
});
