import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardStates, statesThat } from "../../../core/cards/life/states.ts";
import { CardState, isSettled, isWaiting } from "../../../packages/client/index.ts";
import { type InstalledPackage, installPackage } from "../installed-package.ts";

const run = promisify(execFile);

let home: InstalledPackage;
beforeAll(async () => {
  home = await installPackage("client");
});
afterAll(() => home?.remove());

test("the client waits for cards in the states that are to be posted, until they have their outcome", () => {
  const states = Object.values(CardState);
  expect(states).toEqual(cardStates);
  expect(states.filter(isWaiting)).toEqual(statesThat("isOpen", true));
  expect(states.filter(isSettled)).toEqual(statesThat("isFinal", true));
});

test("the package has at most 15.5 KB of code and depends on nothing", async () => {
  expect((await stat(join(home.installed, "dist/index.js"))).size).toBeLessThanOrEqual(15_500);
  const manifest = JSON.parse(await readFile(join(home.installed, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(await readFile(join(home.installed, "dist/index.js"), "utf8")).not.toMatch(
    /\b(import|require)\b[^.]*["'(]/,
  );
});

test("publint finds nothing to mend in the package", async () => {
  const { buffer, byteOffset, byteLength } = home.tarball;
  const data = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const { messages } = await publint({ pack: { tarball: data }, strict: true });
  expect(messages).toEqual([]);
});

test("every way of importing the package finds its types", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(home.tarball));
  if (!analysis.types) throw new Error("The package has no types.");
  // It is for `import` only: before Node 20.19, `require` cannot load it, and resolution of 2014 knows no `exports`.
  const problems = analysis.problems.filter(
    ({ kind, ...of }) =>
      kind !== "CJSResolvesToESM" && !("resolutionKind" in of && of.resolutionKind === "node10"),
  );
  expect(problems).toEqual([]);
});

test("the package works once it is installed", async () => {
  const code = `import { createClient } from "@scorecard-pipeline/scorecards-client";
    const client = createClient({ api: "http://127.0.0.1:3/test", username: "a", password: "b", retrySeconds: 0 });
    console.log(await client.clubs().catch(({ name }) => name));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: home.folder,
  });
  expect(stdout.trim()).toBe("NoResponseError");
  const program = await run(process.execPath, [join(home.installed, "dist/conformance/program.js")]).catch(
    (error) => error,
  );
  expect([program.code, program.stderr]).toEqual([
    2,
    expect.stringContaining("scorecards-client conformance"),
  ]);
});
