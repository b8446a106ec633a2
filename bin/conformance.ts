import { Command, Option } from "commander";
import { exitAsDocumented, exitCode } from "../command/base/exit-code.ts";
import { address } from "../command/base/option-values.ts";
import { conformanceTable, runConformance } from "../unions/conformance/run-conformance.ts";
import { type UnionName, unionNames, unions } from "../unions/unions.ts";

interface Options {
  readonly union: string;
  readonly unionProfile: UnionName;
  readonly account: string;
  readonly apiSet?: string;
  readonly player?: string;
  readonly otherPlayer?: string;
  readonly recordMinutes: number;
  readonly cards?: true;
}

const command = exitAsDocumented(new Command("npm run conformance --"))
  .description(
    "Asks a union's test environment whether it is as the pipeline takes for granted. The password is read from UNION_PASSWORD. It only reads, unless --cards is given.",
  )
  .requiredOption("--union <address>", "base address of the union's test environment", address)
  .requiredOption("--account <username>", "API account at the union")
  .option("--api-set <name>", "its API set, if that is not the username")
  .option("--player <unionid>", "a test player whom the account may look up")
  .option("--other-player <unionid>", "another test player, to whom --cards corrects a card of the first")
  .option("--record-minutes <minutes>", "how long to wait until that is in the players' records", Number, 15)
  .option("--cards", "post one card of each shape for that player; never do this in production")
  .addOption(new Option("--union-profile <name>", "the union").choices(unionNames).default(unionNames[0]))
  .parse();
const { union, unionProfile, account, apiSet = account, ...options } = command.opts<Options>();
const password = process.env.UNION_PASSWORD ?? "";
if (password === "") command.error("error: Set UNION_PASSWORD to the password of the account.");

const { exchangePath, timeZone, records } = unions[unionProfile];
const results = await runConformance({
  union: union.replace(/\/+$/, ""),
  username: account,
  password,
  apiSet,
  recordsApiSet: records?.apiSet,
  exchangePath,
  timeZone,
  player: options.player,
  otherPlayer: options.otherPlayer,
  recordWait: { milliseconds: options.recordMinutes * 60_000, pause: 10_000 },
  withCards: options.cards === true,
  now: new Date(),
});
console.log(conformanceTable(results));
process.exitCode = results.some(({ outcome }) => outcome === "differs") ? exitCode.refused : exitCode.done;
