import { defineConfig, type OxlintOverride } from "oxlint";

/**
 * What Biome cannot check: circles of imports, which packages a part may import, and promises that nobody waits for. Which folder may import
 * which is in `import-table.ts`.
 */

/** Forbidden imports, with what to do instead. */
interface Restriction {
  readonly group: string[];
  readonly importNames?: string[];
  readonly message: string;
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
const platform: Restriction = {
  group: ["node:http", "node:https", "aws-lambda", "@middy/*", "aws-cdk-lib", "aws-cdk-lib/*"],
  message: "HTTP, Lambda and CDK stay outside core/: take what is needed as an argument.",
};
/** Folders that only compute are tested without a database or a network. */
const io: Restriction = {
  group: ["node:*", "node:*/**", "!node:crypto"],
  message: "These rules do no I/O: take the data as an argument.",
};
const node: Restriction = { group: ["node:*", "node:*/**"], message: "This runs in browsers." };

/** Later overrides replace earlier ones, so each names all restrictions of its files. */
const restrict = (files: string[], ...patterns: Restriction[]): OxlintOverride => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

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
    restrict(["core/**/*.ts"], platform, sdk),
    restrict(["core/{formats,golf}/**/*.ts"], platform, sdk, io),
    restrict(
      [
        "core/aws/**/*.ts",
        "core/**/{*-table,*queue,*-secret,*-secrets,*-metrics,usage-keys,overview,feed-writer,packed-lists}.ts",
      ],
      platform,
      lists,
    ),
    restrict(["core/aws/read-items.ts"], platform),
    // fetch neither takes the addresses to connect to nor ignores a proxy of the environment; and it does not tell whether a request was
    // sent, and keeps connections of which it knows nothing.
    restrict(["core/webhooks/post-event.ts", "core/union/send-request.ts"], sdk),
    restrict(["functions/**/*.ts"], lists),
    restrict(["portal/**/*.{ts,tsx}", "packages/{client,card-files}/**/*.ts", "packages/whs/*.ts"], node),
    { files: ["packages/client/conformance/program.ts"], rules: { "no-restricted-imports": "off" } },
    {
      // An async listener that fails fails its test or its benchmark.
      files: ["test/**/*.ts", "bench/**/*.ts"],
      rules: { "typescript/no-misused-promises": ["error", { checksVoidReturn: false }] },
    },
  ],
});
