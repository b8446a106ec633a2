import { existsSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { bundlesFolder, useBundles } from "../../lib/bundles.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { type StageSettings, stackName } from "../../lib/stage-settings.ts";

/** Synthesizes a stage with settings of a test's own. @param adapt changes the stack before */
export function synthesizeStage(
  outdir: string,
  given: StageSettings,
  adapt: (stack: PipelineStack) => void = () => undefined,
): void {
  shareBundles();
  const app = new App({ outdir });
  adapt(new PipelineStack(app, stackName(given.stage), { settings: given }));
  app.synth();
}

let isSharing = false;

/** Bundles the functions once in a run of the tests, whose temporary folder keeps them for all workers. */
export function shareBundles(): void {
  if (isSharing) return;
  isSharing = true;
  const kept = join(tmpdir(), "function-bundles");
  if (!existsSync(kept)) {
    try {
      renameSync(bundlesFolder(), kept);
    } catch (error) {
      // Another worker was faster.
      if (!existsSync(kept)) throw error;
    }
  }
  useBundles(kept);
}
