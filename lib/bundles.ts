import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync, type Metafile } from "esbuild";

/** The functions: each a folder below `functions/` with a `handler.ts`. */
export const functionNames = [
  "answer-preflights",
  "authorize",
  "change-delivery",
  "deliver-scorecards",
  "describe-account",
  "describe-api",
  "measure-unsent",
  "mirror-courses",
  "publish-outcomes",
  "read-courses",
  "read-members",
  "submit-scorecards",
  "track-scorecards",
  "validate-scorecards",
] as const;

/** The name of a function. */
export type FunctionName = (typeof functionNames)[number];

const root = fileURLToPath(new URL("..", import.meta.url));

/** CommonJS packages inside an ES module still call `require`. */
const requireForBundledPackages =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * Where the SDK looks for credentials on a developer's machine. On Lambda they are in the environment, which it
 * asks first; so these are never imported, and a bundle is a quarter smaller without them.
 */
const credentialsElsewhere = ["sso", "ini", "process", "web-identity", "http", "login"].map(
  (source) => `@aws-sdk/credential-provider-${source}`,
);

/** What takes long to make and never changes, by the name that stands for it: made once, with the bundles. */
function madeBeforehand(): Record<string, string> {
  const { openApiDocument } = createRequire(import.meta.url)("../functions/http/openapi/document.ts") as {
    openApiDocument: (server: string) => object;
  };
  return { OPENAPI_DOCUMENT: JSON.stringify(JSON.stringify(openApiDocument(""))) };
}

/** What one run of esbuild made. */
interface Bundles {
  /** Holds a folder for each bundle; it is gone when the process ends. */
  readonly folder: string;
  readonly metafile: Metafile;
}

let bundles: Bundles | undefined;

/**
 * The code of a function: its handler and all it imports, in one ES module.
 *
 * All bundles are made in one run of esbuild, which takes half a second; the CDK's own NodejsFunction starts npx for
 * each, which takes ten. Bundles hold no path of the machine they are made on, so their hash is the same everywhere.
 */
export function bundle(name: FunctionName): Code {
  return Code.fromAsset(join(bundleFunctions().folder, name));
}

/** The source files, below the project's root, of which something is left in a function's bundle. */
export function bundledFiles(name: FunctionName): string[] {
  const output = bundleFunctions().metafile.outputs[`cdk.out/bundles/${name}/index.mjs`];
  if (output === undefined) throw new Error(`esbuild made no bundle of ${name}`);
  return Object.entries(output.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
}

function bundleFunctions(): Bundles {
  bundles ??= build(Object.fromEntries(functionNames.map((each) => [each, `functions/${each}/handler.ts`])));
  return bundles;
}

/**
 * Bundles modules, each into `index.mjs` in a folder of its own.
 *
 * @param modules path below the project's root, by the name of the folder that its bundle gets
 * @returns the folder that holds those folders; it is gone when the process ends
 */
export function bundleEach(modules: Readonly<Record<string, string>>): string {
  return build(modules).folder;
}

function build(modules: Readonly<Record<string, string>>): Bundles {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: Object.entries(modules).map(([name, module]) => ({ in: module, out: `${name}/index` })),
    outdir: "cdk.out/bundles",
    outExtension: { ".js": ".mjs" },
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    external: credentialsElsewhere,
    // The SDK asks whether a body is such a stream; Node loads them for the question alone: 3 ms of a first request.
    define: { ...madeBeforehand(), ReadableStream: "undefined" },
    alias: { "node:http": "./functions/runtime/node-http.cjs" },
    // A path in a source map is the one that was written, also where node_modules is a link.
    preserveSymlinks: true,
    banner: { js: requireForBundledPackages },
    logLevel: "error",
  });
  const folder = mkdtempSync(join(tmpdir(), "scorecard-bundles-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const { path, contents } of outputFiles) {
    const file = join(folder, relative(join(root, "cdk.out/bundles"), path));
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, contents);
  }
  return { folder, metafile };
}
