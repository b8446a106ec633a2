import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keptAssembly, sourcesKey } from "../../../local/pipeline/kept-assembly.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "kept-"));

/** Writes files below a project's root. */
function write(root: string, files: Readonly<Record<string, string>>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

const project = { "core/golf/points.ts": "1", "functions/submit/handler.ts": "2", "package-lock.json": "{}" };

test.each([
  ["a changed source", { "core/golf/points.ts": "3" }],
  ["a new source", { "core/golf/strokes.ts": "" }],
  ["another version of a package", { "package-lock.json": '{"zod": 4}' }],
])("%s asks for a new synthesis", (_, changes) => {
  const root = write(newFolder(), project);
  const before = sourcesKey(root, ["local"]);
  write(root, changes);
  expect(sourcesKey(root, ["local"])).not.toBe(before);
});

test("other files do not, and neither does another place of the project", () => {
  const root = write(newFolder(), project);
  const before = sourcesKey(root, ["local"]);
  write(root, { "test/points.test.ts": "", "packages/client/dist/index.js": "", "cdk.out/tree.json": "" });
  expect(sourcesKey(root, ["local"])).toBe(before);
  expect(sourcesKey(root, ["local", "norway"])).not.toBe(before);
  const moved = newFolder();
  cpSync(root, moved, { recursive: true });
  expect(sourcesKey(moved, ["local"])).toBe(before);
});

test("the same sources are synthesized once, and the latest assemblies are kept", async () => {
  const folder = newFolder();
  let times = 0;
  const synthesize = async (output: string) => {
    times += 1;
    writeFileSync(join(output, "manifest.json"), "{}");
  };
  const ask = (key: string, day: number) =>
    keptAssembly(folder, key, synthesize, new Date(Date.UTC(2026, 6, day)));
  const first = await ask("one", 1);
  expect(await ask("one", 2)).toBe(first);
  expect(times).toBe(1);
  expect(existsSync(join(first, "manifest.json"))).toBe(true);
  for (let n = 0; n < 9; n++) await ask(`other-${n}`, 3 + n);
  expect(readdirSync(folder)).toHaveLength(8);
  expect(existsSync(first)).toBe(false);
});

test("a synthesis that fails leaves nothing, and the next start tries it again", async () => {
  const folder = newFolder();
  const fail = () => Promise.reject(new Error("cdk synth failed."));
  await expect(keptAssembly(folder, "one", fail, new Date())).rejects.toThrow("cdk synth failed.");
  expect(readdirSync(folder)).toEqual([]);
});
