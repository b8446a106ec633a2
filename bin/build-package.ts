import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

// `npm pack` in a folder of packages/ calls this before and after. In the repository a package's `exports` name its TypeScript, which
// Node does not run below node_modules; npm, unlike pnpm, does not replace them with those of `publishConfig`.

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Prepares a package for `npm pack`: builds `dist` and has package.json name its files.
 *
 * @param folder of the package
 * @throws Error with what the compiler printed
 */
async function prepare(folder: string): Promise<void> {
  // The file is left over if packing was interrupted.
  await restore(folder);
  const dist = join(folder, "dist");
  const manifest: PackageManifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  await rm(dist, { recursive: true, force: true });
  await compile(folder);
  if (manifest.name.endsWith("/scorecards-client")) await bundle(folder, dist);
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  await rename(join(folder, "package.json"), join(folder, sourceManifest));
  const version = manifest.version + (await readBuild());
  await writeFile(join(folder, "package.json"), packedManifest({ ...manifest, version }));
}

/** What a version ends with, such as `+1a2b3c4`, so that each build has its own; empty without a history. */
async function readBuild(): Promise<string> {
  const describe = ["describe", "--always", "--dirty", "--exclude=*"];
  const { stdout } = await promisify(execFile)("git", describe, { cwd: root }).catch(() => ({ stdout: "" }));
  return stdout === "" ? "" : `+${stdout.trim()}`;
}

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: object;
  /** Fields that are others in the packed package, e.g. `exports`. */
  readonly publishConfig: object;
}

/** The text of package.json in the packed package, whose `exports` name JavaScript. */
function packedManifest({ scripts: _, publishConfig, ...manifest }: PackageManifest): string {
  return `${JSON.stringify({ ...manifest, ...publishConfig }, null, 2)}\n`;
}

/** Name of package.json of the repository while the packed one takes its place. */
const sourceManifest = "package.json.source";

/** Undoes what {@link prepare} changed outside `dist`. */
async function restore(folder: string): Promise<void> {
  await rename(join(folder, sourceManifest), join(folder, "package.json")).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    },
  );
  await rm(join(folder, "LICENSE"), { force: true });
}

/** JavaScript and declarations, one file for each source, which `new URL(…, import.meta.url)` of a worker thread needs. */
async function compile(folder: string): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "--project", folder]);
  } catch (cause) {
    const { stdout } = cause as { readonly stdout?: string };
    throw new Error(`${folder} does not compile:\n${stdout}`, { cause });
  }
}

/** Puts the client as minified modules for Node 20 and browsers in the place of the compiled ones: one for each entry. */
async function bundle(folder: string, dist: string): Promise<void> {
  await Promise.all(globSync("**/*.js", { cwd: dist }).map((file) => rm(join(dist, file))));
  await build({
    entryPoints: ["index.ts", "conformance/program.ts", "conformance/report.ts"].map((entry) =>
      join(folder, entry),
    ),
    outdir: dist,
    external: ["node:*"],
    bundle: true,
    minify: true,
    // Node prints the line of an error that nobody catches.
    lineLimit: 160,
    format: "esm",
    target: ["node20", "chrome120", "firefox124", "safari17.4"],
    platform: "neutral",
    logLevel: "error",
  });
}

await (process.argv.includes("--restore") ? restore : prepare)(process.cwd());
