import { type Command, InvalidArgumentError } from "commander";
import type { FaultCommand } from "../exchange/faults.ts";
import { type RefusalIn2xx, refusalIn2xxSchema } from "../exchange/refuse-in-2xx.ts";

/** Faults, as the options of a command. */
export interface FaultOptions {
  readonly outage?: true;
  readonly latency?: number;
  readonly slowBodies?: number;
  readonly failShare?: number;
  readonly failStatus?: number;
  readonly readFailShare?: number;
  readonly throttleShare?: number;
  readonly echoLossShare?: number;
  readonly unechoed?: readonly string[];
  readonly cutShare?: number;
  readonly lateShare?: number;
  readonly lateBy?: number;
  readonly poison?: Readonly<Record<string, number>>;
  readonly refuseIn2xx?: Readonly<Record<string, RefusalIn2xx>>;
  readonly latin1?: "declared" | "undeclared";
  readonly keepFirstPlayer?: true;
  readonly unprocessed?: readonly string[];
}

function milliseconds(text: string): number {
  if (!/^\d{1,7}$/.test(text))
    throw new InvalidArgumentError("Give a whole number of milliseconds, with at most 7 digits.");
  return Number(text);
}

function failStatus(text: string): number {
  if (/^(200|[45]\d\d)$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a status from 400 to 599, or 200 for a page in HTML.");
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("Give a number from 0 to 1.");
}

function poison(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, externalId, status] = /^(.+)=([45]\d\d)$/.exec(text) ?? [];
  if (externalId === undefined)
    throw new InvalidArgumentError("Give an ExternalID, `=` and a status from 400 to 599.");
  return { ...before, [externalId]: Number(status) };
}

function refusalIn2xx(
  text: string,
  before: Readonly<Record<string, RefusalIn2xx>> = {},
): Readonly<Record<string, RefusalIn2xx>> {
  const [, externalId, kind] = /^(.+)=(\w+)$/.exec(text) ?? [];
  const refusal = refusalIn2xxSchema.safeParse(kind);
  if (externalId !== undefined && refusal.success) return { ...before, [externalId]: refusal.data };
  throw new InvalidArgumentError(
    `Give an ExternalID, \`=\` and one of ${refusalIn2xxSchema.options.join(", ")}.`,
  );
}

function latin1(text: string): "declared" | "undeclared" {
  if (text === "declared" || text === "undeclared") return text;
  throw new InvalidArgumentError("Give declared or undeclared.");
}

const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Adds the options that give the stand-in faults from the start. */
export function addFaultOptions(command: Command): Command {
  return command
    .option("--outage", "the union answers every request with 503")
    .option("--latency <milliseconds>", "delay of each of the union's responses", milliseconds)
    .option("--slow-bodies <milliseconds>", "delay of a response's body after its headers", milliseconds)
    .option("--fail-share <share>", "share of posts that the union answers with an error", share)
    .option("--fail-status <status>", "status of these answers, 500 by default", failStatus)
    .option("--read-fail-share <share>", "share of reads that the union answers with 500", share)
    .option("--throttle-share <share>", "share of posts that the union answers with 429", share)
    .option("--echo-loss-share <share>", "share of cards that the union neither accepts nor echoes", share)
    .option(
      "--unechoed <ExternalID>",
      "a card that the union neither accepts nor echoes; may be repeated",
      collected,
    )
    .option(
      "--cut-share <share>",
      "share of posts whose connection breaks after their cards were accepted",
      share,
    )
    .option("--late-share <share>", "share of posts that the union accepts but answers late", share)
    .option("--late-by <milliseconds>", "delay of these late responses", milliseconds)
    .option(
      "--poison <ExternalID=status>",
      "a card whose posts the union answers with this status; may be repeated",
      poison,
    )
    .option(
      "--refuse-in-2xx <ExternalID=how>",
      "a card that the union refuses in a 2xx response; may be repeated",
      refusalIn2xx,
    )
    .option("--latin1 <charset>", "posts are answered in Latin-1, declared or undeclared", latin1)
    .option("--keep-first-player", "a card that is corrected to another player stays in both records")
    .option(
      "--unprocessed <ExternalID>",
      "a card that the union takes and never processes; may be repeated",
      collected,
    );
}

/** The faults that the options describe. */
export function faultsOf(options: FaultOptions): FaultCommand {
  const { outage, latency, slowBodies, failShare, failStatus, readFailShare } = options;
  const { throttleShare, echoLossShare, unechoed, cutShare, lateShare, lateBy, poison, unprocessed } =
    options;
  const { refuseIn2xx, latin1, keepFirstPlayer } = options;
  return {
    ...(outage !== undefined && { outage }),
    ...(latency !== undefined && { latencyMilliseconds: latency }),
    ...(slowBodies !== undefined && { bodyMilliseconds: slowBodies }),
    ...(failShare !== undefined && { failShare }),
    ...(failStatus !== undefined && { failStatus }),
    ...(readFailShare !== undefined && { readFailShare }),
    ...(throttleShare !== undefined && { throttleShare }),
    ...(echoLossShare !== undefined && { echoLossShare }),
    ...(unechoed !== undefined && { unechoed: [...unechoed] }),
    ...(cutShare !== undefined && { cutShare }),
    ...(lateShare !== undefined && { lateShare }),
    ...(lateBy !== undefined && { lateMilliseconds: lateBy }),
    ...(poison !== undefined && { poison }),
    ...(refuseIn2xx !== undefined && { refuseIn2xx }),
    ...(latin1 !== undefined && { latin1 }),
    ...(keepFirstPlayer !== undefined && { keepFirstPlayer }),
    ...(unprocessed !== undefined && { unprocessed: [...unprocessed] }),
  };
}
