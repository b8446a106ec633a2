import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageArchive } from "../../lib/package-archive.ts";

const run = promisify(execFile);

test("tar unpacks what was archived, of every size around a block, byte by byte", async () => {
  const folder = await mkdtemp(join(tmpdir(), "archive-"));
  const sizes = [0, 1, 511, 512, 513, 1024, 70_000];
  const files = Object.fromEntries(
    sizes.map((size) => [`dist/${size}.bin`, Uint8Array.from({ length: size }, (_, at) => (at * 37) % 256)]),
  );
  await writeFile(join(folder, "made.tgz"), packageArchive(files));
  const { stderr } = await run("tar", ["-xzf", "made.tgz"], { cwd: folder });
  expect(stderr).toBe("");
  for (const [path, content] of Object.entries(files)) {
    expect(new Uint8Array(await readFile(join(folder, "package", path)))).toEqual(content);
  }
  await rm(folder, { recursive: true });
});

test("the same files make the same bytes, in whatever order they are given", () => {
  const [one, other] = [Buffer.from("one"), Buffer.from("other")];
  expect(packageArchive({ a: one, b: other })).toEqual(packageArchive({ b: other, a: one }));
  expect(packageArchive({ a: one, b: other })).not.toEqual(packageArchive({ a: other, b: one }));
});

test("a path that the header has no room for is refused by its name", () => {
  const path = "p".repeat(93);
  expect(() => packageArchive({ [path]: Buffer.from("") })).toThrow(`package/${path} is too long a path`);
  expect(() => packageArchive({ ["p".repeat(92)]: Buffer.from("") })).not.toThrow();
});
