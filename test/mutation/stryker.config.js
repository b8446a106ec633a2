/**
 * `npm run mutation`: changes the rules of golf and of delivery in every small way there is, and looks whether a test fails.
 *
 * One file alone: `npm run mutation -- --mutate core/golf/score-round.ts`. What was tested before and has not changed
 * since is not tested again. A mutant may survive for one of these reasons; one that survives for another lacks a test:
 *
 * - a condition only tells the compiler what an earlier one ensures: `?? 0`, `?.` behind an index;
 * - a shortcut gives the same result: `isSurelySmall`, the early returns for complete cards, cached tables;
 * - the text from which a card's hash is made: only equality of two texts counts;
 * - `>` for `>=` where both lead to the same, and a bound far beyond anything that occurs;
 * - which of two faults that both apply is found first;
 * - `timingFaults`: no setting breaks what only fixed times must meet.
 *
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  mutate: [
    "core/golf/**/*.ts",
    "packages/whs/*.ts",
    "core/cards/life/{states,happened}.ts",
    "core/cards/delivery/{breaker,correction,decide,fault-search,plan,posts,record,timing,verdict}.ts",
  ],
  coverageAnalysis: "perTest",
  incremental: true,
  incrementalFile: "reports/mutation/incremental.json",
  concurrency: 1,
  timeoutMS: 20_000,
  reporters: ["clear-text", "json", "html"],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  // Stryker would rewrite tsconfig.json with the compiler's API, which TypeScript 7 does not have; nothing needs it.
  tsconfigFile: "none",
};
