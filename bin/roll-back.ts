import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { ParameterNotFound, paginateGetParameterHistory, SSMClient } from "@aws-sdk/client-ssm";
import { Command, Option } from "commander";
import { errorLine } from "../command/base/error-line.ts";
import { exitAsDocumented, exitCode } from "../command/base/exit-code.ts";
import { findTarget } from "../command/base/find-target.ts";
import { commitParameter, type Stage, stackName, stages } from "../lib/stage-settings.ts";
import {
  behindDeployedApi,
  commitBefore,
  readTemplate,
  replaceTemplate,
  rollBackFaults,
  type StackTemplate,
} from "../local/releases/roll-back.ts";
import { hasCommit, synthesizeCommit } from "../local/releases/synthesize-release.ts";

interface Options {
  readonly stage: Stage;
  readonly commit?: string;
  readonly yes?: true;
}

const command = exitAsDocumented(new Command("npm run rollback --"))
  .description("Deploys a commit's functions again, behind the API and over the data of a stage")
  .addOption(new Option("--stage <stage>", "the stage").choices(stages).makeOptionMandatory())
  .option("--commit <commit>", "the commit; without it, the one that was deployed before")
  .option("--yes", "do it, instead of only showing what would change")
  .parse();

const cdk = fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk"));

/** The commits that a stage had, the oldest first; none if it was deployed before commits were noted. */
async function listDeployed(stage: Stage): Promise<string[]> {
  const commits: string[] = [];
  try {
    const pages = paginateGetParameterHistory({ client: new SSMClient() }, { Name: commitParameter(stage) });
    for await (const { Parameters = [] } of pages)
      commits.push(...Parameters.flatMap(({ Value }) => Value ?? []));
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
  }
  return commits;
}

/** The commit to go back to. @throws Error that says what to do if it is not known, or not here */
async function chooseCommit({ stage, commit }: Options): Promise<string> {
  const chosen = commit ?? commitBefore(await listDeployed(stage));
  if (chosen === undefined)
    throw new Error(`Nothing says what was deployed to ${stage} before. Name a commit with --commit.`);
  console.error(`Going back to commit ${chosen}.`);
  if (chosen.endsWith("-dirty"))
    throw new Error("It was deployed with changes that no commit has. Name another one with --commit.");
  if (!(await hasCommit(chosen)))
    throw new Error(
      `This clone lacks commit ${chosen}. Fetch it: git fetch --unshallow, or from who deployed it.`,
    );
  return chosen;
}

/** Goes back, or shows what that would change. @returns the exit code */
async function rollBack(options: Options, folder: string): Promise<number> {
  const { stage, yes } = options;
  await findTarget(stage, { note: console.error });
  const commit = await chooseCommit(options);
  const { TemplateBody = "" } = await new CloudFormationClient().send(
    new GetTemplateCommand({ StackName: stackName(stage), TemplateStage: "Original" }),
  );
  const deployed: StackTemplate = JSON.parse(TemplateBody);
  const context = [`stage=${stage}`, "allow-placeholders=true"];
  const assembly = await synthesizeCommit(commit, folder, context);
  const released = await readTemplate(assembly, stage);
  const faults = rollBackFaults(released, deployed);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  await replaceTemplate(assembly, stage, behindDeployedApi(released, deployed, commit));
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
