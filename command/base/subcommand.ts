import { Command, Option } from "commander";
import { commandProcess } from "./command-process.ts";
import { errorLine } from "./error-line.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { address } from "./option-values.ts";
import { type TargetStage, targetStages } from "./target.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Runs a subcommand and sets the process's exit code; an error is printed. */
export async function runSubcommand(work: (terminal: Terminal) => Promise<ExitCode>): Promise<void> {
  const own = commandProcess();
  const terminal = processTerminal(own);
  try {
    own.exitCode = await work(terminal);
  } catch (error) {
    terminal.note(`error: ${errorLine(error)}`);
    own.exitCode = exitCode.unfinished;
  }
}

/** The option that chooses the pipeline. */
export const stageOption = () =>
  new Option("--stage <stage>", "the pipeline to use; `local` is the one that `npm start` runs")
    .choices(targetStages)
    .default("local" satisfies TargetStage);

/** A subcommand that calls the API with a vendor's account. */
export function vendorCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--api <address>", "base address of the API, https://{host}/{stage}, instead of --stage", address)
    .option(
      "--username <name>",
      "the vendor's user name; by default SCORECARDS_USERNAME. The password is in SCORECARDS_PASSWORD",
    )
    .option("--api-set <name>", "the vendor's API set; by default the user name")
    .option("--json", "print the results as JSON");
}
