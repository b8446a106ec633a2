import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join, relative } from "node:path";

/** The files and folders that a synthesized stack is made from. */
const sources = [
  "bin/scorecard-pipeline.ts",
  "cdk.context.json",
  "cdk.json",
  "core",
  "functions",
  "lib",
  "LICENSE",
  "local/pipeline",
  "node_modules/.package-lock.json",
  "package.json",
  "package-lock.json",
  "packages",
  "portal",
  "tsconfig.json",
  "unions",
];
/** What is installed or built in a folder of sources. */
const made = /(^|[\\/])(node_modules|dist|__pycache__)([\\/]|$)/;

const prefix = "assembly-";
/** Older assemblies are removed. */
const maxKept = 8;

function* filesIn(root: string): Generator<string> {
  for (const source of sources) {
    const path = join(root, source);
    if (!existsSync(path)) continue;
    if (statSync(path).isFile()) yield source;
    else {
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
        const file = relative(root, join(entry.parentPath, entry.name));
        if (entry.isFile() && !made.test(file)) yield file;
      }
    }
  }
}

/**
 * A name for all that a stack is synthesized from: it changes with the content of any source, with Node's version and with the options.
 *
 * @param root of the project
 */
export function sourcesKey(root: string, options: readonly (string | undefined)[]): string {
  const hash = createHash("sha256").update(JSON.stringify([process.version, ...options]));
  for (const file of [...filesIn(root)].sort()) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.byteLength}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Synthesizes, unless that has been done before from the same sources.
 *
 * @param folder keeps the latest assemblies
 * @param key of the sources and options
 * @param synthesize writes an assembly into a folder
 * @param now the assembly that was asked for longest ago goes first
 * @returns folder of the cloud assembly
 */
export async function keptAssembly(
  folder: string,
  key: string,
  synthesize: (output: string) => Promise<void>,
  now: Date,
): Promise<string> {
  const assembly = join(folder, `${prefix}${key}`);
  if (!existsSync(assembly)) {
    const output = await mkdtemp(join(folder, ".synthesizing-"));
    try {
      await synthesize(output);
      await rename(output, assembly);
    } catch (error) {
      await rm(output, { recursive: true });
      // Another start was faster.
      if (!existsSync(assembly)) throw error;
    }
  }
  await utimes(assembly, now, now);
  await removeOldest(folder);
  return assembly;
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  const kept = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  const oldest = kept.toSorted((one, other) => other.at - one.at).slice(maxKept);
  await Promise.all(oldest.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })));
}
