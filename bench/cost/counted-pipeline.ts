import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { LocalRun } from "@scorecard-pipeline/local-aws";
import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { startSqs } from "@scorecard-pipeline/local-aws/sqs";
import { readStack } from "@scorecard-pipeline/local-aws/template";
import type { StandIn } from "@scorecard-pipeline/stand-in";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { startOneMachine } from "../../local/pipeline/one-machine.ts";
import { synthesizeStage } from "../../local/pipeline/synthesize-stage.ts";
import { startEndpoint, type VendorEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { countedEngine, type EngineRequest } from "../counted-engine.ts";
import { holdDelivery, releaseDelivery } from "../hold-delivery.ts";
import { type Charged, times } from "./charged.ts";
import { readUnits, writeUnitCounter } from "./dynamodb-units.ts";

/** What API Gateway puts for each of its variables, as long as it usually is. */
const usualValues: Readonly<Record<string, string>> = {
  requestId: "931e181e-6c6c-400c-8014-c661883c9c93",
  "authorizer.principalId": "tournament-system",
  httpMethod: "POST",
  resourcePath: "/{apiset}/ScorecardExchange",
  status: "201",
  responseLength: "2345",
  responseLatency: "35",
  "error.responseType": "-",
};

/**
 * Bytes of a line of the access log.
 *
 * @param resources of the template
 * @throws Error if its format has a variable of unknown length
 */
function accessLogLineBytes(
  resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: unknown }>>,
): number {
  const stage = Object.values(resources).find(({ Type }) => Type === "AWS::ApiGateway::Stage");
  const { AccessLogSetting } = (stage?.Properties ?? {}) as { AccessLogSetting?: { Format: string } };
  const line = (AccessLogSetting?.Format ?? "").replace(/\$context\.([\w.]+)/g, (_, name: string) => {
    const value = usualValues[name];
    if (value === undefined) throw new Error(`How long is $context.${name} usually?`);
    return value;
  });
  return Buffer.byteLength(line);
}

const chunkBytes = 64 * 1024;

/**
 * How many requests SQS charges for one: more than 64 KB count as several. Receives that find no message are left out,
 * since they do not depend on cards.
 */
function sqsRequests({ operation, sent, answered }: EngineRequest): number {
  if (!/Message/.test(operation)) return 0;
  if (operation === "ReceiveMessage" && (answered.Messages ?? []).length === 0) return 0;
  const bytes = Math.max(
    Buffer.byteLength(JSON.stringify(sent)),
    Buffer.byteLength(JSON.stringify(answered)),
  );
  return Math.max(1, Math.ceil(bytes / chunkBytes));
}

/** A pipeline on engines that count what is asked of them. */
export interface CountedPipeline {
  /** Submits good cards, this many in each submission. @param tournament their TournamentName, if they have one */
  submit(name: string, cards: number, cardsPerSubmission: number, tournament?: string): Promise<void>;
  /** Submits good cards one at a time at a steady rate. */
  submitSteadily(name: string, cards: number, perSecond: number): Promise<void>;
  /** Resolves when all that was submitted is delivered, and that is recorded. */
  delivered(): Promise<void>;
  /** Brings the environments past their first minutes, as they are for most of a million cards. */
  warmUp(): Promise<void>;
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Lets an endpoint of the vendor be told of every outcome from now on. */
  tellOutcomes(): Promise<void>;
  /**
   * The charges since the last time: all of them, those of counting and listing, of that the requests for tournaments, and those of
   * webhooks; and the engines' requests.
   */
  charged(): {
    readonly all: Charged;
    readonly activity: Charged;
    readonly tournaments: Charged;
    readonly webhooks: Charged;
    readonly requests: readonly EngineRequest[];
  };
  stop(): Promise<void>;
}

const stackName = "scorecard-pipeline-test";
/** CloudWatch adds so much to each line. */
const bytesOfLogEvent = 26;

/** The stage whose charges docs/costs.md has: it calculates what the checks of players and rounds add. */
export const withoutChecks: StageSettings = { ...settings.test, playerCheck: "off" };

/** What was counted outside the engines, and since when. */
const nothingCounted = () => ({ logBytes: 0, apiRequests: 0, answerBytes: 0, from: Date.now() });

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

type Resources = Awaited<ReturnType<typeof readStack>>["template"]["Resources"];

function findGigabytes(resources: Resources, functionName = ""): number {
  const [, deployed] =
    Object.entries(resources).find(([logicalId]) => functionName.endsWith(logicalId)) ?? [];
  if (deployed === undefined) throw new Error(`The template has no ${functionName}.`);
  return Number(deployed.Properties?.MemorySize) / 1024;
}

/** The charges of what was counted, of the runs of functions since then, and of the engines' requests. */
function sumCharges(
  { from, ...counts }: ReturnType<typeof nothingCounted>,
  metrics: LocalRun["metrics"],
  requests: readonly EngineRequest[],
  resources: Resources,
  countWriteUnits: ReturnType<typeof writeUnitCounter>,
): ReturnType<CountedPipeline["charged"]> {
  const figures = metrics.all().filter(({ namespace, at }) => namespace === "AWS/Lambda" && at >= from);
  const runs = (of: typeof figures) => ({
    functionRuns: of.filter(({ name }) => name === "Invocations").length,
    gigabyteSeconds: sum(
      of
        .filter(({ name }) => name === "Duration")
        .map(({ value, dimensions }) => (value / 1000) * findGigabytes(resources, dimensions.FunctionName)),
    ),
  });
  const units = requests.map((request) => ({ request, writeUnits: countWriteUnits(request) }));
  const sumUnits = (those: typeof units) => ({
    writeUnits: sum(those.map((one) => one.writeUnits)),
    readUnits: sum(those.map(({ request }) => readUnits(request))),
    sqsRequests: sum(those.map(({ request }) => sqsRequests(request))),
  });
  // A message is deleted from a queue by its address.
  const ofRequests = (resource: RegExp) =>
    sumUnits(units.filter(({ request }) => resource.test(JSON.stringify(request.sent))));
  const ofFunction = (name: string) =>
    runs(figures.filter(({ dimensions }) => dimensions.FunctionName?.toLowerCase().includes(name)));
  const all: Charged = { ...counts, ...runs(figures), ...sumUnits(units) };
  const none = times(0, all);
  return {
    all,
    activity: { ...none, ...ofFunction("followoutcomes"), ...ofRequests(/ActivityTable/) },
    webhooks: { ...none, ...ofFunction("deliverwebhooks"), ...ofRequests(/Webhook(Table|Queue)/) },
    tournaments: { ...none, ...ofRequests(/#tournaments/) },
    requests,
  };
}

const writeCards = (standIn: StandIn, name: string, cards: number, tournament: string | undefined) =>
  Array.from({ length: cards }, (_, place) => {
    const card = minimalCard(standIn, { ExternalID: `${name}-${place}` });
    const ofTournament = { TournamentName: tournament, TournamentRoundNumber: 1 + (place % 2) };
    return tournament === undefined ? card : { ...card, Round: { ...card.Round, ...ofTournament } };
  });

/**
 * Starts the pipeline in front of a union that works.
 *
 * @param given folder of an assembly of this stage that is synthesized already
 */
export async function startCountedPipeline(stage = settings.test, given?: string): Promise<CountedPipeline> {
  const assembly = given ?? mkdtempSync(join(tmpdir(), "scorecard-cost-"));
  if (given === undefined) synthesizeStage(assembly, stage);
  const { Resources } = (await readStack(assembly, stackName)).template;
  const accessLogLine = accessLogLineBytes(Resources);

  const counts = nothingCounted();
  const engines = [await startDynamoDb(), await startSqs("us-east-1")] as const;
  const dynamodb = await countedEngine(engines[0].address);
  const sqs = await countedEngine(engines[1].address);
  const machine = await startOneMachine({
    assembly,
    port: 0,
    dynamodb: dynamodb.address,
    sqs: sqs.address,
    log: ({ text }) => {
      counts.logBytes += Buffer.byteLength(text) + bytesOfLogEvent;
    },
    progress: () => undefined,
  });
  // Functions that schedules call at the start are not counted.
  await machine.settled;
  const [account] = demoVendors;
  const { standIn, run } = machine;
  if (standIn === undefined || account === undefined) throw new Error("The stand-in is not there.");
  const credentials = Buffer.from(`${account.username}:${account.password}`).toString("base64");
  const post = (path: string, content: unknown) =>
    fetch(`${run.api}/${account.apiSet}/${path}`, {
      method: "POST",
      headers: { Authorization: `Basic ${credentials}`, "Content-Type": "application/json" },
      body: JSON.stringify(content),
    });
  let submitted = 0;
  let endpoint: VendorEndpoint | undefined;
  let told = 0;
  const writeUnits = writeUnitCounter();

  const submitArray = async (name: string, cards: number, tournament?: string): Promise<void> => {
    const response = await post("ScorecardExchange", writeCards(standIn, name, cards, tournament));
    if (response.status !== 201) throw new Error(`A submission of ${cards} was answered ${response.status}.`);
    counts.apiRequests++;
    counts.answerBytes += gzipSync(await response.text()).byteLength;
    counts.logBytes += accessLogLine + bytesOfLogEvent;
    submitted += cards;
  };
  const submit: CountedPipeline["submit"] = async (name, cards, cardsPerSubmission, tournament) => {
    for (let sent = 0; sent < cards; sent += cardsPerSubmission) {
      await submitArray(`${name}-${sent}`, cardsPerSubmission, tournament);
    }
  };
  const submitSteadily = async (name: string, cards: number, perSecond: number): Promise<void> => {
    const begun = Date.now();
    const requests = Array.from({ length: cards }, async (_, n) => {
      await delay(begun + (n * 1000) / perSecond - Date.now());
      await submitArray(`${name}-${n}`, 1);
    });
    await Promise.all(requests);
  };
  const delivered = async (): Promise<void> => {
    while (standIn.received.length < submitted) await delay(100);
    while (endpoint !== undefined && cardsTold(endpoint) < submitted - told) await delay(100);
    // The outcomes are recorded and the messages deleted after the exchange's answer.
    await delay(1500);
  };
  const held = { ...run, eventSourceId: run.outputs.DeliveryEventSourceId ?? "" };
  return {
    submit,
    submitSteadily,
    delivered,
    async warmUp() {
      await submit("warm-up-singly", 300, 1);
      await submit("warm-up", 1000, 100);
      await delivered();
    },
    async tellOutcomes() {
      endpoint = await startEndpoint();
      told = submitted;
      const { status } = await post("Webhooks", { url: endpoint.url });
      if (status !== 201) throw new Error(`The endpoint was answered ${status}.`);
    },
    hold: () => holdDelivery(held),
    release: () => releaseDelivery(held),
    charged() {
      const requests = [dynamodb, sqs].flatMap((engine) => engine.taken());
      const charges = sumCharges(counts, run.metrics, requests, Resources, writeUnits);
      Object.assign(counts, nothingCounted());
      return charges;
    },
    async stop() {
      endpoint?.stop();
      await machine.stop();
      dynamodb.stop();
      sqs.stop();
      await Promise.all(engines.map((engine) => engine.stop()));
      if (given === undefined) rmSync(assembly, { recursive: true });
    },
  };
}

/** Cards whose outcomes an endpoint was told. */
function cardsTold({ received }: VendorEndpoint): number {
  const cards = received.flatMap(({ body }) => {
    const { data } = JSON.parse(body) as {
      readonly data: { readonly cards?: readonly { externalId: string }[] };
    };
    return data.cards ?? [];
  });
  return new Set(cards.map(({ externalId }) => externalId)).size;
}
