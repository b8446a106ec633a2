import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const entry = join(root, "packages/client/index.ts");

/**
 * Builds the client package: one minified module for Node 20 and browsers, and its declarations.
 *
 * @param folder where to; by default where packages/client/package.json expects them
 */
export async function buildClient(folder = join(root, "packages/client/dist")): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [entry],
    outfile: join(folder, "index.js"),
    bundle: true,
    minify: true,
    format: "esm",
    target: ["node20", "chrome120", "firefox124", "safari17.4"],
    platform: "neutral",
    logLevel: "error",
  });
  await declarations(folder);
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
}

/** Writes the declarations. They name each other as modules, not as the sources that they came from. */
async function declarations(folder: string): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--outDir", folder];
  const parameters = [tsc, "--project", join(root, "packages/client/build/tsconfig.json"), ...options];
  await promisify(execFile)(process.execPath, parameters);
  for (const file of await readdir(folder)) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, file), "utf8");
    await writeFile(join(folder, file), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
}

if (import.meta.main) await buildClient();
