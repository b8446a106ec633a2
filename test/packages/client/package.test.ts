import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildClient } from "../../../packages/client/build/bundle.ts";
import { typesFile, typesOfApi } from "../../../packages/client/build/generate-types.ts";

const run = promisify(execFile);

/** The package as it would be published, in a folder of its own. */
let folder: string;
let tarball: Uint8Array;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-client-"));
  for (const file of ["package.json", "README.md"])
    await copyFile(join("packages/client", file), join(folder, file));
  await buildClient(join(folder, "dist"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts"], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  tarball = await readFile(join(folder, filename));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

test("the types are those of the OpenAPI document: else run `npm run client:types`", async () => {
  expect(await readFile(typesFile, "utf8")).toBe(await typesOfApi());
});

test("the package has at most 15 KB of code and depends on nothing", async () => {
  expect((await stat(join(folder, "dist/index.js"))).size).toBeLessThanOrEqual(15_000);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(await readFile(join(folder, "dist/index.js"), "utf8")).not.toMatch(/\b(import|require)\b[^.]*["'(]/);
});

test("publint finds nothing to mend in the package", async () => {
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages } = await publint({ pack: { tarball: data as ArrayBuffer }, strict: true });
  expect(messages).toEqual([]);
});

test("every way of importing the package finds its types", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) throw new Error("The package has no types.");
  // It is for `import` only: before Node 20.19, `require` cannot load it, and resolution of 2014 knows no `exports`.
  const problems = analysis.problems.filter(
    ({ kind, ...of }) =>
      kind !== "CJSResolvesToESM" && !("resolutionKind" in of && of.resolutionKind === "node10"),
  );
  expect(problems).toEqual([]);
});

test("the package works once it is installed", async () => {
  const code = `import { createClient } from ${JSON.stringify(join(folder, "dist/index.js"))};
    const client = createClient({ api: "http://127.0.0.1:3/test", username: "a", password: "b", retrySeconds: 0 });
    console.log(await client.clubs().catch(({ name }) => name));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code]);
  expect(stdout.trim()).toBe("NoResponseError");
});
