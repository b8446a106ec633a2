import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import type { TestProject } from "vitest/node";
import { PipelineStack } from "../lib/pipeline-stack.ts";
import { type StageSettings, settings } from "../lib/settings.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of a cloud assembly of the test stage whose waits are seconds instead of minutes. */
    readonly assembly: string;
  }
}

const unhurried = { ratePerSecond: 10_000, burst: 10_000, requestsPerDay: 10_000_000 };

/** The test stage with its waits scaled down; everything else is as it is deployed. */
export const hurried: StageSettings = {
  ...settings.test,
  // Tests poll as fast as they can.
  usagePlans: { standard: unhurried, tournament: unhurried },
  delivery: {
    ...settings.test.delivery,
    postTimeoutSeconds: 1,
    timeoutSeconds: 6,
    visibilityTimeoutSeconds: 7,
  },
};

/** Synthesizes the test stage with settings of a test's own. @param adapt changes the stack before */
export function synthesizeStage(
  outdir: string,
  given: StageSettings,
  adapt: (stack: PipelineStack) => void = () => undefined,
): void {
  const app = new App({ outdir });
  adapt(new PipelineStack(app, "scorecard-pipeline-test", { settings: given }));
  app.synth();
}

/** Synthesizes once for all end-to-end tests. */
export default function synthesizeOnce(project: TestProject): () => void {
  const outdir = mkdtempSync(join(tmpdir(), "scorecard-assembly-"));
  synthesizeStage(outdir, hurried);
  project.provide("assembly", outdir);
  return () => rmSync(outdir, { recursive: true, force: true });
}
