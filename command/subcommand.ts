import { Command, Option } from "commander";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { address } from "./option-values.ts";
import { type TargetStage, targetStages } from "./target.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Runs one subcommand: its answer is what the process ends with. */
export async function end(work: (terminal: Terminal) => Promise<ExitCode>): Promise<void> {
  const terminal = processTerminal();
  try {
    process.exitCode = await work(terminal);
  } catch (error) {
    terminal.note(`error: ${error instanceof Error ? error.message || error.name : String(error)}`);
    process.exitCode = exitCode.unfinished;
  }
}

/** Which pipeline a subcommand works on. */
export const stageOption = () =>
  new Option("--stage <stage>", "which pipeline")
    .choices(targetStages)
    .default("local" satisfies TargetStage);

/** A subcommand that acts as a vendor does. */
export function vendorCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--api <address>", "an API by its base address, https://{host}/{stage}", address)
    .option("--username <name>", "vendor account; else SCORECARDS_USERNAME, password in SCORECARDS_PASSWORD")
    .option("--api-set <name>", "where it is not the user name")
    .option("--json", "results as JSON");
}
