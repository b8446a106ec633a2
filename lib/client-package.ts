import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, buildSync } from "esbuild";
import { packageArchive } from "./package-archive.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "packages/client");

/** package.json of a package in packages/, as it is in the repository. */
export interface PackageManifest {
  readonly name: string;
  readonly scripts: object;
  /** Fields that are others in the packed package, e.g. `exports`. npm, unlike pnpm, does not replace them. */
  readonly publishConfig: object;
}

/** The text of package.json in the packed package, whose `exports` name JavaScript. */
export function packedManifest({ scripts: _, publishConfig, ...manifest }: PackageManifest): string {
  return `${JSON.stringify({ ...manifest, ...publishConfig }, null, 2)}\n`;
}

/** The client as one minified module for Node 20 and browsers. */
export const clientModule = {
  bundle: true,
  minify: true,
  // Node prints the line of an error that nobody catches.
  lineLimit: 160,
  format: "esm",
  target: ["node20", "chrome120", "firefox124", "safari17.4"],
  platform: "neutral",
  logLevel: "error",
} as const satisfies BuildOptions;

/**
 * The client package, with the files that `npm pack` puts into it. It is made without npm, which changes package.json while it packs:
 * several syntheses may run at once.
 */
export function packClient(): Buffer {
  const temporary = mkdtempSync(join(tmpdir(), "client-package-"));
  try {
    const options = ["--emitDeclarationOnly", "--noCheck", "--outDir", temporary];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "--project", folder, ...options]);
    const { outputFiles } = buildSync({
      ...clientModule,
      entryPoints: [join(folder, "index.ts")],
      write: false,
    });
    const manifest: PackageManifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const declarations = globSync("*.d.ts", { cwd: temporary }).map(
      (file) => [`dist/${file}`, readFileSync(join(temporary, file))] as const,
    );
    return packageArchive({
      "package.json": Buffer.from(packedManifest(manifest)),
      "README.md": readFileSync(join(folder, "README.md")),
      LICENSE: readFileSync(join(root, "LICENSE")),
      "dist/index.js": outputFiles[0]?.contents ?? new Uint8Array(),
      ...Object.fromEntries(declarations),
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
