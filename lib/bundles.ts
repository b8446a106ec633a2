import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type BuildOptions, buildSync, type Metafile } from "esbuild";
import { noticesOf } from "./notices.ts";

/** The functions; each has a `handler.ts` in a folder of its name below `functions/`. */
export const functionNames = [
  "answer-preflights",
  "authorize",
  "change-delivery",
  "check-players",
  "check-records",
  "deliver-scorecards",
  "deliver-webhooks",
  "describe-account",
  "describe-api",
  "follow-outcomes",
  "manage-webhooks",
  "measure-unsent",
  "mirror-courses",
  "read-courses",
  "read-members",
  "read-operations",
  "serve-portal",
  "submit-scorecards",
  "track-scorecards",
  "validate-scorecards",
  "wake-waiting-cards",
] as const;

/** Name of a function, which is its folder's. */
export type FunctionName = (typeof functionNames)[number];

const root = fileURLToPath(new URL("..", import.meta.url));

/** CommonJS packages inside an ES module still call `require`. */
const requireForBundledPackages =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/**
 * The SDK's credential sources on a developer's machine. Lambda sets the credentials in the environment, which the SDK
 * reads first, so it never imports these, and a bundle without them is a quarter smaller.
 */
const unusedCredentialSources = ["sso", "ini", "process", "web-identity", "http", "login"].map(
  (source) => `@aws-sdk/credential-provider-${source}`,
);

interface PortalFiles {
  readonly script: string;
  readonly style: string;
  /** Scripts that the first one imports, by their names, which change with their content. */
  readonly parts: Readonly<Record<string, string>>;
  /** Those of the parts that the page always needs. */
  readonly firstParts: readonly string[];
  /** The script that reads tables in a worker of the page, by its name. */
  readonly worker: { readonly part: string; readonly text: string };
  /** The files that went into all of them. */
  readonly files: readonly string[];
}

/** How the portal's scripts are bundled, for the browsers of the last two years. */
const forBrowsers = {
  metafile: true,
  absWorkingDir: root,
  outdir: "cdk.out/portal",
  write: false,
  bundle: true,
  platform: "browser",
  target: ["chrome120", "firefox124", "safari17.4"],
  minify: true,
  legalComments: "none",
  preserveSymlinks: true,
  logLevel: "error",
} as const satisfies BuildOptions;

/**
 * The script of the portal's worker. It is in one piece, since its policy lets it load nothing.
 */
function bundleWorker(): { readonly text: string; readonly part: string; readonly files: string[] } {
  const { outputFiles, metafile } = buildSync({
    ...forBrowsers,
    entryPoints: ["portal/tables/table-worker.ts"],
    format: "iife",
  });
  const text = outputFiles[0]?.text.trimEnd() ?? "";
  const version = hash("sha256", text, "hex").slice(0, 8).toUpperCase();
  return { text, part: `table-worker-${version}`, files: Object.keys(metafile.inputs) };
}

/**
 * The portal's page is one script and one style, and parts of the script that are loaded when they are needed. All scripts have one route, and a part is named in its query: so a view of its own is no path of its own.
 */
function bundlePortal(): PortalFiles {
  const worker = bundleWorker();
  const { outputFiles, metafile } = buildSync({
    ...forBrowsers,
    entryPoints: ["portal/main.tsx", "portal/style.css"],
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: {
      TABLE_WORKER: JSON.stringify(`portal.js?part=${worker.part}`),
    },
  });
  const textOf = (name: string) =>
    outputFiles.find(({ path }) => path.endsWith(`/${name}`))?.text.trimEnd() ?? "";
  const names = outputFiles.map(({ path }) => basename(path));
  const partNames = names.filter((name) => name.endsWith(".js") && name !== "main.js");
  const withRoutes = (script: string) =>
    partNames.reduce(
      (text, name) => text.replaceAll(`"./${name}"`, `"./portal.js?part=${toPartName(name)}"`),
      script,
    );
  const { imports = [] } = metafile.outputs["cdk.out/portal/main.js"] ?? {};
  return {
    script: withRoutes(textOf("main.js")),
    style: textOf("style.css"),
    parts: Object.fromEntries(partNames.map((name) => [toPartName(name), withRoutes(textOf(name))])),
    firstParts: imports
      .filter(({ kind }) => kind === "import-statement")
      .map(({ path }) => toPartName(basename(path))),
    worker,
    files: [...Object.keys(metafile.inputs), ...worker.files],
  };
}

const toPartName = (name: string) => basename(name, ".js");

/** The base address in the OpenAPI document and its page, which the function replaces. */
const exampleBase = "https://scorecards.example/production";

interface ApiDescription {
  readonly document: object;
  readonly referencePage: string;
  readonly shownOperations: object;
}

/** The OpenAPI document, its page, and the operations of an account's page. They take long to make and never change, so they are made once. */
function describeApi(): ApiDescription {
  const load = createRequire(import.meta.url);
  const { openApiDocument } = load("../api/document/document.ts") as {
    openApiDocument: (server: string) => object;
  };
  const { referencePage } = load("../functions/serve-portal/reference/page.ts") as {
    referencePage: (document: object, base: string) => string;
  };
  const { listShownOperations } = load("../api/document/shown-operations.ts") as {
    listShownOperations: () => object;
  };
  const document = openApiDocument(exampleBase);
  return {
    document,
    referencePage: referencePage(document, exampleBase),
    shownOperations: listShownOperations(),
  };
}

function bundledConstants(
  { script, style, parts, firstParts, worker }: PortalFiles,
  { document, shownOperations }: ApiDescription,
): Record<string, string> {
  return {
    PORTAL_SCRIPT: JSON.stringify(script),
    PORTAL_STYLE: JSON.stringify(style),
    PORTAL_PARTS: JSON.stringify(JSON.stringify({ parts, firstParts, worker: worker.part })),
    OPENAPI_DOCUMENT: JSON.stringify(JSON.stringify(document)),
    SHOWN_OPERATIONS: JSON.stringify(JSON.stringify(shownOperations)),
    REFERENCE_BASE: JSON.stringify(exampleBase),
  };
}

interface Bundles {
  /** Holds one folder per bundle; removed when the process exits. */
  readonly folder: string;
  readonly metafile: Metafile;
}

let functionBundles: Bundles | undefined;

/** Beside the bundles, for a process that did not make them. */
const metafileName = "metafile.json";

/** All bundles in one run of esbuild. The CDK's NodejsFunction starts npx for each: ten. */
function bundleFunctions(): Bundles {
  functionBundles ??= build(
    Object.fromEntries(functionNames.map((each) => [each, `functions/${each}/handler.ts`])),
  );
  return functionBundles;
}

/** The folder of the functions' bundles, for another process of the same sources to use. */
export function bundlesFolder(): string {
  return bundleFunctions().folder;
}

/** Has this process use bundles that another process made: they take most of the time of a synthesis. */
export function useBundles(folder: string): void {
  const metafile = JSON.parse(readFileSync(join(folder, metafileName), "utf8")) as Metafile;
  functionBundles = { folder, metafile };
}

/** A function's handler with all its imports as one ES module. It has no local paths, so its hash is the same anywhere. */
export function bundle(name: FunctionName): Code {
  return Code.fromAsset(join(bundleFunctions().folder, name));
}

/** The source files that contribute to a function's bundle, relative to the project's root. */
export function bundledFiles(name: FunctionName): string[] {
  const output = bundleFunctions().metafile.outputs[`cdk.out/bundles/${name}/index.mjs`];
  if (output === undefined) throw new Error(`esbuild made no bundle of ${name}`);
  return Object.entries(output.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
}

function build(modules: Readonly<Record<string, string>>): Bundles {
  const portal = bundlePortal();
  const description = describeApi();
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
    external: unusedCredentialSources,
    // The SDK checks whether a body is a ReadableStream, for which alone Node would load web streams: 3 ms of a first request.
    define: {
      ...bundledConstants(portal, description),
      ReadableStream: "undefined",
    },
    alias: { "node:http": "./functions/runtime/node-http.cjs" },
    // Paths in source maps stay as written, even if node_modules is a link.
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
  for (const name of Object.keys(modules)) {
    const inputs = Object.keys(metafile.outputs[`cdk.out/bundles/${name}/index.mjs`]?.inputs ?? {});
    const files = name === "serve-portal" ? [...inputs, ...portal.files] : inputs;
    if (name === "serve-portal") {
      writeFileSync(join(folder, name, "reference.html"), description.referencePage);
      writeFileSync(join(folder, name, "table-worker.js"), portal.worker.text);
    }
    writeFileSync(join(folder, name, "NOTICES.txt"), noticesOf(root, files));
  }
  writeFileSync(join(folder, metafileName), JSON.stringify(metafile));
  return { folder, metafile };
}
