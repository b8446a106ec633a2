import { type Command, InvalidArgumentError } from "commander";
import type { FaultCommand } from "../exchange/faults.ts";

/** Faults as options of a command give them. */
export interface FaultOptions {
  readonly outage?: true;
  readonly latency?: number;
  readonly slowBodies?: number;
  readonly failShare?: number;
  readonly readFailShare?: number;
  readonly throttleShare?: number;
  readonly echoLossShare?: number;
  readonly cutShare?: number;
  readonly lateShare?: number;
  readonly lateBy?: number;
  readonly poison?: Readonly<Record<string, number>>;
}

function milliseconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError("Not a whole number of milliseconds.");
  return Number(text);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("A share is a number from 0 to 1.");
}

function poison(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, externalId, status] = /^(.+)=([45]\d\d)$/.exec(text) ?? [];
  if (externalId === undefined)
    throw new InvalidArgumentError("Not an ExternalID, `=` and a status from 400 to 599.");
  return { ...before, [externalId]: Number(status) };
}

/** Gives a command the options that make its union faulty from the start. */
export function addFaultOptions(command: Command): Command {
  return command
    .option("--outage", "the union answers every request 503")
    .option("--latency <milliseconds>", "how long each of the union's answers takes", milliseconds)
    .option("--slow-bodies <milliseconds>", "how long a body takes after its headers", milliseconds)
    .option("--fail-share <share>", "share of posts that the union answers 500", share)
    .option("--read-fail-share <share>", "share of look-ups that the union answers 500", share)
    .option("--throttle-share <share>", "share of posts that the union answers 429", share)
    .option("--echo-loss-share <share>", "share of cards that the union neither takes nor echoes", share)
    .option("--cut-share <share>", "share of posts cut off after their cards were taken", share)
    .option("--late-share <share>", "share of posts that are answered late, their cards taken", share)
    .option("--late-by <milliseconds>", "how late these are answered", milliseconds)
    .option(
      "--poison <ExternalID=status>",
      "a card that no post with it goes through; may be repeated",
      poison,
    );
}

/** The faults that options ask for. */
export function faultsOf(options: FaultOptions): FaultCommand {
  const { outage, latency, slowBodies, failShare, readFailShare, throttleShare, echoLossShare, cutShare } =
    options;
  const { lateShare, lateBy, poison } = options;
  return {
    ...(outage !== undefined && { outage }),
    ...(latency !== undefined && { latencyMilliseconds: latency }),
    ...(slowBodies !== undefined && { bodyMilliseconds: slowBodies }),
    ...(failShare !== undefined && { failShare }),
    ...(readFailShare !== undefined && { readFailShare }),
    ...(throttleShare !== undefined && { throttleShare }),
    ...(echoLossShare !== undefined && { echoLossShare }),
    ...(cutShare !== undefined && { cutShare }),
    ...(lateShare !== undefined && { lateShare }),
    ...(lateBy !== undefined && { lateMilliseconds: lateBy }),
    ...(poison !== undefined && { poison }),
  };
}
