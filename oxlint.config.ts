import { defineConfig, type OxlintOverride } from "oxlint";

/**
 * What Biome cannot check: circles of imports, which folder may import which, and promises that nobody waits for.
 * Every pattern is matched against the import as it is written, a relative path or a package.
 */

/** A forbidden import, with what to do instead. */
type Restriction = ({ regex: string } | { group: string[] }) & {
  message: string;
  allowTypeImports?: boolean;
};

const noImportOf = (folder: string, message: string): Restriction => ({
  regex: `^(\\.\\./)+${folder}/`,
  message,
});

const outside = noImportOf(
  "(functions|lib|command|client)",
  "core/ knows neither HTTP nor deployment: take what is needed as an argument.",
);
const standIn = noImportOf(
  "packages/stand-in",
  "Only local runs, tests and benchmarks know the union's stand-in.",
);
const local = noImportOf("local", "What is deployed cannot depend on the local run.");
const sample = noImportOf("sample", "Invented cards are for local runs, tests and benchmarks.");
const test = noImportOf("test", "Only tests import from test/.");
const undeployed = [standIn, local, sample, test];

const restrictImports = (...patterns: Restriction[]): NonNullable<OxlintOverride["rules"]> => ({
  "no-restricted-imports": ["error", { patterns }],
});

/** The parts of core/ that only compute, so they are tested without a database or a network. */
const pure = [
  "scorecard/**/*.ts",
  "courses/**/*.ts",
  "formats/**/*.ts",
  "members/**/*.ts",
  "refusal.ts",
  "webhooks/{public-address,retry-schedule,sign}.ts",
];

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
    {
      files: ["core/**/*.ts"],
      rules: restrictImports(...undeployed, outside, {
        group: ["node:http", "node:https", "aws-lambda", "@middy/*", "aws-cdk-lib", "aws-cdk-lib/*"],
        message: "HTTP, Lambda and CDK stay outside core/.",
      }),
    },
    {
      // fetch neither takes the addresses to connect to nor ignores a proxy of the environment.
      files: ["core/webhooks/post-event.ts"],
      rules: restrictImports(...undeployed, outside),
    },
    {
      files: pure.map((files) => `core/${files}`),
      excludeFiles: ["core/courses/sync/**"],
      rules: restrictImports(
        ...undeployed,
        outside,
        {
          group: [
            "node:*",
            "!node:crypto",
            "@aws-sdk/*",
            "aws-lambda",
            "@middy/*",
            "aws-cdk-lib",
            "aws-cdk-lib/*",
          ],
          message: "These rules do no I/O: take the data as an argument.",
        },
        {
          group: [
            "**/accounts/**",
            "**/delivery/**",
            "**/dynamodb/**",
            "**/outcomes/**",
            "**/submission/**",
            "**/union/**",
            "**/sync/**",
          ],
          message: "These rules do no I/O: import only types from the folders that do.",
          allowTypeImports: true,
        },
      ),
    },
    {
      files: ["functions/**/*.ts"],
      rules: restrictImports(
        ...undeployed,
        noImportOf(
          "(lib|command|client|portal)",
          "A function's settings come from its environment variables.",
        ),
      ),
    },
    {
      files: ["packages/client/*.ts"],
      rules: restrictImports(
        ...undeployed,
        noImportOf("(functions|lib|command|core)", "The client package is published alone."),
        { group: ["node:*"], message: "The client package also runs in browsers." },
      ),
    },
    {
      files: ["portal/**/*.{ts,tsx}"],
      rules: restrictImports(
        ...undeployed,
        noImportOf("(functions|lib|command|core)", "The portal runs in browsers and knows only the API."),
        { group: ["node:*"], message: "The portal runs in browsers." },
      ),
    },
    {
      files: ["lib/**/*.ts"],
      rules: restrictImports(
        ...undeployed,
        noImportOf("(command|client)", "Stacks do not depend on their clients."),
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
          group: ["**/core/**", "!**/core/cards/timing.ts", "!**/core/cards/read-submission.ts"],
          message:
            "Stacks share two figures with core/: how long a delivery takes and how large a submission is.",
        },
      ),
    },
    {
      files: ["packages/local-aws/**/*.ts"],
      rules: restrictImports({
        // Two levels up at least: the emulator has a folder `functions` of its own.
        regex:
          "^(\\.\\./){2,}(bin|bench|client|command|core|functions|lib|pipeline|sample|stand-in|test)/|/pipeline/",
        message: "The emulator runs any template: this project's wiring belongs in local/pipeline.",
      }),
    },
    {
      // An async listener that fails fails its test or its benchmark.
      files: ["test/**/*.ts", "bench/**/*.ts"],
      rules: { "typescript/no-misused-promises": ["error", { checksVoidReturn: false }] },
    },
  ],
});
