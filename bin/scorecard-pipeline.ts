import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { PipelineStack } from "../lib/pipeline-stack.ts";
import { settings } from "../lib/settings.ts";
import { type Stage, stackName, stages } from "../lib/stage.ts";

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));

const chosen: Stage | undefined = app.node.tryGetContext("stage");
for (const stage of stages) {
  if (chosen === undefined || chosen === stage) {
    new PipelineStack(app, stackName(stage), { settings: settings[stage] });
  }
}
