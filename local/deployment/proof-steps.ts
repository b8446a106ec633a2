import { setTimeout as delay } from "node:timers/promises";
import {
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  SetAlarmStateCommand,
} from "@aws-sdk/client-cloudwatch";
import {
  DeleteTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { CardState, createClient, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import type { VendorOverview } from "../../api/operator.ts";
import { settings } from "../../lib/settings.ts";
import { stackName } from "../../lib/stage-settings.ts";
import { fillMirror } from "../pipeline/fill-mirror.ts";
import { deploymentFaults } from "./deployment-faults.ts";
import {
  deployStage,
  endpoint,
  findApi,
  invoke,
  readOutputs,
  run,
  scorecards,
  send,
  setOutage,
  takeCards,
} from "./proved-stage.ts";
import { readAccount } from "./read-account.ts";

/** A step of the proof. */
export interface ProofStep {
  readonly name: string;
  /** Why an emulator cannot play it; absent if it can. */
  readonly onlyOnAws?: string;
  /** @returns its figures, in words */
  readonly play: () => Promise<string>;
}

const stack = stackName("test");
const ofStage = ["--stage", "test"];
const cloudWatch = new CloudWatchClient();
const vendors: ScorecardsClient[] = [];
/** The commit that is deployed first. */
let first = "";
const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

/** Asks again until an answer is there. @throws Error with the name of what is missing */
async function poll<T>(what: string, withinSeconds: number, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 1_000 * withinSeconds;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what}: not after ${withinSeconds} s.`);
    await delay(1_000);
  }
}

const checkAccount = async () =>
  deploymentFaults(settings.test, await readAccount(settings.test), new Date());

/** Has the first deployment fail by a name that is taken, and deploys again, as docs/deploy.md says. */
async function failOnce(): Promise<string> {
  const secrets = new SecretsManagerClient();
  const Name = "scorecards/test/mirror";
  await secrets.send(new CreateSecretCommand({ Name, SecretString: "taken" }));
  const told = (await checkAccount()).some((fault) => fault.includes(Name));
  const [deployment] = await Promise.allSettled([deployStage()]);
  const isRefused = deployment.status === "rejected";
  await secrets.send(new DeleteSecretCommand({ SecretId: Name, ForceDeleteWithoutRecovery: true }));
  if (!told || !isRefused) throw new Error(`A taken name: told ${told}, refused ${isRefused}.`);
  return "a taken name was told by the check, and refused by CloudFormation";
}

async function deployFirst(): Promise<string> {
  const faults = await checkAccount();
  if (faults.length > 0) throw new Error(faults.join(" "));
  const since = performance.now();
  await deployStage();
  const { DeployedCommit = "" } = await readOutputs();
  first = DeployedCommit.replace("-dirty", "");
  return `commit ${DeployedCommit} in ${seconds(since)}`;
}

async function mirror(): Promise<string> {
  const password = { SCORECARDS_UNION_PASSWORD: "pipeline-mirror-demo" };
  await scorecards(["account", "mirror", "pipeline-mirror", ...ofStage], password);
  let told = "";
  await fillMirror({ invoke }, 600_000, (text) => {
    told = text;
  });
  if (!told.includes("all")) throw new Error(told);
  return told;
}

/** Adds two vendors, and times how long each new account is refused. */
async function addVendors(): Promise<string> {
  const api = await findApi();
  const times: string[] = [];
  for (const username of ["greens-app", "fairway-live"]) {
    const password = { SCORECARDS_UNION_PASSWORD: `${username}-demo` };
    const add = ["account", "add", username, ...ofStage, "--plan", "tournament", "--json"];
    const added = await scorecards(add, password);
    const since = performance.now();
    const { password: own } = JSON.parse(added);
    const client = createClient({ api, username, password: own, retrySeconds: 0, fetch: send });
    await poll("a first 200", 300, () => client.statuses(["none"]).catch(() => undefined));
    times.push(seconds(since));
    vendors.push(client);
  }
  return `first 200 answers after ${times.join(" and ")}`;
}

/** Submits cards, and follows them until all are delivered. */
async function deliver(client: ScorecardsClient | undefined, cards: readonly string[]): Promise<string> {
  if (client === undefined) throw new Error("No vendor was added.");
  const since = performance.now();
  const entries = await client.submit(cards);
  const refused = entries.filter(({ status }) => status !== 201);
  if (refused.length > 0)
    throw new Error(`${refused.length} cards are refused: ${JSON.stringify(refused[0])}`);
  const waiting = new Set(cards.map((card) => JSON.parse(card).ExternalID as string));
  for await (const { externalId, state } of client.follow(waiting, { timeoutSeconds: 3_600 }))
    if (state === CardState.delivered) waiting.delete(externalId);
  if (waiting.size > 0) throw new Error(`${waiting.size} of ${cards.length} cards are not delivered.`);
  return seconds(since);
}

/** Drives 1,000 cards of one vendor, and one of another while they wait: queues are fair. */
async function deliverThousand(): Promise<string> {
  const [greens, fairway] = vendors;
  const all = deliver(greens, takeCards(1_000));
  const [single] = await Promise.all([deliver(fairway, takeCards(1)), all]);
  return `1,000 cards in ${await all}; another vendor's single card meanwhile in ${single}`;
}

/** Reads the counts, which follow the table's stream, and what CloudWatch made of the functions' log lines. */
async function readCounts(): Promise<string> {
  const since = performance.now();
  return await poll("1,001 counted", 600, async () => {
    // Its exit code is 1 if anything needs attention.
    const read = await scorecards(["overview", "--json", ...ofStage]).catch(({ stdout }) => stdout);
    const { vendors: counted = [], objective } = JSON.parse(read);
    const today = counted.reduce((sum: number, one: VendorOverview) => sum + one.today.delivered, 0);
    const isComplete = today >= 1_001 && objective?.delivered >= 1_001;
    return isComplete ? `1,001 outcomes counted and measured after ${seconds(since)}` : undefined;
  });
}

async function listAlarms(prefix: string, StateValue?: "ALARM"): Promise<string[]> {
  const asked = new DescribeAlarmsCommand({ AlarmNamePrefix: `${stack}-${prefix}`, StateValue });
  const { MetricAlarms = [] } = await cloudWatch.send(asked);
  return MetricAlarms.map(({ AlarmName = "" }) => AlarmName);
}

/** Has an alarm ring: CloudWatch notes whether the encrypted topic took its message, which mails it. */
async function mailAlarm(): Promise<string> {
  const [AlarmName] = await listAlarms("DeliveryDeadLetters");
  const ringing = { AlarmName, StateValue: "ALARM", StateReason: "A proof" } as const;
  await cloudWatch.send(new SetAlarmStateCommand(ringing));
  return await poll("an alarm's message", 120, async () => {
    const asked = new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: "Action" });
    const { AlarmHistoryItems = [] } = await cloudWatch.send(asked);
    const summaries = AlarmHistoryItems.map(({ HistorySummary = "" }) => HistorySummary);
    return summaries.find((summary) => summary.startsWith("Success"));
  });
}

async function readStreamed(): Promise<string> {
  const response = await fetch(`${await findApi()}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
  const encoding = response.headers.get("content-encoding");
  if (encoding !== "gzip") throw new Error(`openapi.json has the encoding ${encoding}.`);
  JSON.parse(await response.text());
  return `openapi.json came as ${encoding}`;
}

/** Takes the union away for as long as AWS's alarms take, and says which rang: not that on the API's own failures. */
async function playOutage(): Promise<string> {
  await setOutage(true);
  const wait = async () => {
    await delay(1_000 * (endpoint === undefined ? 1_200 : 10));
    const names = await listAlarms("", "ALARM");
    await setOutage(false);
    return names;
  };
  const [took, ringing] = await Promise.all([deliver(vendors[1], takeCards(20)), wait()]);
  if (ringing.some((name) => name.includes("ApiFailing"))) throw new Error("ApiFailing rang.");
  return `20 cards delivered ${took} after they were sent; rang: ${ringing.join(", ") || "none"}`;
}

/** Deploys the commit before this one while a vendor sends cards. */
async function updateUnderTraffic(): Promise<string> {
  let isUpdating = true;
  let sent = 0;
  const sendCards = async () => {
    for (; isUpdating; sent++) await deliver(vendors[1], takeCards(1));
  };
  const update = deployStage("HEAD~1").finally(() => {
    isUpdating = false;
  });
  await Promise.all([update, sendCards()]);
  return `${sent} cards accepted and delivered meanwhile, none refused`;
}

async function rollBack(): Promise<string> {
  await run("bin/roll-back.ts", [...ofStage, "--commit", first, "--yes"]);
  return `back to commit ${(await readOutputs()).DeployedCommit}`;
}

async function restoreAccounts(): Promise<string> {
  const client = new DynamoDBClient();
  const { AccountTableName: SourceTableName } = await readOutputs();
  const TableName = "proved-accounts";
  const restore = { SourceTableName, TargetTableName: TableName, UseLatestRestorableTime: true };
  const since = performance.now();
  await client.send(new RestoreTableToPointInTimeCommand(restore));
  await waitUntilTableExists({ client, maxWaitTime: 3_600 }, { TableName });
  await scorecards(["backup", "take-over", "accounts", TableName, ...ofStage]);
  await client.send(new DeleteTableCommand({ TableName }));
  return `accounts restored and taken over in ${seconds(since)}`;
}

/** The steps, in order: the first deployment by docs/deploy.md, what it serves, and what an operator does to it later. */
export const proofSteps: readonly ProofStep[] = [
  { name: "a deployment that fails", onlyOnAws: "takes a name twice", play: failOnce },
  { name: "deployment", play: deployFirst },
  { name: "mirror", play: mirror },
  { name: "vendors", play: addVendors },
  { name: "1,000 cards, fair queues", play: deliverThousand },
  { name: "windows of the stream, metrics", onlyOnAws: "follows no stream", play: readCounts },
  { name: "alarm through the encrypted topic", onlyOnAws: "does not note what alarms do", play: mailAlarm },
  { name: "streamed and gzipped answers", onlyOnAws: "streams no answers", play: readStreamed },
  { name: "outage", play: playOutage },
  { name: "update under traffic", play: updateUnderTraffic },
  { name: "rollback", onlyOnAws: "refuses alarms of that template", play: rollBack },
  { name: "restore", play: restoreAccounts },
];
