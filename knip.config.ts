import type { KnipConfig } from "knip";

const config: KnipConfig = {
  workspaces: {
    ".": {
      // What is started by name, not imported.
      entry: [
        "bin/*.{ts,js}",
        // lib/bundles.ts has esbuild bundle the handlers, with this module in place of node:http.
        "functions/*/handler.ts",
        "functions/runtime/node-http.cjs",
        // The CDK starts the first, which bundles the second.
        "local/deployment/union-{app,function}.ts",
        // lib/bundles.ts has esbuild bundle the portal.
        "portal/{main.tsx,tables/table-worker.ts}",
        "docs/.vitepress/{config,theme/index}.js",
        // docs/.vitepress/config.js imports it.
        "docs/.vitepress/site-config.ts",
        "docs/examples/*.ts",
        "bench/measures/*.ts",
        "bench/**/*-process.ts",
        // whs-check starts it.
        "test/packages/whs/reference-program.ts",
      ],
      // A test copies the generated clients' programs to where their clients are.
      project: ["**/*.{ts,tsx,js,cjs}", "!docs/examples/generated-clients/**"],
      // The types of its configuration come with @stryker-mutator/core.
      ignoreDependencies: ["@stryker-mutator/api"],
    },
    // Each has its public faces as `exports`. The names of worker threads are put together.
    "packages/local-aws": {
      entry: ["**/*-thread.ts", "functions/runtime.ts"],
      project: ["**/*.ts", "!dist/**"],
    },
    "packages/*": { project: ["**/*.ts", "!dist/**"] },
  },
  stryker: { config: ["test/mutation/stryker.config.js"] },
  vitest: { config: ["vitest.config.ts", "test/{mutation,proofs}/vitest.config.ts"] },
  // A type that only its own file names may still be exported: it is part of an exported signature.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Amazon's DynamoDB Local needs it; its tests are skipped without.
  ignoreBinaries: ["java"],
};

export default config;
