import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { CardStatus } from "../../../core/cards/status.ts";
import { postTiming } from "../../../core/cards/timing.ts";
import type { DemoAccount } from "../../../local/pipeline/demo-accounts.ts";
import { hurried } from "../../hurried-settings.ts";
import { minimalCard } from "../good-card.ts";
import { type Endpoint, startEndpoint } from "../webhook-endpoint.ts";
import { cardsInActivity, cardsInTable } from "./counted-cards.ts";
import type { EngineRequest, Interference } from "./engine-proxy.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";
import { type Judgement, judge, type SentCard } from "./judge.ts";
import { watchOutcomes } from "./recorded-outcomes.ts";

/** How much chaos there is to be. */
export interface ChaosOptions {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** Of all vendors together. */
  readonly cards: number;
  readonly submissionSize: number;
  readonly seed: number;
  /** How long it may take until every card is where it belongs once the faults are over. */
  readonly patienceMilliseconds: number;
  readonly progress: (step: string) => void;
}

/** What the chaos came to. */
export interface ChaosReport extends Judgement {
  readonly seconds: number;
  readonly kills: number;
  readonly posts: number;
  /** Requests to the engines a card, all of them: what the event source asks for, and all that was tried again. */
  readonly requestsPerCard: number;
  /** Cards whose last outcome did not come to their vendor's webhook endpoint. */
  readonly untold: readonly string[];
  /** Counts and lists of which the API says something else than the table. */
  readonly miscounted: readonly string[];
}

/** Of the settings for quick tests, with which the assembly is made. */
const { postTimeoutSeconds } = hurried.delivery;
/** What the last posts may take beyond their time. */
const postedOnceMoreMilliseconds = 5000;

const vendors = ["chaos-one", "chaos-two", "chaos-three"] as const;
const correctedShare = 0.15;
const withdrawnShare = 0.03;
const functionsKilled = ["deliver-scorecards", "submit-scorecards", "follow-outcomes", "deliver-webhooks"];
/** Of every so many cards one is refused, and one breaks the exchange. */
const poisonEvery = 150;

/** Sends a request until it has an answer that is no failure of ours. */
async function patiently(api: string, account: DemoAccount, method: string, path: string, body?: string) {
  const { username, password, apiSet } = account;
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  for (;;) {
    try {
      const answer = await fetch(`${api}/${apiSet}/${path}`, {
        method,
        headers: { Authorization },
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      if (answer.status < 500 && answer.status !== 429) return { status: answer.status, text };
    } catch {
      // The connection was cut: the same again.
    }
    await delay(100 + Math.random() * 300);
  }
}

/** What the exchange does wrong while the chaos lasts. */
function harmExchange({ standIn }: FaultyPipeline): void {
  Object.assign(standIn.faults, {
    failShare: 0.3,
    throttleShare: 0.05,
    echoLossShare: 0.02,
    cutShare: 0.05,
    lateShare: 0.05,
    lateMilliseconds: 1500,
  });
}

/** What the engines do wrong, and at which of their requests a function dies. */
function harmEngines(pipeline: FaultyPipeline, random: SeededRandom, killed: () => void): void {
  const kill = (name: string) => {
    if (pipeline.run.killEnvironment(name)) killed();
  };
  const harm = ({ operation, body }: EngineRequest): Interference | undefined => {
    // Submission and withdrawal make versions; delivery records what became of one.
    const isOfDelivery = body.includes("UPDATE ") && !body.includes('SET \\"version\\"');
    const functionName = isOfDelivery ? "deliver-scorecards" : "submit-scorecards";
    if (operation.startsWith("Batch") && random.chance(0.01)) kill(functionName);
    if (operation === "SendMessageBatch" && random.chance(0.01)) kill("submit-scorecards");
    if (operation === "UpdateItem" && random.chance(0.2)) kill("follow-outcomes");
    if (operation === "GetItem" && random.chance(0.05)) kill("deliver-webhooks");
    if (random.chance(0.01)) return { kind: "cut" };
    if (operation.startsWith("Batch") && random.chance(0.03)) {
      return { kind: "refuse", error: "ProvisionedThroughputExceededException" };
    }
    // An answer of ReceiveMessage that is lost only hides its messages until their time is over.
    if (operation !== "ReceiveMessage" && random.chance(0.01)) return { kind: "lose answer" };
    if (operation.includes("Batch") && random.chance(0.05)) {
      return { kind: "leave out", entry: () => random.chance(0.3) };
    }
    return undefined;
  };
  pipeline.dynamodb.interfere = harm;
  pipeline.sqs.interfere = harm;
}

/** Everything goes well from here on. */
async function heal(pipeline: FaultyPipeline): Promise<void> {
  const { standIn, dynamodb, sqs } = pipeline;
  const { poison } = standIn.faults;
  Object.assign(standIn.faults, {
    outage: false,
    failShare: 0,
    throttleShare: 0,
    echoLossShare: 0,
    cutShare: 0,
    lateShare: 0,
    poison,
  });
  dynamodb.interfere = () => undefined;
  sqs.interfere = () => undefined;
  await standIn.acceptConnections();
  for (const apiSet of vendors) await pipeline.setUnionPassword(apiSet);
}

/** One vendor's day: submissions, then corrections and withdrawals of some cards while they are on their way. */
async function vendorDay(
  pipeline: FaultyPipeline,
  account: DemoAccount,
  cards: readonly SentCard[],
  { submissionSize }: ChaosOptions,
  random: SeededRandom,
): Promise<void> {
  const { run, standIn } = pipeline;
  const content = (sent: SentCard) =>
    minimalCard(standIn, { ExternalID: sent.externalId, Comment: `version ${sent.accepted.length + 1}` });
  const submit = async (some: readonly SentCard[]) => {
    const body = JSON.stringify(some.map(content));
    const { status, text } = await patiently(run.api, account, "POST", "ScorecardExchange", body);
    if (status !== 201) throw new Error(`A submission was answered ${status}.`);
    const echoed = JSON.parse(text) as unknown[];
    for (const [n, sent] of some.entries()) sent.accepted.push(echoed[n]);
  };
  const change = async (some: readonly SentCard[]) => {
    await delay(random.fraction() * 4000);
    const corrected = some.filter(() => random.chance(correctedShare));
    if (corrected.length > 0) await submit(corrected);
    const withdrawn = some.filter(() => random.chance(withdrawnShare));
    for (const sent of withdrawn) {
      const path = `ScorecardExchange/${encodeURIComponent(sent.externalId)}`;
      const { status } = await patiently(run.api, account, "DELETE", path);
      sent.withdrawal = { status, at: Date.now() };
    }
  };
  const changes: Promise<void>[] = [];
  for (let next = 0; next < cards.length; next += submissionSize) {
    const some = cards.slice(next, next + submissionSize);
    await submit(some);
    changes.push(change(some));
  }
  await Promise.all(changes);
}

/** Gives each vendor an endpoint: each refuses some events at first, and is slow now and then. */
async function subscribe({ run, accounts }: FaultyPipeline): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (const [place, account] of accounts.entries()) {
    const seen = new Set<unknown>();
    const endpoint = await startEndpoint(({ headers }) => {
      const id = headers["webhook-id"];
      const isFirst = !seen.has(id) && seen.add(id);
      return {
        status: isFirst && seen.size % 3 === place ? 500 : 204,
        afterMilliseconds: seen.size % 10 === 0 ? 300 : 0,
      };
    });
    endpoints.push(endpoint);
    const body = JSON.stringify({ url: endpoint.url });
    const { status } = await patiently(run.api, account, "POST", "Webhooks", body);
    if (status !== 201) throw new Error(`An endpoint was answered ${status}.`);
  }
  return endpoints;
}

/** The cards with an outcome that no event told of, once all events have had time to come. */
async function findUntold(
  { run, cards, accounts }: FaultyPipeline,
  endpoints: readonly Endpoint[],
): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const missing: string[] = [];
    for (const [place, { apiSet }] of accounts.entries()) {
      const told = new Set(
        (endpoints[place]?.received ?? []).flatMap(({ body }) => {
          const { data } = JSON.parse(body) as { data: { cards?: CardStatus[] } };
          return (data.cards ?? []).map(
            ({ externalId, version, state }) => `${version} ${state} ${externalId}`,
          );
        }),
      );
      const { outcomes } = await cardsInTable(cards, run.resource("ScorecardTable"), apiSet);
      missing.push(...outcomes.filter((outcome) => !told.has(outcome)));
    }
    // The messages of a killed run come back, and an event that was refused waits.
    if (missing.length === 0 || attempt === 200) return missing;
    await delay(500);
  }
}

/** Compares counts and lists with the table, as soon as they have followed it. @returns each difference in words */
async function findMiscounted(
  { run, cards, accounts }: FaultyPipeline,
  startedAt: number,
): Promise<string[]> {
  const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  // Days are those of the union's time zone, which is never further away.
  const days = `from=${day(startedAt - 86_400_000)}&to=${day(Date.now() + 86_400_000)}`;
  for (let attempt = 0; ; attempt++) {
    const differences = await Promise.all(
      accounts.map(async (account) => {
        const { apiSet } = account;
        const inTable = (await cardsInTable(cards, run.resource("ScorecardTable"), apiSet)).counted;
        const told = await cardsInActivity(run.api, account, days);
        const names = ["accepted", "delivered", "rejected", "undelivered", "withdrawn", "waiting"] as const;
        const counts = names.filter((name) => inTable[name] !== told[name]);
        const isListed = isDeepStrictEqual(inTable.externalIds, told.externalIds);
        return [
          ...counts.map((name) => `${apiSet}: ${name} ${inTable[name]} in the table, ${told[name]} told`),
          ...(isListed ? [] : [`${apiSet}: the list has ${told.externalIds.length} cards`]),
        ];
      }),
    );
    if (differences.flat().length === 0 || attempt === 60) return differences.flat();
    await delay(500);
  }
}

/**
 * Sends cards of three vendors through a pipeline of which everything fails at once: the exchange answers 500, 429, too
 * late, halfway or with cards missing, goes away altogether for a while, and refuses one vendor's credentials; tables
 * and queues throttle, take a part, cut connections and lose answers; and functions are killed at any point.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { assembly, seed, progress, patienceMilliseconds } = options;
  const startedAt = Date.now();
  const random = seededRandom(seed, "chaos");
  const pipeline = await startFaultyPipeline({ assembly, vendors, seed });
  const recorded = watchOutcomes(pipeline);
  const endpoints = await subscribe(pipeline);
  const { standIn, run } = pipeline;
  let kills = 0;
  try {
    const sent = Array.from({ length: options.cards }, (_, n): SentCard => {
      const poison = n % poisonEvery === 40 ? 422 : n % poisonEvery === 90 ? 500 : undefined;
      const externalId = `round ${n} / hole in one 🏌️`;
      return { apiSet: vendors[n % vendors.length] as string, externalId, accepted: [], poison };
    });
    for (const { externalId, poison } of sent) {
      if (poison !== undefined) standIn.faults.poison[externalId] = poison;
    }
    harmExchange(pipeline);
    harmEngines(pipeline, random, () => kills++);
    await pipeline.setUnionPassword(vendors[2], "forgotten");

    let raging = true;
    const rage = async () => {
      while (raging) {
        await delay(200 + random.fraction() * 800);
        if (run.killEnvironment(random.oneOf(functionsKilled))) kills++;
      }
    };
    const goAway = async () => {
      await delay(2000);
      await standIn.refuseConnections();
      await delay(4000);
      await standIn.acceptConnections();
      standIn.faults.outage = true;
      await delay(3000);
      standIn.faults.outage = false;
      await pipeline.setUnionPassword(vendors[2]);
    };
    const going = [rage(), goAway()];
    const started = performance.now();
    await Promise.all(
      pipeline.accounts.map((account) => {
        const own = sent.filter(({ apiSet }) => apiSet === account.apiSet);
        return vendorDay(pipeline, account, own, options, seededRandom(seed, account.apiSet));
      }),
    );
    progress(
      `all submissions answered 201 after ${Math.round((performance.now() - started) / 1000)} s, ${kills} kills`,
    );
    await going[1];
    raging = false;
    await going[0];
    await heal(pipeline);

    const until = Date.now() + patienceMilliseconds;
    let judgement = await judge(pipeline, sent, recorded);
    while (judgement.unsettled > 0 && Date.now() < until) {
      progress(`${judgement.unsettled} of ${options.cards} cards are still on their way`);
      await delay(1000);
      judgement = await judge(pipeline, sent, recorded);
    }
    // Corrections that had to wait are posted once more after they were delivered.
    await delay(postTiming(postTimeoutSeconds).lateFinish + postedOnceMoreMilliseconds);
    judgement = await judge(pipeline, sent, recorded);
    const miscounted = await findMiscounted(pipeline, startedAt);
    const untold = await findUntold(pipeline, endpoints);
    const requests = [...pipeline.dynamodb.counts.values(), ...pipeline.sqs.counts.values()];
    return {
      ...judgement,
      miscounted,
      untold,
      seconds: (Date.now() - startedAt) / 1000,
      kills,
      posts: standIn.requests.scorecards,
      requestsPerCard: requests.reduce((sum, one) => sum + one, 0) / options.cards,
    };
  } finally {
    for (const { stop } of endpoints) stop();
    await pipeline.stop();
  }
}
