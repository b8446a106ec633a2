import { Command, Option } from "commander";
import { exitAsDocumented, exitCode } from "../command/base/exit-code.ts";
import { settings } from "../lib/settings.ts";
import { type Stage, stages } from "../lib/stage-settings.ts";
import { deploymentFaults } from "../local/deployment/deployment-faults.ts";
import { readAccount } from "../local/deployment/read-account.ts";

// `npm run deploy:check`: says before a deployment what would fail. It only reads.

const command = exitAsDocumented(new Command("npm run deploy:check --"))
  .description("Says why a deployment of a stage would fail in the account and region of the environment.")
  .addOption(new Option("--stage <stage>", "the stage").choices(stages).makeOptionMandatory())
  .parse();
const { stage } = command.opts<{ readonly stage: Stage }>();

const state = await readAccount(settings[stage]);
const faults = deploymentFaults(settings[stage], state, new Date());
const where = `stage ${stage} in AWS account ${state.account}, ${state.region}`;
console.log(faults.length === 0 ? `Nothing stands in the way of ${where}.` : `Not yet ${where}:`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? exitCode.done : exitCode.refused;
