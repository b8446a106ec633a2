import { type Command, InvalidArgumentError, Option } from "commander";
import { type FaultCommand, faultsSchema } from "../exchange/faults.ts";

/** Reads an option's value; the fault's schema checks it. @param before of an option that is repeated */
type ReadValue = (text: string, before: unknown) => unknown;

const number: ReadValue = (text) => (text.trim() === "" ? Number.NaN : Number(text));
const word: ReadValue = (text) => text;
const list: ReadValue = (text, before) => [...((before as string[] | undefined) ?? []), text];
const byCard: ReadValue = (text, before) => {
  const [, externalId = "", value = ""] = /^(.+)=(\w+)$/.exec(text) ?? [];
  return { ...(before as object | undefined), [externalId]: /^\d+$/.test(value) ? Number(value) : value };
};

type FaultOption = readonly [fault: keyof FaultCommand, flags: string, description: string, read?: ReadValue];

const faultOptions: readonly FaultOption[] = [
  ["outage", "--outage", "the union answers every request with 503"],
  ["latencyMilliseconds", "--latency <milliseconds>", "delay of each of the union's responses", number],
  ["failShare", "--fail-share <share>", "share of posts that the union answers with an error", number],
  ["failStatus", "--fail-status <status>", "status of these answers, 500 by default", number],
  ["readFailShare", "--read-fail-share <share>", "share of reads that the union answers with 500", number],
  ["throttleShare", "--throttle-share <share>", "share of posts that the union answers with 429", number],
  [
    "echoLossShare",
    "--echo-loss-share <share>",
    "share of cards that the union neither accepts nor echoes",
    number,
  ],
  [
    "unechoed",
    "--unechoed <ExternalID>",
    "a card that the union neither accepts nor echoes; may be repeated",
    list,
  ],
  [
    "cutShare",
    "--cut-share <share>",
    "share of posts whose connection breaks after their cards were accepted",
    number,
  ],
  ["lateShare", "--late-share <share>", "share of posts that the union accepts but answers late", number],
  ["lateMilliseconds", "--late-by <milliseconds>", "delay of these late responses", number],
  ["poison", "--poison <ExternalID=status>", "a card whose posts get this status; may be repeated", byCard],
  [
    "refuseIn2xx",
    "--refuse-in-2xx <ExternalID=how>",
    "a card that a 2xx response refuses; may be repeated",
    byCard,
  ],
  ["latin1", "--latin1 <charset>", "posts are answered in Latin-1, declared or undeclared", word],
  ["keepFirstPlayer", "--keep-first-player", "a card corrected to another player stays in both records"],
  [
    "unprocessed",
    "--unprocessed <ExternalID>",
    "a card that is taken and never processed; may be repeated",
    list,
  ],
];

/** Adds the options that give the stand-in faults from the start. */
export function addFaultOptions(command: Command): Command {
  for (const [fault, flags, description, read] of faultOptions) {
    const option = new Option(flags, description);
    if (read !== undefined) {
      option.argParser((text, before) => {
        const { data, error } = faultsSchema.safeParse({ [fault]: read(text, before) });
        if (data !== undefined) return data[fault];
        throw new InvalidArgumentError(error?.issues[0]?.message ?? "Give a value.");
      });
    }
    command.addOption(option);
  }
  return command;
}

/** The faults that a command's options describe. */
export function readFaults(command: Command): FaultCommand {
  const given = command.opts();
  const faults = faultOptions.map(([fault, flags]) => [fault, given[new Option(flags).attributeName()]]);
  return Object.fromEntries(faults.filter(([, value]) => value !== undefined));
}
