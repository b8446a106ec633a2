import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { Command, Option } from "commander";
import { errorLine } from "../command/base/error-line.ts";
import { exitAsDocumented, exitCode } from "../command/base/exit-code.ts";
import { findTarget } from "../command/base/find-target.ts";
import { readReleases } from "../lib/releases/release.ts";
import { type Stage, stackName, stages } from "../lib/stage-settings.ts";
import {
  behindDeployedApi,
  readTemplate,
  replaceTemplate,
  rollBackFaults,
  type StackTemplate,
} from "../local/releases/roll-back.ts";
import { synthesizeCommit } from "../local/releases/synthesize-release.ts";

interface Options {
  readonly stage: Stage;
  readonly to: string;
  readonly commit?: string;
  readonly yes?: true;
}

const releases = readReleases();
const command = exitAsDocumented(new Command("npm run rollback --"))
  .description("Deploys a release's functions again, behind the API and over the data of a stage")
  .addOption(new Option("--stage <stage>", "the stage").choices(stages).makeOptionMandatory())
  .addOption(
    new Option("--to <version>", "the release")
      .choices(releases.map(({ version }) => version))
      .default(releases.at(-1)?.version),
  )
  .option("--commit <commit>", "your own commit of that release, with your settings")
  .option("--yes", "do it, instead of only showing what would change")
  .parse();

const cdk = fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk"));

/** Goes back, or shows what that would change. @returns the exit code */
async function rollBack({ stage, to, commit, yes }: Options, folder: string): Promise<number> {
  const release = releases.find(({ version }) => version === to);
  if (release === undefined) throw new Error(`No release ${to} is recorded in lib/releases/.`);
  const target = await findTarget(stage, { note: console.error });
  const chosen = commit ?? release.commit;
  console.error(`Going back to ${to}, commit ${chosen}.`);
  const { TemplateBody = "" } = await new CloudFormationClient().send(
    new GetTemplateCommand({ StackName: stackName(stage), TemplateStage: "Original" }),
  );
  const deployed: StackTemplate = JSON.parse(TemplateBody);
  const context = [`stage=${stage}`, "allow-placeholders=true"];
  const assembly = await synthesizeCommit(chosen, folder, context);
  const released = await readTemplate(assembly, stage);
  const versions = { deployed: target.outputs.DataVersion ?? 1, released: release.dataVersion };
  const faults = rollBackFaults(released, deployed, versions);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  await replaceTemplate(assembly, stage, behindDeployedApi(released, deployed));
  const action = yes ? ["deploy", "--require-approval=never"] : ["diff"];
  const { status } = spawnSync(
    process.execPath,
    [cdk, ...action, "--app", assembly, "--no-notices", stackName(stage)],
    { stdio: "inherit" },
  );
  if (!yes) console.error("Nothing is changed. With --yes the same command deploys this.");
  return status ?? exitCode.unfinished;
}

const folder = await mkdtemp(join(tmpdir(), "scorecards-rollback-"));
try {
  process.exitCode = await rollBack(command.opts<Options>(), folder);
} catch (error) {
  console.error(`error: ${errorLine(error)}`);
  process.exitCode = exitCode.unfinished;
} finally {
  await rm(folder, { recursive: true, force: true });
}
