import { Command, Option } from "commander";
import { commandProcess } from "./command-process.ts";
import { errorLine } from "./error-line.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { address } from "./option-values.ts";
import { type TargetStage, targetStages } from "./target.ts";
import { processTerminal } from "./terminal.ts";

/**
 * Makes the action of a subcommand, whose code is loaded only when it is used. It gets the arguments and options of the command line,
 * of which commander cannot say the types, and sets the process's exit code; an error is printed.
 */
export const loadAction =
  (load: (...given: never[]) => Promise<(...given: never[]) => Promise<ExitCode>>) =>
  async (...all: unknown[]): Promise<void> => {
    const own = commandProcess();
    const terminal = processTerminal(own);
    const given = all.slice(0, -1) as never[];
    try {
      const run = await load(...given);
      own.exitCode = await run(...given, terminal as never);
    } catch (error) {
      terminal.note(`error: ${errorLine(error)}`);
      own.exitCode = exitCode.unfinished;
    }
  };

/** The option that chooses the pipeline. */
const stageOption = () =>
  new Option("--stage <stage>", "the pipeline to use; `local` is the one that `npm start` runs")
    .choices(targetStages)
    .default("local" satisfies TargetStage);

/** A subcommand about a stage. */
export const stageCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--json", "print the result as JSON");

/** A subcommand that calls the API with a vendor's account. */
export const vendorCommand = (name: string, description: string): Command =>
  stageCommand(name, description)
    .option("--api <address>", "base address of the API, https://{host}/{stage}, instead of --stage", address)
    .option(
      "--username <name>",
      "the vendor's user name; by default SCORECARDS_USERNAME. The password is in SCORECARDS_PASSWORD",
    )
    .option("--api-set <name>", "the vendor's API set; by default the user name");
