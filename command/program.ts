import { Argument, Command, Option } from "commander";
import { listedStates, resendableStates, State } from "../core/cards/life/states.ts";
import packageVersion from "../package.json" with { type: "json" };
import { accountProgram } from "./account/account-program.ts";
import { backupProgram } from "./backup/backup-program.ts";
import { commandProcess } from "./base/command-process.ts";
import { exitAsDocumented } from "./base/exit-code.ts";
import { address, count, day, endInstant, httpStatus, instant } from "./base/option-values.ts";
import { loadAction, stageCommand, vendorCommand } from "./base/subcommand.ts";
import type { Terminal } from "./base/terminal.ts";
import { personProgram } from "./person/person-program.ts";
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
  .action(
    loadAction(async (_: string, { watch: isWatched }: SubmitOptions & { readonly watch?: true }) =>
      isWatched
        ? (await import("./watch/watch-folder.ts")).watchFolder
        : (await import("./submit/submit-command.ts")).submitCommand,
    ),
  );

const ofVendor = () =>
  new Option(
    "--vendor <API set>",
    "read this vendor's cards as an operator, with the stage's AWS credentials",
  );

const status = vendorCommand("status", "Shows the state of cards")
  .addOption(ofVendor())
  .argument("<ExternalID...>")
  .action(loadAction(async () => (await import("./follow/status-command.ts")).statusCommand));

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
  .action(loadAction(async () => (await import("./follow/watch-command.ts")).watchCommand));

const listen = vendorCommand("listen", "Prints events as they come, until Ctrl-C")
  .option("--to <address>", "also post each, signed, to this address of this machine", address)
  .option("--after <cursor>", "begin after this place of the feed", "latest")
  .action(loadAction(async () => (await import("./follow/listen-command.ts")).listenCommand));

const reconcile = addTableOptions(
  vendorCommand(
    "reconcile",
    "Compares a file for `submit` with the cards that the pipeline has; changes nothing",
  ),
)
  .argument("<file>")
  .option("--from <day>", "also list the pipeline's cards of these days that the file does not have", day)
  .option("--to <day>", "last of these days; by default today", day)
  .action(loadAction(async () => (await import("./reconcile/reconcile-command.ts")).reconcileCommand));

function commandForCardsOfTime(name: string, description: string): Command {
  return stageCommand(name, description)
    .requiredOption("--vendor <API set>", "whose cards")
    .requiredOption("--from <time>", "accepted from this day or time on, e.g. 2026-07-04T14:00:00Z", instant)
    .option(
      "--to <time>",
      "accepted before this time, or until the end of this day; by default now",
      endInstant,
    );
}

const cards = commandForCardsOfTime("cards", "Lists a vendor's cards by the time of their acceptance").action(
  loadAction(async () => (await import("./cards/cards-command.ts")).cardsCommand),
);

const withdraw = commandForCardsOfTime(
  "withdraw",
  "Withdraws a vendor's cards of a time that are not at the exchange yet, e.g. after its password was stolen",
)
  .option("--yes", "do it, instead of only listing the cards")
  .action(loadAction(async () => (await import("./cards/withdraw-command.ts")).withdrawCommand));

const smoke = vendorCommand(
  "smoke",
  "Smoke test: submits a valid and an invalid card, and checks what happens to them",
)
  .option("--player <UnionID>", "player of the cards; by default the first member of the course's club")
  .option("--timeout <seconds>", "longest time to wait for the delivery", count, 120)
  .action(loadAction(async () => (await import("./smoke/smoke-command.ts")).smokeCommand));

const redrive = stageCommand(
  "redrive",
  "Delivers undelivered or rejected cards again, and moves dead letters back to the queue",
)
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
  .action(loadAction(async () => (await import("./delivery/redrive-command.ts")).redriveCommand));

const overview = stageCommand(
  "overview",
  "Shows a stage on one screen: delivery, queue, alarms, circuit breakers, vendors, mirror",
)
  .option(
    "--watch [seconds]",
    "show it again every so many seconds, 5 by default, until Ctrl-C; as JSON one line each time",
    count,
  )
  .action(loadAction(async () => (await import("./overview/overview-command.ts")).overviewCommand));

interface MirrorOptions {
  readonly club?: string;
  readonly findings?: string | true;
}

async function loadMirror(action: "accept" | undefined, { club, findings }: MirrorOptions) {
  if (action === "accept") return (await import("./mirror/accept-command.ts")).acceptCommand;
  if (findings !== undefined) return (await import("./mirror/findings-command.ts")).findingsCommand;
  if (club !== undefined) return (await import("./mirror/read-club-command.ts")).readClubCommand;
  return (await import("./mirror/mirror-command.ts")).mirrorCommand;
}

const mirror = stageCommand(
  "mirror",
  "Shows how old the mirror of clubs and courses is, and which clubs fail; `accept` has clubs removed that the union's list lacks",
)
  .addArgument(new Argument("[action]").choices(["accept"]))
  .option("--club <ID>", "read this club's courses from the union now; with `accept`, only this club")
  .option(
    "--findings [folder]",
    "list what clubs should correct in their courses; into a folder also as a CSV file for each club",
  )
  .option("--yes", "with `accept`: do it, instead of only listing the clubs")
  .action(
    loadAction(async (action: "accept" | undefined, choice: MirrorOptions) => {
      const run = await loadMirror(action, choice);
      return (_: typeof action, options: never, terminal: Terminal) => run(options, terminal);
    }),
  );

const affected = stageCommand(
  "affected",
  "Lists delivered cards with numbers of a course that the union has corrected since; sends nothing",
)
  .argument("<course>", "ID of a course version, or the TemplateID")
  .requiredOption("--since <time>", "only cards that were delivered since a day or time", instant)
  .action(loadAction(async () => (await import("./mirror/affected-command.ts")).affectedCommand));

function holdOrRelease(name: string, description: string, held: boolean): Command {
  return stageCommand(name, description)
    .option("--timeout <seconds>", "longest time to wait until it is in effect", count, 300)
    .action(loadAction(async () => (await import("./delivery/hold-command.ts")).holdCommand(held)));
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
