import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { demoVendors } from "../../local/demo-accounts.ts";
import { startOneMachine } from "../../local/one-machine.ts";
import { startSqs } from "../../local/queues/queues.ts";
import { startDynamoDb } from "../../local/tables.ts";
import { minimalCard } from "../../test/end-to-end/good-card.ts";
import { vendorOf } from "../../test/end-to-end/pipeline.ts";
import type { BenchRow } from "../bench-row.ts";
import { countedEngine, type EngineRequest } from "../counted-engine.ts";

/** USD; AWS's list prices in us-east-1, November 2025, without free tiers. */
const prices = {
  apiRequest: 3.5e-6,
  lambdaRequest: 0.2e-6,
  /** On ARM. */
  gigabyteSecond: 0.0000133334,
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  sqsRequest: 0.4e-6,
  logGigabyte: 0.5,
};

/** USD that a million cards may cost, by the size of their submissions. */
const mostDollars: Readonly<Record<number, number>> = { 1: 7, 100: 2 };

const stackName = "scorecard-pipeline-test";
const cardsMeasured = 300;

// biome-ignore lint/suspicious/noExplicitAny: an item in DynamoDB's own form
type Item = Record<string, any>;

/** Bytes of an item, as DynamoDB counts them. */
function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, { S, N, B }]) => {
    const value =
      S !== undefined
        ? Buffer.byteLength(S)
        : N !== undefined
          ? Math.ceil(N.length / 2) + 1
          : Buffer.byteLength(B ?? "", "base64");
    return sum + Buffer.byteLength(name) + value;
  }, 0);
}

/** Write units of items: one a kilobyte, and as much again for an item that is in the index of cards by state. */
function writeUnits({ operation, sent }: EngineRequest): number {
  if (operation !== "BatchWriteItem") return 0;
  const requests = Object.values(sent.RequestItems).flat() as { PutRequest?: { Item: Item } }[];
  return requests.reduce((sum, { PutRequest }) => {
    const units = Math.ceil(itemBytes(PutRequest?.Item ?? {}) / 1024);
    return sum + units * (PutRequest?.Item.vendorState === undefined ? 1 : 2);
  }, 0);
}

/** Read units: one for 4 KB read with strong consistency, half of it without; what is not there costs as much. */
function readUnits({ operation, sent, answered }: EngineRequest): number {
  const units = (item: Item) => Math.max(1, Math.ceil(itemBytes(item) / 4096));
  if (operation === "GetItem") return units(answered.Item ?? {}) * (sent.ConsistentRead ? 1 : 0.5);
  if (operation === "Query") {
    const bytes = (answered.Items ?? []).reduce((sum: number, item: Item) => sum + itemBytes(item), 0);
    return Math.max(1, Math.ceil(bytes / 4096)) * 0.5;
  }
  if (operation !== "BatchGetItem") return 0;
  const keys = Object.values(sent.RequestItems as Record<string, { Keys: Item[] }>).flatMap(
    ({ Keys }) => Keys,
  );
  const found = Object.values(answered.Responses ?? {}).flat() as Item[];
  return found.reduce((sum, item) => sum + units(item), keys.length - found.length);
}

/** SQS's chunks of 64 KB: a request of more counts as several. */
const sqsRequests = ({ sent, answered }: EngineRequest) =>
  Math.max(1, Math.ceil(Math.max(JSON.stringify(sent).length, JSON.stringify(answered).length) / 65_536));

/** Requests, bytes and GB-seconds of each card, for submissions of 1, 10 and 100, and what they cost by the million. */
export async function run(): Promise<BenchRow[]> {
  const assembly = mkdtempSync(join(tmpdir(), "scorecard-cost-"));
  const app = new App({ outdir: assembly });
  new PipelineStack(app, stackName, { settings: settings.test });
  app.synth();
  const { Resources } = JSON.parse(readFileSync(join(assembly, `${stackName}.template.json`), "utf8"));

  let requests: EngineRequest[] = [];
  let logBytes = 0;
  const tell = (one: EngineRequest) => void requests.push(one);
  const engines = [await startDynamoDb(), await startSqs("us-east-1")] as const;
  const dynamodb = await countedEngine(engines[0].address, tell);
  const sqs = await countedEngine(engines[1].address, tell);
  const machine = await startOneMachine({
    assembly,
    port: 0,
    dynamodb: dynamodb.address,
    sqs: sqs.address,
    log: ({ text }) => {
      logBytes += Buffer.byteLength(text) + 26;
    },
    progress: () => undefined,
  });
  const [account] = demoVendors;
  const { standIn, run: local } = machine;
  if (standIn === undefined || account === undefined) throw new Error("The stand-in is not there.");
  const vendor = vendorOf(local.api, account);
  const rows: BenchRow[] = [];
  try {
    const submit = async (name: string, cards: number) => {
      const array = Array.from({ length: cards }, (_, card) =>
        minimalCard(standIn, { ExternalID: `${name}-${card}` }),
      );
      const { status } = await vendor.submit(array);
      if (status !== 201) throw new Error(`A submission of ${cards} was answered ${status}.`);
    };
    const delivered = async (count: number) => {
      while (standIn.received.length < count) await new Promise((resolve) => setTimeout(resolve, 100));
      // The outcomes are recorded and the messages deleted after the exchange's answer.
      await new Promise((resolve) => setTimeout(resolve, 1500));
    };
    await submit("warm", 1);
    await delivered(1);
    for (const size of [1, 10, 100]) {
      const before = standIn.received.length;
      const from = Date.now();
      requests = [];
      logBytes = 0;
      for (let sent = 0; sent < cardsMeasured; sent += size) await submit(`${size}-${sent}`, size);
      await delivered(before + cardsMeasured);
      const figures = local.metrics
        .all()
        .filter(({ namespace, at }) => namespace === "AWS/Lambda" && at >= from);
      const runs = figures.filter(({ name }) => name === "Invocations").length;
      const gigabyteSeconds = figures
        .filter(({ name }) => name === "Duration")
        .reduce((sum, { value, dimensions }) => {
          const id = dimensions.FunctionName?.slice(stackName.length + 1) ?? "";
          return sum + (value / 1000) * (Resources[id].Properties.MemorySize / 1024);
        }, 0);
      const messages = requests.filter(
        ({ operation, answered }) =>
          /Message/.test(operation) &&
          (operation !== "ReceiveMessage" || (answered.Messages ?? []).length > 0),
      );
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const counted = {
        "requests to the API": cardsMeasured / size,
        "runs of functions": runs,
        "GB-seconds": gigabyteSeconds,
        "write units": sum(requests.map(writeUnits)),
        "read units": sum(requests.map(readUnits)),
        "SQS requests": sum(messages.map(sqsRequests)),
        "bytes of log": logBytes,
      };
      const dollars =
        counted["requests to the API"] * prices.apiRequest +
        runs * prices.lambdaRequest +
        gigabyteSeconds * prices.gigabyteSecond +
        counted["write units"] * prices.writeUnit +
        counted["read units"] * prices.readUnit +
        counted["SQS requests"] * prices.sqsRequest +
        (logBytes / 2 ** 30) * prices.logGigabyte;
      for (const [name, value] of Object.entries(counted)) {
        rows.push({
          name: `${name} per card, submissions of ${size}`,
          value: value / cardsMeasured,
          unit: "",
        });
      }
      rows.push({
        name: `a million cards in submissions of ${size}`,
        value: (dollars / cardsMeasured) * 1_000_000,
        unit: "USD",
        ...(mostDollars[size] !== undefined && { bar: mostDollars[size] }),
      });
    }
  } finally {
    await machine.stop();
    dynamodb.stop();
    sqs.stop();
    await Promise.all(engines.map((engine) => engine.stop()));
    rmSync(assembly, { recursive: true });
  }
  return rows;
}
