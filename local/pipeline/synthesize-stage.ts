import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { type StageSettings, stackName } from "../../lib/stage-settings.ts";

/** Synthesizes a stage with settings of a test's own. @param adapt changes the stack before */
export function synthesizeStage(
  outdir: string,
  given: StageSettings,
  adapt: (stack: PipelineStack) => void = () => undefined,
): void {
  const app = new App({ outdir });
  adapt(new PipelineStack(app, stackName(given.stage), { settings: given }));
  app.synth();
}
