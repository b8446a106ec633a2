import { Command } from "commander";
import { exitAsDocumented } from "../command/exit-code.ts";
import { port, whole } from "../command/option-values.ts";
import { standInResources } from "../packages/stand-in/account.ts";
import { addFaultOptions, type FaultOptions, faultsOf } from "../packages/stand-in/control/fault-options.ts";
import { demoAccounts } from "../packages/stand-in/demo-accounts.ts";
import { startStandIn } from "../packages/stand-in/stand-in.ts";

interface Options extends FaultOptions {
  readonly port: number;
  readonly controlPort: number;
  readonly seed: number;
  readonly clubs: number;
  readonly members: number;
  readonly courses?: string;
}

const command = addFaultOptions(exitAsDocumented(new Command("stand-in")))
  .description(
    "Starts a stand-in for the union on 127.0.0.1: clubs, courses, members and the Scorecard Exchange.",
  )
  .option("--port <number>", "port of the union's API, 0 for any free one", port, 4000)
  .option("--control-port <number>", "port of the control API, 0 for any free one", port, 4001)
  .option("--seed <number>", "seed of the invented clubs, courses and members", whole, 1)
  .option("--clubs <number>", "number of invented clubs", whole, 40)
  .option("--members <number>", "number of invented members", whole, 2_000)
  .option(
    "--courses <file>",
    "add the real courses of a file in the OpenGolfAPI format, gzipped or not, each with its own club",
  )
  .parse();

const { port: unionPort, controlPort, seed, clubs, members, courses, ...faults } = command.opts<Options>();

try {
  const standIn = await startStandIn({
    port: unionPort,
    controlPort,
    seed,
    clubs,
    members,
    faults: faultsOf(faults),
    ...(courses !== undefined && { coursesFile: courses }),
    accounts: demoAccounts,
    now: () => new Date(),
  });
  console.log(`The union is at ${standIn.address}`);
  console.log(`Its control at  ${standIn.control}`);
  console.log(`Consent at      ${standIn.issuer}`);
  for (const { username, password, resources = standInResources } of demoAccounts) {
    console.log(`Account         ${username}:${password}  may use ${resources.join(", ")}`);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void standIn.stop();
    });
  }
} catch (error) {
  command.error(`error: ${error instanceof Error ? error.message : String(error)}`);
}
