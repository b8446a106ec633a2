import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { type LocalRun, startLocalRun } from "@scorecard-pipeline/local-aws";
import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { startSqs } from "@scorecard-pipeline/local-aws/sqs";
import { type StandIn, startStandIn } from "@scorecard-pipeline/stand-in";
import { resources } from "../../../core/accounts/account.ts";
import { accountTable } from "../../../core/accounts/account-table.ts";
import { usageKeys } from "../../../core/accounts/usage-keys.ts";
import { createVendors, type DemoAccount } from "../../../local/pipeline/demo-accounts.ts";
import { fillMirror } from "../../../local/pipeline/fill-mirror.ts";
import { type Vendor, vendorOf } from "../pipeline.ts";
import { type EngineProxy, startEngineProxy } from "./engine-proxy.ts";

/** What is to be brought up. */
export interface FaultyPipelineOptions {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** Names of the vendors; each is its account's name and API set. */
  readonly vendors: readonly string[];
  /** Of the stand-in's data and of its faults. */
  readonly seed: number;
}

/** A pipeline on this machine of which every part can be made to fail. */
export interface FaultyPipeline {
  readonly run: LocalRun;
  readonly standIn: StandIn;
  /** In front of the engines; what the event source asks of SQS passes through too. */
  readonly dynamodb: EngineProxy;
  readonly sqs: EngineProxy;
  /** The vendor of this name, as it talks to the API. */
  vendor(name: string): Vendor;
  /** A client of the tables past the proxy. */
  readonly cards: DynamoDBClient;
  /** Gives a vendor another password for the union; without one its secret has the right one again. */
  setUnionPassword(apiSet: string, password?: string): Promise<void>;
  stop(): Promise<void>;
}

const mirror = { username: "mirror", password: "mirror's own", apiSet: "mirror" };
const passwordOf = (name: string) => `${name}'s own`;
const secretName = (name: string) => (name === mirror.username ? "mirror" : `vendor/${name}`);
const region = "us-east-1";
const clubs = 3;
const members = 20;

/** Brings up the `test` stage with vendors of its own, and proxies in front of its engines. */
export async function startFaultyPipeline(options: FaultyPipelineOptions): Promise<FaultyPipeline> {
  const { assembly, vendors, seed } = options;
  const atUnion = [
    mirror,
    ...vendors.map((name) => ({ username: name, password: passwordOf(name), apiSet: name })),
  ];
  const now = () => new Date();
  const [standIn, table, queue] = await Promise.all([
    startStandIn({ port: 0, seed, clubs, members, accounts: atUnion, now }),
    startDynamoDb(),
    startSqs(region),
  ]);
  const [dynamodb, sqs] = await Promise.all([
    startEngineProxy(table.address),
    startEngineProxy(queue.address),
  ]);
  const secrets = atUnion.map(({ username, password }): [string, string] => [
    `scorecards/test/${secretName(username)}`,
    JSON.stringify({ username, password }),
  ]);
  const run = await startLocalRun({
    assembly,
    stack: "scorecard-pipeline-test",
    port: 0,
    parameters: { UnionBaseAddress: standIn.address },
    secrets: Object.fromEntries(secrets),
    dynamodb: dynamodb.address,
    sqs: sqs.address,
    log: () => undefined,
  });
  const client = { region, credentials: localCredentials };
  const accounts = new DynamoDBClient({ ...client, endpoint: table.address });
  const secretsManager = new SecretsManagerClient({ ...client, endpoint: run.secretsManager });
  const keys = new APIGatewayClient({ ...client, endpoint: run.apiGateway });
  const accountsOfVendors = vendors.map(
    (name): DemoAccount => ({ username: name, password: passwordOf(name), apiSet: name, resources }),
  );
  await createVendors(
    accountsOfVendors,
    accountTable(run.resource("AccountTable"), accounts),
    usageKeys(keys),
    run.outputs.TournamentUsagePlanId ?? "",
  );
  await fillMirror(run, 60_000, () => undefined);

  return {
    run,
    standIn,
    dynamodb,
    sqs,
    vendor(name) {
      const account = accountsOfVendors.find(({ apiSet }) => apiSet === name);
      if (account === undefined) throw new Error(`There is no vendor ${name}.`);
      return vendorOf(run.api, account);
    },
    cards: accounts,
    async setUnionPassword(apiSet, password = passwordOf(apiSet)) {
      const SecretString = JSON.stringify({ username: apiSet, password });
      const SecretId = `scorecards/test/${secretName(apiSet)}`;
      await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
    async stop() {
      for (const one of [accounts, secretsManager, keys]) one.destroy();
      await run.stop();
      await Promise.all([dynamodb.stop(), sqs.stop(), standIn.stop()]);
      await Promise.all([table.stop(), queue.stop()]);
    },
  };
}
