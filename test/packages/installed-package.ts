import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { makeOnce } from "../made-once.ts";

const run = promisify(execFile);

/** A package of packages/ that is installed in an otherwise empty folder. */
export interface InstalledPackage {
  /** The folder, with nothing but `node_modules` and a package.json. */
  readonly folder: string;
  /** Where the package is in it. */
  readonly installed: string;
  readonly tarball: Uint8Array;
  remove(): Promise<void>;
}

/**
 * Runs `npm pack` in a copy of the repository, because packing changes package.json while other tests import the package.
 *
 * @param folder of the package below packages/
 * @returns the tarball's path
 */
async function pack(folder: string): Promise<string> {
  const tarball = "packed.tgz";
  const made = await makeOnce(`packed-${folder}`, async (copy) => {
    for (const file of ["package.json", "LICENSE", "tsconfig.json", "bin/build-package.ts"]) {
      await cp(file, join(copy, file));
    }
    const isSource = (path: string) => !/\/(dist|node_modules|LICENSE)$|\.tgz$/.test(path);
    await cp(`packages/${folder}`, join(copy, "packages", folder), { recursive: true, filter: isSource });
    await symlink(resolve("node_modules"), join(copy, "node_modules"));
    const cwd = join(copy, "packages", folder);
    const source = await readFile(join(cwd, "package.json"), "utf8");
    const { stdout } = await run("npm", ["pack", "--json"], { cwd });
    if ((await readFile(join(cwd, "package.json"), "utf8")) !== source) {
      throw new Error(`npm pack did not restore packages/${folder}/package.json`);
    }
    // The build prints nothing, so all of it is JSON.
    const [{ filename }] = JSON.parse(stdout);
    await rename(join(cwd, filename), join(copy, tarball));
  });
  return join(made, tarball);
}

/**
 * Packs a package and installs it. The registry is not asked: packages of packages/ that it depends on are packed, too, and other
 * dependencies are links to the repository's own.
 *
 * @param folder of the package below packages/
 * @param besides packages that the user of the package installs, too
 */
export async function installPackage(
  folder: string,
  besides: readonly string[] = [],
): Promise<InstalledPackage> {
  const temporary = await mkdtemp(join(tmpdir(), `${folder}-package-`));
  const empty = join(temporary, "empty");
  await mkdir(empty);
  await writeFile(join(empty, "package.json"), '{ "type": "module" }');
  const install = async (name: string): Promise<{ installed: string; tarball: string }> => {
    const tarball = await pack(name);
    const { name: packageName } = JSON.parse(await readFile(join("packages", name, "package.json"), "utf8"));
    const installed = join(empty, "node_modules", packageName);
    await mkdir(installed, { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components", "1"]);
    const { dependencies = {} } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    for (const dependency of new Set([...Object.keys(dependencies), ...besides])) {
      const [, own] = /^@scorecard-pipeline\/(.+)$/.exec(dependency) ?? [];
      if (own !== undefined) await install(own);
      else await linkModule(dependency, empty);
    }
    return { installed, tarball };
  };
  const { installed, tarball } = await install(folder);
  return {
    folder: empty,
    installed,
    tarball: await readFile(tarball),
    remove: () => rm(temporary, { recursive: true, force: true }),
  };
}

async function linkModule(name: string, folder: string): Promise<void> {
  const link = join(folder, "node_modules", name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(resolve("node_modules", name), link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
