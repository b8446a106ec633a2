import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { type StageSettings, settings } from "../../lib/settings.ts";

/** A cloud assembly of a test's own. */
export interface OwnAssembly {
  /** Its folder. */
  readonly assembly: string;
  remove(): void;
}

/** Synthesizes the test stage with some settings changed. */
export function synthesize(changed: Partial<StageSettings>): OwnAssembly {
  const outdir = mkdtempSync(join(tmpdir(), "scorecard-assembly-"));
  const app = new App({ outdir });
  new PipelineStack(app, "scorecard-pipeline-test", { settings: { ...settings.test, ...changed } });
  app.synth();
  return { assembly: outdir, remove: () => rmSync(outdir, { recursive: true, force: true }) };
}
