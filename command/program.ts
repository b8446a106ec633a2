import { Argument, Command, Option } from "commander";
import { listedStates, resendableStates, State } from "../core/cards/life/states.ts";
import packageVersion from "../package.json" with { type: "json" };
import { accountProgram } from "./account/account-program.ts";
import { backupProgram } from "./backup/backup-program.ts";
import { commandProcess } from "./base/command-process.ts";
import { exitAsDocumented } from "./base/exit-code.ts";
import { address, count, day, endInstant, httpStatus, instant } from "./base/option-values.ts";
import { runSubcommand, stageOption, vendorCommand } from "./base/subcommand.ts";
import type { TargetStage } from "./base/target.ts";
import type { CardsOfTime } from "./cards/vendor-cards.ts";
import type { WithdrawOptions } from "./cards/withdraw-command.ts";
import type { HoldOptions } from "./delivery/hold-command.ts";
import type { RedriveOptions } from "./delivery/redrive-command.ts";
import type { CardReaderOptions } from "./follow/card-reader.ts";
import type { ListenOptions } from "./follow/listen-command.ts";
import type { WatchOptions } from "./follow/watch-command.ts";
import type { AffectedOptions } from "./mirror/affected-command.ts";
import type { OverviewOptions } from "./overview/overview-command.ts";
import { personProgram } from "./person/person-program.ts";
import type { ReconcileCommandOptions } from "./reconcile/reconcile-command.ts";
import type { SmokeOptions } from "./smoke/smoke-command.ts";
import type { SubmitOptions } from "./submit/submit-options.ts";
import { addTableOptions } from "./submit/table-options.ts";

const submit = addTableOptions(
  vendorCommand(
    "submit",
    "Submits a file of scorecards: a JSON array, one scorecard a line, or a table in CSV or of Excel",
  ),
)
  .argument("<file>")
  .option("--parallel <number>", "concurrent submissions", count, 4)
  .option("--patience <seconds>", "how long to retry if the API is busy or unreachable", count, 600)
  .option("--again", "send all cards, also those that were accepted before")
  .option("--any-correction", "correct delivered cards of another player and round, too")
  .option("--preview", "say what is wrong, and submit nothing")
  .option(
    "--confirm <code>",
    "of a table: a warning of nearly all rows is right; may be repeated",
    (code: string, before: readonly string[]) => [...before, code],
    [],
  )
  .option("--uncounted", "of a table: send also cards after which no handicap will follow")
  .option("--watch", "the file is a folder: send each file that is put into it, until Ctrl-C")
  .action((file: string, { watch: isWatched, ...options }: SubmitOptions & { readonly watch?: true }) =>
    runSubcommand(async (terminal) => {
      if (isWatched) {
        const { watchFolder } = await import("./watch/watch-folder.ts");
        return watchFolder(file, options, terminal);
      }
      const { submitCommand } = await import("./submit/submit-command.ts");
      return submitCommand(file, options, terminal);
    }),
  );

const ofVendor = () =>
  new Option(
    "--vendor <API set>",
    "read this vendor's cards as an operator, with the stage's AWS credentials",
  );

const status = vendorCommand("status", "Shows the state of cards")
  .addOption(ofVendor())
  .argument("<ExternalID...>")
  .action((externalIds: string[], options: CardReaderOptions & { json?: true }) =>
    runSubcommand(async (terminal) => {
      const { statusCommand } = await import("./follow/status-command.ts");
      return statusCommand(externalIds, options, terminal);
    }),
  );

const watch = addTableOptions(
  vendorCommand("watch", "Follows cards until each is delivered, rejected, withdrawn or undelivered"),
)
  .argument("[ExternalID...]")
  .addOption(ofVendor())
  .option("--file <file>", "follow the cards of a file for `submit`")
  .addOption(
    new Option("--state <state>", "follow the cards that are in this state now").choices(listedStates),
  )
  .option("--timeout <seconds>", "stop after so long; by default it waits for every card", count)
  .action((externalIds: string[], options: WatchOptions) =>
    runSubcommand(async (terminal) => {
      const { watchCommand } = await import("./follow/watch-command.ts");
      return watchCommand(externalIds, options, terminal);
    }),
  );

const listen = vendorCommand("listen", "Prints events as they come, until Ctrl-C")
  .option("--to <address>", "also post each, signed, to this address of this machine", address)
  .option("--after <cursor>", "begin after this place of the feed", "latest")
  .action((options: ListenOptions) =>
    runSubcommand(async (terminal) => {
      const { listenCommand } = await import("./follow/listen-command.ts");
      return listenCommand(options, terminal);
    }),
  );

const reconcile = addTableOptions(
  vendorCommand(
    "reconcile",
    "Compares a file for `submit` with the cards that the pipeline has; changes nothing",
  ),
)
  .argument("<file>")
  .option("--from <day>", "also list the pipeline's cards of these days that the file does not have", day)
  .option("--to <day>", "last of these days; by default today", day)
  .action((file: string, options: ReconcileCommandOptions) =>
    runSubcommand(async (terminal) => {
      const { reconcileCommand } = await import("./reconcile/reconcile-command.ts");
      return reconcileCommand(file, options, terminal);
    }),
  );

function commandForCardsOfTime(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .requiredOption("--vendor <API set>", "whose cards")
    .requiredOption("--from <time>", "accepted from this day or time on, e.g. 2026-07-04T14:00:00Z", instant)
    .option(
      "--to <time>",
      "accepted before this time, or until the end of this day; by default now",
      endInstant,
    )
    .option("--json", "print the result as JSON");
}

const cards = commandForCardsOfTime("cards", "Lists a vendor's cards by the time of their acceptance").action(
  (options: CardsOfTime & { json?: true }) =>
    runSubcommand(async (terminal) => {
      const { cardsCommand } = await import("./cards/cards-command.ts");
      return cardsCommand(options, terminal);
    }),
);

const withdraw = commandForCardsOfTime(
  "withdraw",
  "Withdraws a vendor's cards of a time that are not at the exchange yet, e.g. after its password was stolen",
)
  .option("--yes", "do it, instead of only listing the cards")
  .action((options: WithdrawOptions) =>
    runSubcommand(async (terminal) => {
      const { withdrawCommand } = await import("./cards/withdraw-command.ts");
      return withdrawCommand(options, terminal);
    }),
  );

const smoke = vendorCommand(
  "smoke",
  "Smoke test: submits a valid and an invalid card, and checks what happens to them",
)
  .option("--player <UnionID>", "player of the cards; by default the first member of the course's club")
  .option("--timeout <seconds>", "longest time to wait for the delivery", count, 120)
  .action((options: SmokeOptions) =>
    runSubcommand(async (terminal) => {
      const { smokeCommand } = await import("./smoke/smoke-command.ts");
      return smokeCommand(options, terminal);
    }),
  );

const redrive = new Command("redrive")
  .description("Delivers undelivered or rejected cards again, and moves dead letters back to the queue")
  .addOption(stageOption())
  .option("--vendor <API set>", "only this vendor's cards; by default all")
  .addOption(
    new Option("--state <state>", "of the cards; delivered ones only if the exchange has lost them")
      .choices([...resendableStates, State.delivered])
      .default(State.undelivered),
  )
  .option(
    "--since <time>",
    "only cards in this state since a day or time, e.g. 2026-07-04T14:00:00Z",
    instant,
  )
  .option("--code <status>", "only cards whose last post was answered with this status, e.g. 404", httpStatus)
  .option("--from <time>", "of delivered cards: those delivered since a day or time", instant)
  .option("--to <time>", "of delivered cards: those delivered before a day or time; by default now", instant)
  .option(
    "--not-recorded",
    "of delivered cards: only those that a check did not find in the players' records",
  )
  .option("--preview", "of delivered cards: say how many would be posted again, and post none")
  .option("--json", "print the result as JSON")
  .action((options: RedriveOptions) =>
    runSubcommand(async (terminal) => {
      const { redriveCommand } = await import("./delivery/redrive-command.ts");
      return redriveCommand(options, terminal);
    }),
  );

const overview = new Command("overview")
  .description("Shows a stage on one screen: delivery, queue, alarms, circuit breakers, vendors, mirror")
  .addOption(stageOption())
  .option("--watch [seconds]", "show it again every so many seconds, 5 by default, until Ctrl-C", count)
  .option("--json", "print it as JSON, one line each time")
  .action(({ watch, ...options }: Omit<OverviewOptions, "watch"> & { watch?: number | true }) =>
    runSubcommand(async (terminal) => {
      const { overviewCommand } = await import("./overview/overview-command.ts");
      const seconds = watch === true ? 5 : watch;
      return overviewCommand({ ...options, ...(seconds !== undefined && { watch: seconds }) }, terminal);
    }),
  );

interface MirrorOptions {
  readonly stage: TargetStage;
  readonly club?: string;
  readonly findings?: string | true;
  readonly yes?: true;
  readonly json?: true;
}

const mirror = new Command("mirror")
  .description(
    "Shows how old the mirror of clubs and courses is, and which clubs fail; `accept` has clubs removed that the union's list lacks",
  )
  .addArgument(new Argument("[action]").choices(["accept"]))
  .addOption(stageOption())
  .option("--club <ID>", "read this club's courses from the union now; with `accept`, only this club")
  .option(
    "--findings [folder]",
    "list what clubs should correct in their courses; into a folder also as a CSV file for each club",
  )
  .option("--yes", "with `accept`: do it, instead of only listing the clubs")
  .option("--json", "print the result as JSON")
  .action((action: "accept" | undefined, { club, findings, ...options }: MirrorOptions) =>
    runSubcommand(async (terminal) => {
      if (action === "accept") {
        const { acceptCommand } = await import("./mirror/accept-command.ts");
        return acceptCommand({ ...options, ...(club !== undefined && { club }) }, terminal);
      }
      if (findings !== undefined) {
        const { findingsCommand } = await import("./mirror/findings-command.ts");
        return findingsCommand({ ...options, findings, ...(club !== undefined && { club }) }, terminal);
      }
      if (club !== undefined) {
        const { readClubCommand } = await import("./mirror/read-club-command.ts");
        return readClubCommand({ ...options, club }, terminal);
      }
      const { mirrorCommand } = await import("./mirror/mirror-command.ts");
      return mirrorCommand(options, terminal);
    }),
  );

const affected = new Command("affected")
  .description(
    "Lists delivered cards with numbers of a course that the union has corrected since; sends nothing",
  )
  .argument("<course>", "ID of a course version, or the TemplateID")
  .addOption(stageOption())
  .requiredOption("--since <time>", "only cards that were delivered since a day or time", instant)
  .option("--json", "print the result as JSON")
  .action((course: string, options: AffectedOptions) =>
    runSubcommand(async (terminal) => {
      const { affectedCommand } = await import("./mirror/affected-command.ts");
      return affectedCommand(course, options, terminal);
    }),
  );

function holdOrRelease(name: string, description: string, held: boolean): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--timeout <seconds>", "longest time to wait until it is in effect", count, 300)
    .option("--json", "print the result as JSON")
    .action((options: HoldOptions) =>
      runSubcommand(async (terminal) => {
        const { holdCommand } = await import("./delivery/hold-command.ts");
        return holdCommand(held, options, terminal);
      }),
    );
}

const hold = holdOrRelease("hold", "Pauses all delivery; cards are still accepted, and wait", true);
const release = holdOrRelease("release", "Resumes delivery", false);

/** Gives every subcommand the documented exit codes, and a hint at its help after an invalid command line. */
function handleUsageErrors(command: Command): void {
  exitAsDocumented(command)
    .showHelpAfterError("(run with --help to see the options)")
    .configureOutput({
      writeOut: (text) => commandProcess().stdout.write(text),
      writeErr: (text) => commandProcess().stderr.write(text),
    });
  command.commands.forEach(handleUsageErrors);
}

/** The `scorecards` command. Each subcommand's code is loaded only when it is used. */
export function scorecardsProgram(): Command {
  const program = new Command("scorecards")
    .description(
      "For vendors: submit scorecards and follow them. For operators: manage accounts and delivery.",
    )
    .version(packageVersion.version);
  for (const command of [
    submit,
    status,
    watch,
    listen,
    reconcile,
    overview,
    cards,
    withdraw,
    redrive,
    hold,
    release,
    mirror,
    affected,
    accountProgram(),
    personProgram(),
    backupProgram(),
    smoke,
  ])
    program.addCommand(command);
  handleUsageErrors(program);
  return program;
}
