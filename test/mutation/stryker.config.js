/**
 * `npm run mutation`: changes the rules of golf and of delivery in every small way there is, and looks whether a test fails.
 *
 * One file alone: `npm run mutation -- --mutate core/golf/score-round.ts`. What was tested before and has not changed
 * since is not tested again. docs/testing.md says which mutants may survive, and why.
 *
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  mutate: ["core/golf/**/*.ts", "core/cards/{decide,record,bisect,breaker,timing,plan}.ts"],
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
