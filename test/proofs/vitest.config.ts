import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { common, endToEnd, proofs, unit } from "../../vitest.config.ts";
import { hour } from "../durations.ts";

/** Simulations wait by a virtual clock. */
const virtualSleep = "test/core/simulation/virtual-sleep.ts";

/** Tests of `npm test` that draw bodies, cards and properties, here on a new seed. */
const random = globSync("test/**/*.test.ts").filter((file) =>
  /fast-check|proof-seed/.test(readFileSync(file, "utf8")),
);
const weeks = "test/core/simulation/mirror/weeks.test.ts";
const engines = "test/engines/**/*.test.ts";
const simulated = "test/core/simulation/**/*.proof.ts";

/** Workers that play days; one stays for all else, if there is anything else. */
const spared = process.env.PROOF_DAYS_ONLY === "true" ? 0 : 1;
const parts = Math.max(1, availableParallelism() - spared);
const days = Array.from({ length: parts }, (_, part) => ({
  extends: true as const,
  test: {
    name: `days-${part + 1}`,
    setupFiles: [virtualSleep],
    include: ["test/proofs/new-days.proof.ts"],
    env: { ...common.env, PROOF_PART: String(part + 1), PROOF_PARTS: String(parts) },
  },
}));

/** What `npm run proofs` plays; bin/proofs.ts sets the seed and how much of it. */
export default defineConfig({
  test: {
    ...common,
    testTimeout: hour,
    hookTimeout: hour,
    projects: [
      ...days,
      { extends: true, test: { ...unit, name: "random", include: random, exclude: [weeks, engines] } },
      {
        extends: true,
        test: { name: "simulation", setupFiles: [virtualSleep], include: [weeks, simulated] },
      },
      {
        extends: true,
        test: {
          ...unit,
          name: "engines",
          globalSetup: [...unit.globalSetup, "test/engines/provide-amazon-dynamodb.ts"],
          include: [engines],
        },
      },
      {
        extends: true,
        test: { ...endToEnd, name: "once", include: proofs, exclude: ["test/proofs/**", simulated] },
      },
    ],
  },
});
