import { defineConfig, type OxlintOverride } from "oxlint";

/**
 * What Biome cannot check: circles of imports, which folder may import which, and promises that nobody waits for.
 * Every pattern is matched against the import as it is written, a relative path or a package.
 */

/** A forbidden import, with what to do instead. */
type Restriction = ({ regex: string } | { group: string[] }) & {
  message: string;
  allowTypeImports?: boolean;
  importNames?: string[];
};

const noImportOf = (folder: string, message: string): Restriction => ({
  regex: `^(\\.\\./)+${folder}/`,
  message,
});

const outside = noImportOf(
  "(functions|lib|command)",
  "core/ knows neither HTTP nor deployment: take what is needed as an argument.",
);
const packageOf = (name: string, message: string): Restriction => ({
  regex: `^@scorecard-pipeline/${name}(/|$)`,
  message,
});

/** Of a package only its `exports` are for others; tests of its insides are below test/packages/. */
const insides: Restriction = {
  regex: "^(\\.\\./)+packages/",
  message: "Import the package by its name, @scorecard-pipeline/…: only its exports are public.",
};
const standIn = packageOf("stand-in", "Only local runs, tests and benchmarks know the union's stand-in.");
const local = noImportOf("local", "What is deployed cannot depend on the local run.");
const conformance = noImportOf(
  "unions/conformance",
  "What is deployed does not ask a union for its conformance.",
);
const test = noImportOf("test", "Only tests import from test/.");
const localAws = packageOf("local-aws", "What is deployed cannot depend on the local run.");
const client = packageOf("scorecards-client", "Vendors use the client package; what serves them does not.");
/** The smoke test is a vendor. */
const typesOfClient: Restriction = { ...client, allowTypeImports: true };
const undeployed = [standIn, localAws, local, conformance, test, insides];

const platform: Restriction = {
  group: ["node:http", "node:https", "aws-lambda", "@middy/*", "aws-cdk-lib", "aws-cdk-lib/*"],
  message: "HTTP, Lambda and CDK stay outside core/.",
};

const restrictImports = (...patterns: Restriction[]): NonNullable<OxlintOverride["rules"]> => ({
  "no-restricted-imports": ["error", { patterns }],
});

/** A package stands by itself: nothing is imported from above its folder. @param depth of a file below `packages` */
const outOfPackage = (depth: number): Restriction[] => [
  {
    regex: `^(\\./)?(\\.\\./){${depth},}`,
    message: "A package imports nothing from outside its folder: it is published alone.",
  },
  { regex: "^@scorecard-pipeline/", message: "A package does not know the others." },
];

/**
 * The folders of core/, and which of them each may import, types included. Only `golf` has an exception: the type of a card's
 * vendor, `ApiSet`.
 */
const rows: Readonly<Record<string, readonly string[]>> = {
  formats: [],
  aws: ["formats"],
  accounts: ["aws", "formats"],
  golf: ["formats"],
  union: ["accounts", "formats"],
  register: ["golf", "union", "aws", "formats"],
  cards: ["register", "union", "golf", "accounts", "aws", "formats"],
  views: ["cards", "golf", "accounts", "aws", "formats"],
  players: ["cards", "register", "union", "golf", "accounts", "aws", "formats"],
  records: ["views", "cards", "union", "accounts", "aws", "formats"],
  webhooks: ["views", "cards", "golf", "accounts", "aws", "formats"],
  operations: ["views", "cards", "register", "accounts", "aws", "formats"],
  "smoke-test": ["cards", "golf", "formats"],
};

/** The folders of core/ that a folder may not import, as they are written in an import. */
function foldersBelow(folder: string): Restriction {
  const allowed = new Set([folder, ...(rows[folder] ?? [])]);
  const hasTypesOfAccounts = folder === "golf";
  const others = Object.keys(rows).filter(
    (name) => !allowed.has(name) && !(hasTypesOfAccounts && name === "accounts"),
  );
  return {
    regex: `^(\\.\\./)+(${others.join("|")})/`,
    message: `core/${folder} imports only: ${rows[folder]?.join(", ") || "nothing of the project"}. See docs/architecture.md.`,
  };
}

const sdk: Restriction = {
  group: ["@aws-sdk/*"],
  message:
    "Only core/aws and files named *-table.ts, *queue.ts, *-secret(s).ts and *-metrics.ts use an SDK client: call those.",
};
const lists: Restriction = {
  group: ["@aws-sdk/client-dynamodb"],
  importNames: ["QueryCommand", "ScanCommand", "paginateQuery", "paginateScan"],
  message: "Only core/aws/read-items.ts queries and scans: an answer ends at a megabyte, and says so aside.",
};
/** The files outside core/aws that use an SDK client. */
const sdkFiles = [
  "*-table.ts",
  "*queue.ts",
  "*-secret.ts",
  "*-secrets.ts",
  "*-metrics.ts",
  "usage-keys.ts",
  "overview.ts",
];

/** Folders that only compute, so that they are tested without a database or a network. */
const pure = new Set(["formats", "golf"]);
const noIo: Restriction = {
  group: ["node:*", "node:*/**", "!node:crypto"],
  message: "These rules do no I/O: take the data as an argument.",
};

const typesOfAccounts: Restriction = {
  ...noImportOf("accounts", "core/golf takes only the type of a card's vendor from core/accounts."),
  allowTypeImports: true,
};

/** The rules of one folder of core/: later overrides replace earlier ones, so each names all restrictions. */
function coreFolder(folder: string): OxlintOverride[] {
  const all = [
    ...undeployed,
    folder === "smoke-test" ? typesOfClient : client,
    outside,
    platform,
    foldersBelow(folder),
    ...(pure.has(folder) ? [noIo] : []),
    ...(folder === "golf" ? [typesOfAccounts] : []),
  ];
  const mayUseSdk = folder === "aws" ? ["**/*.ts"] : sdkFiles;
  return [
    { files: [`core/${folder}/**/*.ts`], rules: restrictImports(...all, sdk) },
    { files: mayUseSdk.map((name) => `core/${folder}/**/${name}`), rules: restrictImports(...all, lists) },
    ...(folder === "aws" ? [{ files: ["core/aws/read-items.ts"], rules: restrictImports(...all) }] : []),
  ];
}

export default defineConfig({
  plugins: ["typescript", "import"],
  // Biome has the general rules. These need types or the graph of imports.
  categories: { correctness: "off" },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
  },
  overrides: [
    ...Object.keys(rows).flatMap(coreFolder),
    {
      // fetch neither takes the addresses to connect to nor ignores a proxy of the environment.
      files: ["core/webhooks/post-event.ts"],
      rules: restrictImports(...undeployed, client, outside, foldersBelow("webhooks"), sdk),
    },
    {
      // fetch does not tell whether a request was sent, and keeps connections of which it knows nothing.
      files: ["core/union/send-request.ts"],
      rules: restrictImports(...undeployed, client, outside, foldersBelow("union"), sdk),
    },
    {
      files: ["functions/**/*.ts"],
      rules: restrictImports(
        ...undeployed,
        client,
        lists,
        noImportOf("(lib|command|portal)", "A function's settings come from its environment variables."),
      ),
    },
    {
      files: ["functions/smoke-test/*.ts"],
      rules: restrictImports(
        ...undeployed,
        noImportOf("(lib|command|portal)", "A function's settings come from its environment variables."),
      ),
    },
    {
      files: ["portal/**/*.{ts,tsx}"],
      rules: restrictImports(
        ...undeployed,
        noImportOf(
          "(functions|lib|command|core)",
          "The portal runs in browsers and knows only the API, and by the package card-files what the command does with tables.",
        ),
        { group: ["node:*"], message: "The portal runs in browsers." },
      ),
    },
    {
      files: ["lib/**/*.ts"],
      rules: restrictImports(
        ...undeployed,
        client,
        noImportOf("command", "Stacks do not depend on their clients."),
        {
          group: ["**/functions/**", "!**/functions/runtime/metrics.ts"],
          message:
            "Stacks name functions by folder (lib/bundles.ts); only the names of metrics are shared, as types.",
        },
        {
          regex: "/functions/runtime/metrics\\.ts$",
          message: "Import the names of metrics as types: the module itself creates a metrics client.",
          allowTypeImports: true,
        },
        {
          group: [
            "**/core/**",
            "!**/core/cards/life/states.ts",
            "!**/core/cards/delivery/timing.ts",
            "!**/core/cards/read-submission.ts",
            "!**/core/operations/service-objective.ts",
            "!**/core/webhooks/queue-address.ts",
          ],
          message:
            "Stacks share figures with core/: how long a delivery takes, how large a submission is, the service objective, and which roles are assumed.",
        },
      ),
    },
    ...[
      { files: ["packages/*/*.ts"], depth: 1 },
      { files: ["packages/*/*/*.ts"], depth: 2 },
      { files: ["packages/*/*/*/**/*.ts"], depth: 3 },
    ].map(({ files, depth }) => ({ files, rules: restrictImports(...outOfPackage(depth)) })),
    {
      files: ["packages/client/*.ts"],
      rules: restrictImports(...outOfPackage(1), {
        group: ["node:*"],
        message: "The client package also runs in browsers.",
      }),
    },
    {
      files: ["packages/card-files/**/*.ts"],
      rules: restrictImports(
        {
          regex: "^@scorecard-pipeline/(?!scorecards-client$)",
          message: "What reads tables submits them with the client package, and knows no other.",
        },
        {
          regex: "^(\\.\\./){2,}",
          message:
            "What reads tables stands by itself. Most of core/ also generates code when it is loaded, which the portal's policy forbids in browsers.",
        },
        { group: ["node:*"], message: "What reads tables runs in browsers, too." },
      ),
    },
    {
      files: ["{bin,bench,command,docs,local,unions}/**/*.ts"],
      rules: restrictImports(insides),
    },
    // From here `../packages/` may be test/packages/, which has what tests of the packages share.
    ...[2, 3, 4].map((depth) => ({
      files: [
        `test/{bench,bin,command,core,documentation,end-to-end,engines,functions,lib,local,portal,proofs,unions}/${"*/".repeat(depth - 2)}*.ts`,
      ],
      rules: restrictImports({ ...insides, regex: `^(\\.\\./){${depth}}packages/` }),
    })),
    {
      // An async listener that fails fails its test or its benchmark.
      files: ["test/**/*.ts", "bench/**/*.ts"],
      rules: { "typescript/no-misused-promises": ["error", { checksVoidReturn: false }] },
    },
  ],
});
