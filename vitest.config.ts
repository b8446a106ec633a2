import { defineConfig } from "vitest/config";

/** Tests that drive a whole pipeline: it is synthesized once for all of them. */
const wholePipeline = ["test/end-to-end/**/*.test.ts", "test/command/**/*.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second is little where several test files start pipelines at once on few processors.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          setupFiles: ["test/fixed-seed.ts"],
          include: ["test/**/*.test.ts"],
          exclude: wholePipeline,
          globalSetup: ["test/own-temporary-folder.ts", "test/engines/provide-amazon-dynamodb.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: wholePipeline,
          globalSetup: ["test/own-temporary-folder.ts", "test/synthesize-once.ts"],
          // Tests of one pipeline that run at once do little but wait for it.
          maxConcurrency: 10,
        },
      },
    ],
  },
});
