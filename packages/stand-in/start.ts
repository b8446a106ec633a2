#!/usr/bin/env node
import type { ScoresForHandicap } from "@scorecard-pipeline/whs";
import { Command, InvalidArgumentError, Option } from "commander";
import { standInResources } from "./base/account.ts";
import { type UnionProfileName, unionProfiles } from "./base/union-profile.ts";
import { addFaultOptions, readFaults } from "./control/fault-options.ts";
import { demoAccounts } from "./demo-accounts.ts";
import { startStandIn } from "./stand-in.ts";

interface Options {
  readonly port: number;
  readonly controlPort: number;
  readonly seed: number;
  readonly clubs: number;
  readonly members: number;
  readonly unionProfile: UnionProfileName;
  readonly scoresForHandicap?: ScoresForHandicap;
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number of at least 0.");
}

function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Give a number from 0 to 65535; 0 for any free port.");
}

function scoresForHandicap(text: string): ScoresForHandicap {
  const scores = ([1, 2, 3] as const).find((number) => String(number) === text);
  if (scores === undefined) throw new InvalidArgumentError("Give 1, 2 or 3.");
  return scores;
}

const command = addFaultOptions(new Command("stand-in"))
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .description(
    "Starts a stand-in for the union on 127.0.0.1: clubs, courses, members and the Scorecard Exchange.",
  )
  .option("--port <number>", "port of the union's API, 0 for any free one", portNumber, 4000)
  .option("--control-port <number>", "port of the control API, 0 for any free one", portNumber, 4001)
  .option("--seed <number>", "seed of the invented clubs, courses and members", wholeNumber, 1)
  .option("--clubs <number>", "number of invented clubs", wholeNumber, 40)
  .option("--members <number>", "number of invented members", wholeNumber, 2_000)
  .addOption(
    new Option("--union-profile <name>", "the union that it is")
      .choices(Object.keys(unionProfiles))
      .default("denmark"),
  )
  .option(
    "--scores-for-handicap <number>",
    "scores that a player's first handicap takes, 1 to 3; by default as many as at the union",
    scoresForHandicap,
  )
  .parse();

const { scoresForHandicap: scores, unionProfile, ...options } = command.opts<Options>();
const { port, controlPort, seed, clubs, members } = options;

try {
  const standIn = await startStandIn({
    port,
    controlPort,
    seed,
    clubs,
    members,
    ...(scores !== undefined && { scoresForHandicap: scores }),
    faults: readFaults(command),
    accounts: demoAccounts,
    profile: unionProfiles[unionProfile],
    now: () => new Date(),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void standIn.stop();
    });
  }
  console.log(`The union is at ${standIn.address}`);
  console.log(`Its control at  ${standIn.control}`);
  for (const { username, password, resources = standInResources } of demoAccounts) {
    console.log(`Account         ${username}:${password}  may use ${resources.join(", ")}`);
  }
} catch (error) {
  command.error(`error: ${error instanceof Error ? error.message : String(error)}`);
}
