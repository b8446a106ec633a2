import { defineConfig } from "vitest/config";

/** The tests that `npm run mutation` runs against each mutant: those of the pure files alone, which need no stack. */
export default defineConfig({
  test: {
    include: [
      "test/core/{golf,formats}/**/*.test.ts",
      "test/core/cards/{delivery,life}/*.test.ts",
      "test/core/cards/{corrections,deliver,resend,submit,wake-ups,refused-in-2xx,whose-fault}.test.ts",
    ],
    // Five million handicaps are too many for each mutant; the worked examples find what they would.
    exclude: ["**/every-course-handicap.test.ts"],
    setupFiles: ["test/fixed-seed.ts", "test/core/golf/few-runs.ts"],
    isolate: false,
    testTimeout: 30_000,
  },
});
