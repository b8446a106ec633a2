import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/synthesize-once.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second is little where several test files start pipelines at once on few processors.
    expect: { poll: { timeout: 10_000 } },
  },
});
