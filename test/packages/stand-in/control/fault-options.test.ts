import { Command } from "commander";
import { expect, test } from "vitest";
import { addFaultOptions, readFaults } from "../../../../packages/stand-in/control/fault-options.ts";
import { commandFaults, healthy } from "../../../../packages/stand-in/exchange/faults.ts";

function faultsFor(...words: string[]) {
  const command = addFaultOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return readFaults(command.parse(words, { from: "user" }));
}

test("every fault has an option", () => {
  const words =
    "--outage --latency 5 --fail-share 0.1 --fail-status 404 --read-fail-share 0.2 --throttle-share 0.3 --echo-loss-share 0.4 --unechoed 3 --unechoed 4 --cut-share 1 --late-share 0.5 --late-by 7 --poison 417=500 --poison a=b=422 --refuse-in-2xx 7=status --refuse-in-2xx a=b=otherId --latin1 declared --keep-first-player --unprocessed 5 --unprocessed 6";
  expect(faultsFor(...words.split(" "))).toEqual({
    outage: true,
    latencyMilliseconds: 5,
    failShare: 0.1,
    failStatus: 404,
    readFailShare: 0.2,
    throttleShare: 0.3,
    echoLossShare: 0.4,
    unechoed: ["3", "4"],
    cutShare: 1,
    lateShare: 0.5,
    lateMilliseconds: 7,
    poison: { 417: 500, "a=b": 422 },
    refuseIn2xx: { "7": "status", "a=b": "otherId" },
    latin1: "declared",
    keepFirstPlayer: true,
    unprocessed: ["5", "6"],
  } satisfies ReturnType<typeof healthy>);
});

test("without options the union is healthy", () => {
  expect(commandFaults({ ...healthy(), outage: true }, faultsFor())).toEqual(healthy());
});

test.each([
  ["--fail-share", "2"],
  ["--cut-share", ""],
  ["--fail-status", "302"],
  ["--latency", "-1"],
  ["--latency", "soon"],
  ["--poison", "417=200"],
  ["--poison", "417"],
  ["--refuse-in-2xx", "417=never"],
])("%s %s is refused", (option, value) => {
  expect(() => faultsFor(option, value)).toThrow(/invalid/);
});
