import { Command, InvalidArgumentError, Option } from "commander";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { type TargetStage, targetStages } from "./target.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import type { VendorOptions } from "./vendor-access.ts";

/** A whole number of at least 1. */
function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("A whole number of at least 1.");
}

function address(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("An address begins with http:// or https://.");
}

/** Runs one subcommand: its answer is what the process ends with. */
async function end(work: (terminal: Terminal) => Promise<ExitCode>): Promise<void> {
  const terminal = processTerminal();
  try {
    process.exitCode = await work(terminal);
  } catch (error) {
    terminal.note(`error: ${error instanceof Error ? error.message || error.name : String(error)}`);
    process.exitCode = exitCode.unfinished;
  }
}

const stageOption = () =>
  new Option("--stage <stage>", "which pipeline")
    .choices(targetStages)
    .default("local" satisfies TargetStage);

function vendorCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--api <address>", "an API by its address, instead of a stage", address)
    .option("--username <name>", "vendor account; else SCORECARDS_USERNAME, password in SCORECARDS_PASSWORD")
    .option("--api-set <name>", "where it is not the user name")
    .option("--json", "results as JSON");
}

const submit = vendorCommand("submit", "Submits a file of scorecards, a JSON array or one a line")
  .argument("<file>")
  .option("--parallel <number>", "submissions at the same time", count, 4)
  .option("--patience <seconds>", "how long an API that is busy or away is tried", count, 600)
  .option("--again", "send everything, whatever was accepted before")
  .action((file: string, options: VendorOptions & { parallel: number; patience: number }) =>
    end(async (terminal) => {
      const { submitCommand } = await import("./submit/submit-command.ts");
      return submitCommand(file, options, terminal);
    }),
  );

const status = vendorCommand("status", "Says what became of cards")
  .argument("<ExternalID...>")
  .action((externalIds: string[], options: VendorOptions & { json?: true }) =>
    end(async (terminal) => {
      const { statusCommand } = await import("./follow/status-command.ts");
      return statusCommand(externalIds, options, terminal);
    }),
  );

const watch = vendorCommand("watch", "Follows cards until each has an outcome")
  .argument("[ExternalID...]")
  .option("--file <file>", "the cards of a file, as `submit` takes it")
  .addOption(
    new Option("--state <state>", "the cards that are in a state now").choices([
      "retrying",
      "undelivered",
      "rejected",
    ]),
  )
  .option("--timeout <seconds>", "how long it follows them", count)
  .action((externalIds: string[], options: VendorOptions & { json?: true }) =>
    end(async (terminal) => {
      const { watchCommand } = await import("./follow/watch-command.ts");
      return watchCommand(externalIds, options, terminal);
    }),
  );

/** What is not understood ends with the code of what could not be done. */
function endAsDocumented(command: Command): void {
  command
    .showHelpAfterError("(add --help for the options)")
    .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCode.done : exitCode.unfinished));
  command.commands.forEach(endAsDocumented);
}

/** The `scorecards` command with all its subcommands, each loaded when it is used. */
export function scorecardsProgram(): Command {
  const program = new Command("scorecards").description(
    "Submits scorecards, follows them, and runs the pipeline that delivers them.",
  );
  for (const command of [submit, status, watch]) program.addCommand(command);
  endAsDocumented(program);
  return program;
}
