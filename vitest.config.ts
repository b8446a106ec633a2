import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./test/long-files-first.ts";

/** What `npm run proofs` plays and `npm test` does not: it takes long, and shows more on new seeds or with other tools. */
export const proofs = ["test/**/*.proof.ts"];

/** Tests of a whole local pipeline: it is synthesized once for all of them. */
const e2e = [
  "test/end-to-end/**/*.test.ts",
  "test/command/{*-command,submit}.test.ts",
  "test/security/**/*.test.ts",
];

/** Simulated days of deliveries, which take more computing than all unit tests. */
const simulation = ["test/core/simulation/**/*.test.ts", "test/core/cards/former-failures.test.ts"];

/**
 * Files that need a worker of their own: they replace modules, or variables that modules read when they are imported, or measure
 * processor time or calls.
 */
const isolated = globSync("test/**/*.test.ts").filter((file) =>
  /\bvi\.(mock|doMock|stubEnv)|threadCpuUsage|node:inspector/.test(readFileSync(file, "utf8")),
);

/** Settings of both, `npm test` and `npm run proofs`. */
export const common = {
  env: {
    // The CDK's own check of a template takes seconds each time. One test synthesizes in a process that makes it.
    CDK_VALIDATION: "false",
    // Powertools writes to stdout itself otherwise, and Vitest could not hold back what passed tests print.
    POWERTOOLS_DEV: "true",
  },
  // Vitest leaves one processor idle otherwise.
  maxWorkers: availableParallelism() + 1,
  // Only what never comes takes so long: a machine that is shared may be many times slower.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
  sequence: { sequencer: LongFilesFirst },
};

export const unit = {
  setupFiles: ["test/fixed-seed.ts", "test/restored-globals.ts"],
  globalSetup: ["test/own-temporary-folder.ts"],
};

export const endToEnd = {
  globalSetup: unit.globalSetup,
  // Tests of one pipeline that run at once do little but wait for it.
  maxConcurrency: 10,
  // Each look asks the API: twenty a second cost an eighth of the processor time.
  expect: { poll: { ...common.expect.poll, interval: 200 } },
};

/** After all others: end-to-end tests wait for a pipeline most of their time, and simulations use the processors meanwhile. */
const besideOneAnother = { maxWorkers: availableParallelism() + 2, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    ...common,
    coverage: {
      provider: "v8",
      include: ["{api,bin,command,core,functions,lib,local,packages}/**/*.ts"],
    },
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...e2e, ...simulation, ...isolated],
          // Importing the code anew for each file takes as long as the tests.
          isolate: false,
          pool: "threads",
        },
      },
      {
        extends: true,
        test: {
          ...unit,
          name: "unit-isolated",
          // A thread is there sooner than a process.
          pool: "threads",
          include: isolated,
          exclude: [...e2e, ...simulation],
        },
      },
      {
        extends: true,
        test: {
          ...besideOneAnother,
          name: "simulation",
          setupFiles: [...unit.setupFiles, "test/core/simulation/virtual-sleep.ts"],
          include: simulation,
        },
      },
      {
        extends: true,
        // A worker is not renewed for each file: its files share a local run if they can, and what they import.
        test: {
          ...endToEnd,
          name: "e2e",
          include: e2e,
          isolate: false,
          ...besideOneAnother,
        },
      },
    ],
  },
});
