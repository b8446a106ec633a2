import { Command, Option } from "commander";
import { accountProgram } from "./account/account-program.ts";
import type { HoldOptions } from "./delivery/hold-command.ts";
import type { RedriveOptions } from "./delivery/redrive-command.ts";
import { exitAsDocumented } from "./exit-code.ts";
import type { WatchOptions } from "./follow/watch-command.ts";
import { count } from "./option-values.ts";
import type { SmokeOptions } from "./smoke/smoke-command.ts";
import { end, stageOption, vendorCommand } from "./subcommand.ts";
import type { SubmitOptions } from "./submit/submit-command.ts";
import type { VendorOptions } from "./vendor-access.ts";

const submit = vendorCommand("submit", "Submits a file of scorecards, a JSON array or one a line")
  .argument("<file>")
  .option("--parallel <number>", "submissions at the same time", count, 4)
  .option("--patience <seconds>", "how long an API that is busy or away is tried", count, 600)
  .option("--again", "send everything, whatever was accepted before")
  .action((file: string, options: SubmitOptions) =>
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
  .action((externalIds: string[], options: WatchOptions) =>
    end(async (terminal) => {
      const { watchCommand } = await import("./follow/watch-command.ts");
      return watchCommand(externalIds, options, terminal);
    }),
  );

const smoke = vendorCommand("smoke", "Submits a good and a bad card, and follows them")
  .option("--player <UnionID>", "player of the cards; the first member of the course's club if left out")
  .option("--timeout <seconds>", "how long the delivery may take", count, 120)
  .action((options: SmokeOptions) =>
    end(async (terminal) => {
      const { smokeCommand } = await import("./smoke/smoke-command.ts");
      return smokeCommand(options, terminal);
    }),
  );

const redrive = new Command("redrive")
  .description("Sends given-up cards on again and moves dead letters back to the queue")
  .addOption(stageOption())
  .option("--vendor <API set>", "one vendor's; all if left out")
  .option("--json", "the result as JSON")
  .action((options: RedriveOptions) =>
    end(async (terminal) => {
      const { redriveCommand } = await import("./delivery/redrive-command.ts");
      return redriveCommand(options, terminal);
    }),
  );

function holding(name: string, description: string, held: boolean): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--timeout <seconds>", "until it must be in effect", count, 300)
    .option("--json", "the result as JSON")
    .action((options: HoldOptions) =>
      end(async (terminal) => {
        const { holdCommand } = await import("./delivery/hold-command.ts");
        return holdCommand(held, options, terminal);
      }),
    );
}

const hold = holding("hold", "Stops all delivery; cards are accepted and wait", true);
const release = holding("release", "Restarts delivery", false);

/** Has every subcommand end as documented, and name its help, where its command line is not understood. */
function endAsDocumented(command: Command): void {
  exitAsDocumented(command).showHelpAfterError("(add --help for the options)");
  command.commands.forEach(endAsDocumented);
}

/** The `scorecards` command with all its subcommands, each loaded when it is used. */
export function scorecardsProgram(): Command {
  const program = new Command("scorecards").description(
    "Submits scorecards, follows them, and runs the pipeline that delivers them.",
  );
  for (const command of [submit, status, watch, redrive, hold, release, accountProgram(), smoke])
    program.addCommand(command);
  endAsDocumented(program);
  return program;
}
