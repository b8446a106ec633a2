import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type FunctionLogLine, type LocalRun, startLocalRun } from "@scorecard-pipeline/local-aws";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import {
  commandFaults,
  demoAccounts,
  type FaultCommand,
  type StandIn,
  type StandInAccount,
  startStandIn,
  type UnionProfileName,
  unionProfiles,
} from "@scorecard-pipeline/stand-in";
import { accountTable } from "../../core/accounts/account-table.ts";
import { usageKeys } from "../../core/accounts/usage-keys.ts";
import { roleNamePrefix } from "../../core/webhooks/queue-address.ts";
import { stackName } from "../../lib/stage-settings.ts";
import { createVendors, demoOperator, demoVendors, unionSecrets } from "./demo-accounts.ts";
import { fillMirror } from "./fill-mirror.ts";

/** What to run on this machine. */
export interface OneMachineOptions {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** Port of the API; 0 for any free one. */
  readonly port: number;
  /** Address of another union to use instead of the stand-in. */
  readonly union?: string | undefined;
  /** The union that the stand-in is, as the assembly was synthesized for; by default that of the settings. */
  readonly unionProfile?: UnionProfileName | undefined;
  /** Accounts that the stand-in has besides the demo ones, with their secrets; the pipeline gives them none. */
  readonly unionAccounts?: readonly StandInAccount[];
  /** Addresses of other engines to use instead of the embedded ones. */
  readonly dynamodb?: string | undefined;
  readonly sqs?: string | undefined;
  /** How much faster alarms ring and clear than their periods say; 1 if absent. */
  readonly alarmSpeed?: number | undefined;
  /** How much faster than they say schedules with a rate fire; 1 if absent. */
  readonly rateSpeed?: number | undefined;
  /** Faults of the stand-in, from when the mirror is filled. */
  readonly faults?: FaultCommand | undefined;
  readonly log: (line: FunctionLogLine) => void;
  /** Called with a text for each step of the start. */
  readonly progress: (step: string) => void;
}

/** The pipeline and its union on this machine. */
export interface OneMachine {
  readonly run: LocalRun;
  /** Base address of the union that cards go to. */
  readonly union: string;
  /** Undefined if another union is used. */
  readonly standIn: StandIn | undefined;
  /** Resolves when the functions have ended that schedules called at the start. */
  readonly settled: Promise<unknown>;
  stop(): Promise<void>;
}

const stage = "test";
const standInSeed = 1;
const standInClubs = 40;
/** Longest time for the first mirroring, in milliseconds: a slow union must not keep the API from starting. */
const otherUnionTimeout = 10_000;
const standInTimeout = 15 * 60_000;

/**
 * Whether a role of a vendor's AWS account trusts us. On AWS its trust policy says so; here the role `scorecard-events-{apiset}` is that
 * vendor's, and has its external ID; `scorecard-events-open` trusts us whatever the external ID.
 */
const trustsVendor = (roleArn: string, externalId: string | undefined) =>
  roleArn.endsWith(`:role/${roleNamePrefix}-open`) ||
  (externalId?.startsWith(`${stackName(stage)}:`) === true &&
    roleArn.endsWith(`:role/${roleNamePrefix}-${externalId.slice(stackName(stage).length + 1)}`));

/** Gives the pipeline its demo accounts. */
async function addVendors({ dynamodb, apiGateway, region, resource, outputs }: LocalRun): Promise<void> {
  const credentials = localCredentials;
  const accounts = new DynamoDBClient({ endpoint: dynamodb, region, credentials });
  const keys = new APIGatewayClient({ endpoint: apiGateway, region, credentials });
  const table = accountTable(resource("AccountTable"), accounts);
  await createVendors(
    [...demoVendors, demoOperator],
    table,
    usageKeys(keys),
    outputs.TournamentUsagePlanId ?? "",
  );
  accounts.destroy();
  keys.destroy();
}

/** Runs the `test` stage's template with demo accounts and a union, and fills the mirror. */
export async function startOneMachine(options: OneMachineOptions): Promise<OneMachine> {
  const { assembly, port, dynamodb, sqs, log, progress } = options;
  const atUnion = [...demoAccounts, ...(options.unionAccounts ?? [])];
  const standIn =
    options.union === undefined
      ? await startStandIn({
          port: 0,
          seed: standInSeed,
          clubs: standInClubs,
          accounts: atUnion,
          // The pipeline itself sends all four headers of the document with every request.
          requiresToken: true,
          ...(options.unionProfile !== undefined && { profile: unionProfiles[options.unionProfile] }),
          now: () => new Date(),
        })
      : undefined;
  const union = options.union?.replace(/\/+$/, "") ?? standIn?.address ?? "";
  progress("starting the engines and the functions");
  const run = await startLocalRun({
    assembly,
    stack: stackName(stage),
    port,
    parameters: { UnionBaseAddress: union },
    secrets: unionSecrets(stage, atUnion),
    ...(dynamodb !== undefined && { dynamodb }),
    ...(sqs !== undefined && { sqs }),
    ...(options.alarmSpeed !== undefined && { alarmSpeed: options.alarmSpeed }),
    ...(options.rateSpeed !== undefined && { rateSpeed: options.rateSpeed }),
    trusts: trustsVendor,
    log,
  });
  await addVendors(run);
  progress("mirroring the union's clubs and courses");
  await fillMirror(run, standIn === undefined ? otherUnionTimeout : standInTimeout, progress);
  // Not before: what they run would delay the mirroring, and one of them mirrors too.
  const settled = run.startSchedules();
  if (standIn !== undefined) commandFaults(standIn.faults, options.faults ?? {});
  return {
    run,
    union,
    standIn,
    settled,
    async stop() {
      await Promise.all([run.stop(), standIn?.stop()]);
    },
  };
}
