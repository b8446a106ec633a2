import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packClient } from "../../lib/client-package.ts";
import { installPackage } from "../packages/installed-package.ts";

const run = promisify(execFile);

/** The files of an archive by their path. */
async function filesOf(archive: Uint8Array): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "unpacked-"));
  await mkdir(join(folder, "files"));
  await writeFile(join(folder, "archive.tgz"), archive);
  await run("tar", ["-xzf", "../archive.tgz"], { cwd: join(folder, "files") });
  const paths = globSync("**/*", { cwd: join(folder, "files"), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(
    paths.map(async (path) => [path.slice(folder.length), await readFile(path, "utf8")] as const),
  );
  await rm(folder, { recursive: true });
  return Object.fromEntries(contents);
}

test("the client that a deployment serves has the files of the one that npm packs, and the same content", async () => {
  const packed = await installPackage("client");
  const files = await filesOf(packed.tarball);
  expect(Object.keys(files)).toContain("/files/package/dist/index.d.ts");
  expect(await filesOf(packClient())).toEqual(files);
  await packed.remove();
});

test("the client is packed into the same bytes each time, so that a deployment without a change changes nothing", () => {
  expect(packClient()).toEqual(packClient());
});
