import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
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
  /** Accounts at the pipeline, in the order of the names. */
  readonly accounts: readonly DemoAccount[];
  /** The vendor of this name, as it talks to the API. */
  vendor(name: string): Vendor;
  readonly logs: readonly string[];
  /** A client of the tables past the proxy. */
  readonly cards: DynamoDBClient;
  /** A client of SQS past the proxy. */
  readonly queues: SQSClient;
  /** Gives a vendor another password for the union; without one its secret has the right one again. */
  setUnionPassword(apiSet: string, password?: string): Promise<void>;
  /** Holds or releases delivery, as an operator does. */
  setDelivery(enabled: boolean): Promise<void>;
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
  const logs: string[] = [];
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
    schedules: false,
    log: ({ function: name, text }) => logs.push(`${name}: ${text}`),
  });
  const client = { region, credentials: localCredentials };
  const accounts = new DynamoDBClient({ ...client, endpoint: table.address });
  const secretsManager = new SecretsManagerClient({ ...client, endpoint: run.secretsManager });
  const lambda = new LambdaClient({ ...client, endpoint: run.lambda });
  const queues = new SQSClient({ ...client, endpoint: queue.address });
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
    accounts: accountsOfVendors,
    vendor(name) {
      const account = accountsOfVendors.find(({ apiSet }) => apiSet === name);
      if (account === undefined) throw new Error(`There is no vendor ${name}.`);
      return vendorOf(run.api, account);
    },
    logs,
    cards: accounts,
    queues,
    async setUnionPassword(apiSet, password = passwordOf(apiSet)) {
      const SecretString = JSON.stringify({ username: apiSet, password });
      const SecretId = `scorecards/test/${secretName(apiSet)}`;
      await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
    async setDelivery(Enabled) {
      const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
      for (const { UUID, EventSourceArn } of EventSourceMappings) {
        // The table's stream is followed, and webhooks are posted, all the same.
        if (!EventSourceArn?.includes("DeliveryQueue")) continue;
        await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
      }
    },
    async stop() {
      for (const one of [accounts, secretsManager, lambda, queues, keys]) one.destroy();
      await run.stop();
      await Promise.all([dynamodb.stop(), sqs.stop(), standIn.stop()]);
      await Promise.all([table.stop(), queue.stop()]);
    },
  };
}
