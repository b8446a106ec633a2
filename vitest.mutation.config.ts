import { defineConfig } from "vitest/config";

/** The tests that `npm run mutation` runs against each mutant: those of the rules alone, which need no stack. */
export default defineConfig({
  test: {
    include: ["test/core/{scorecard,course,wire}/**/*.test.ts"],
    // Five million handicaps are too many for each mutant; the worked examples find what they would.
    exclude: ["**/every-course-handicap.test.ts"],
    setupFiles: ["test/core/golf/few-runs.ts"],
    isolate: false,
    testTimeout: 30_000,
  },
});
