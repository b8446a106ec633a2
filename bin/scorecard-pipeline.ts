import { spawnSync } from "node:child_process";
import { App, Validations } from "aws-cdk-lib";
import { placeholderFaults } from "../lib/check-settings.ts";
import { PipelineStack } from "../lib/pipeline-stack.ts";
import { settings } from "../lib/settings.ts";
import { stackName, stages } from "../lib/stage-settings.ts";
import { forUnion, isVariant, variants } from "../local/pipeline/settings-variants.ts";
import { isUnionName, unionNames } from "../unions/unions.ts";

const app = new App();
const chosen: unknown = app.node.tryGetContext("stage");
if (chosen !== undefined && !stages.some((stage) => stage === chosen)) {
  console.error(`There is no stage ${chosen}. Choose ${stages.join(" or ")}, or leave it out for both.`);
  process.exit(1);
}

const profile: unknown = app.node.tryGetContext("union-profile");
if (profile !== undefined && !isUnionName(profile)) {
  console.error(
    `There is no union ${profile}. Choose ${unionNames.join(" or ")}, or describe yours in unions/.`,
  );
  process.exit(1);
}

// A stack that was made by mistake can be deleted. A card that was posted to a placeholder, or an alarm that nobody received,
// cannot be undone.
if (chosen !== "test" && app.node.tryGetContext("allow-placeholders") === undefined) {
  const faults = placeholderFaults(settings.production);
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    process.exit(1);
  }
}

// Their rules take longer to load than the stack takes to make, which a start on one machine does not wait for.
if (process.env.CDK_VALIDATION !== "false") {
  const { AwsSolutionsChecks, ServerlessChecks } = await import("cdk-nag");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}

// With "-dirty" if it has changes that no commit has; undefined in an archive that was downloaded without its history.
const described = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]);
const commit = described.status === 0 ? described.stdout.toString().trim() : undefined;

for (const stage of stages) {
  if (chosen === undefined || chosen === stage) {
    const variant: unknown = app.node.tryGetContext("variant");
    const own =
      stage === "test" && profile !== undefined ? forUnion(settings.test, profile) : settings[stage];
    const given = stage === "test" && isVariant(variant) ? variants[variant](own) : own;
    new PipelineStack(app, stackName(stage), { settings: given, commit });
  }
}
