import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient, ScanCommand, type ScanCommandInput } from "@aws-sdk/client-dynamodb";
import { accountTable } from "../core/accounts/account-table.ts";
import { usageKeys } from "../core/accounts/usage-keys.ts";
import { createVendors, demoSecrets, demoVendors } from "../local/pipeline/demo-accounts.ts";
import { localCredentials } from "../packages/local-aws/environment.ts";
import { type LocalRun, startLocalRun } from "../packages/local-aws/local-run.ts";
import { demoAccounts } from "../packages/stand-in/demo-accounts.ts";
import { type StandIn, startStandIn } from "../packages/stand-in/stand-in.ts";

/** A union, and a pipeline in front of it whose mirror is empty. */
export interface MirroredUnion {
  readonly standIn: StandIn;
  readonly run: LocalRun;
  /** Of the engine that the pipeline's tables are in. */
  readonly dynamodb: DynamoDBClient;
  stop(): Promise<void>;
}

/** Default number of invented clubs. */
const inventedClubs = 40;

/** Artifact id of the stack that runs in front of a union. */
export const runningStack = "scorecard-pipeline-test";

/** Starts a union of made-up clubs and, with a file, of all courses in it; the schedules stand still. */
export async function startMirroredUnion(
  assembly: string,
  coursesFile?: string,
  clubs = inventedClubs,
): Promise<MirroredUnion> {
  const standIn = await startStandIn({
    port: 0,
    seed: 1,
    clubs,
    ...(coursesFile !== undefined && { coursesFile }),
    accounts: demoAccounts,
    now: () => new Date(),
  });
  const run = await startLocalRun({
    assembly,
    stack: runningStack,
    port: 0,
    parameters: { UnionBaseAddress: standIn.address },
    secrets: demoSecrets("test"),
    schedules: false,
    log: () => undefined,
  });
  const client = { region: run.region, credentials: localCredentials };
  const dynamodb = new DynamoDBClient({ ...client, endpoint: run.dynamodb });
  const keys = new APIGatewayClient({ ...client, endpoint: run.apiGateway });
  await createVendors(
    demoVendors,
    accountTable(run.resource("AccountTable"), dynamodb),
    usageKeys(keys),
    run.outputs.TournamentUsagePlanId ?? "",
  );
  keys.destroy();
  return {
    standIn,
    run,
    dynamodb,
    async stop() {
      dynamodb.destroy();
      await Promise.all([run.stop(), standIn.stop()]);
    },
  };
}

/** What a pass came to, as the function answers it. */
interface PassFigures {
  readonly mirrored: number;
  readonly incompleteVersions: number;
  readonly failed: number;
  readonly left: number;
}

/** Lets one scheduled pass run. */
export async function mirrorPassOf({ run }: MirroredUnion): Promise<PassFigures> {
  return (await run.invoke("mirror-courses", { pass: "changes" })) as PassFigures;
}

/** How many mirrored versions were written since a time, in milliseconds since 1970, counted in the table. */
export async function versionsChangedSince({ run, dynamodb }: MirroredUnion, since: number): Promise<number> {
  let count = 0;
  let start: ScanCommandInput["ExclusiveStartKey"];
  do {
    const answer = await dynamodb.send(
      new ScanCommand({
        TableName: run.resource("CourseTable"),
        Select: "COUNT",
        FilterExpression: "changedAt >= :since",
        ExpressionAttributeValues: { ":since": { N: String(since) } },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    count += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return count;
}
