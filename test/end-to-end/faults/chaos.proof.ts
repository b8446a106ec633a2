import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CardStatus } from "../../../api/card-schemas.ts";
import { storedCard } from "../../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { isFinal } from "../../../core/cards/life/states.ts";
import { minimalCard } from "../../../local/pipeline/minimal-card.ts";
import { startEndpoint, type VendorEndpoint } from "../../../local/pipeline/webhook-endpoint.ts";
import { hurried } from "../../hurried-settings.ts";
import { proofSeed, proofSize } from "../../proofs/proof-seed.ts";
import { assemblyOf } from "../../synthesized-stack.ts";
import type { Interference, ProxiedRequest } from "./engine-proxy.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

const cardCount = 180 + 60 * proofSize;
const seed = proofSeed ?? 7;
const submissionSize = 25;
const settles = { timeout: 90_000 + 100 * cardCount, interval: 1000 };
const functionsKilled = ["deliver-scorecards", "submit-scorecards", "follow-outcomes", "deliver-webhooks"];
const vendors = ["chaos-one", "chaos-two", "chaos-three"] as const;

/** What a vendor knows of a card it has sent. */
interface SentCard {
  readonly apiSet: string;
  readonly externalId: string;
  /** What each answer 201 echoed, in order; the last one is to be delivered. */
  readonly accepted: unknown[];
  /** Status that the exchange answers to every post with a bad card. */
  readonly poison: number | undefined;
  withdrawal?: { readonly status: number; readonly at: number };
}

const random = seededRandom(seed, "chaos");
const endpoints = new Map<string, VendorEndpoint>();
let pipeline: FaultyPipeline;
let kills = 0;

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: await assemblyOf(), vendors, seed });
});
afterAll(async () => {
  for (const { stop } of endpoints.values()) stop();
  await pipeline?.stop();
});

/** Sends a vendor's request until it has an answer that is no failure of ours. */
async function ask(apiSet: string, method: string, path: string, body?: unknown) {
  const { username, password } = pipeline.vendor(apiSet).account;
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  for (;;) {
    try {
      const answer = await fetch(`${pipeline.run.api}/${apiSet}/${path}`, {
        method,
        headers: { Authorization },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status < 500 && answer.status !== 429) return { status: answer.status, text };
    } catch {
      // The connection was cut: the same again.
    }
    await delay(100 + Math.random() * 300);
  }
}

function kill(functionName: string): void {
  if (pipeline.run.killEnvironment(functionName)) kills++;
}

/** What the engines do wrong, and at which of their requests a function dies. */
function harm({ operation, body }: ProxiedRequest): Interference | undefined {
  // Submission and withdrawal make versions; delivery records what became of one.
  const isOfDelivery = body.includes("UPDATE ") && !body.includes('SET \\"version\\"');
  if (operation.startsWith("Batch") && random.chance(0.01))
    kill(isOfDelivery ? "deliver-scorecards" : "submit-scorecards");
  if (operation === "SendMessageBatch" && random.chance(0.01)) kill("submit-scorecards");
  if (operation === "UpdateItem" && random.chance(0.2)) kill("follow-outcomes");
  if (operation === "GetItem" && random.chance(0.05)) kill("deliver-webhooks");
  if (random.chance(0.01)) return { kind: "cut" };
  if (operation.startsWith("Batch") && random.chance(0.03))
    return { kind: "refuse", error: "ProvisionedThroughputExceededException" };
  // An answer of ReceiveMessage that is lost only hides its messages until their time is over.
  if (operation !== "ReceiveMessage" && random.chance(0.01)) return { kind: "lose answer" };
  if (operation.includes("Batch") && random.chance(0.05))
    return { kind: "leave out", entry: () => random.chance(0.3) };
  return undefined;
}

/** Gives a vendor an endpoint, which refuses some events at first, and is slow now and then. */
async function subscribe(apiSet: string, place: number): Promise<void> {
  const seen = new Set<unknown>();
  const endpoint = await startEndpoint(({ headers }) => {
    const id = headers["webhook-id"];
    const isFirst = !seen.has(id) && seen.add(id);
    return {
      status: isFirst && seen.size % 3 === place ? 500 : 204,
      afterMilliseconds: seen.size % 10 === 0 ? 300 : 0,
    };
  });
  endpoints.set(apiSet, endpoint);
  expect((await ask(apiSet, "POST", "Webhooks", { url: endpoint.url })).status).toBe(201);
}

/** One vendor's day: submissions, then corrections and withdrawals of some cards while they are on their way. */
async function vendorDay(apiSet: string, cards: readonly SentCard[]): Promise<void> {
  const chances = seededRandom(seed, apiSet);
  const submit = async (some: readonly SentCard[]) => {
    const contents = some.map(({ externalId, accepted }) => {
      const Comment = `version ${accepted.length + 1}`;
      return minimalCard(pipeline.standIn, { ExternalID: externalId, Comment });
    });
    const { status, text } = await ask(apiSet, "POST", "ScorecardExchange", contents);
    expect(status).toBe(201);
    for (const [n, echoed] of (JSON.parse(text) as unknown[]).entries()) some[n]?.accepted.push(echoed);
  };
  const change = async (some: readonly SentCard[]) => {
    await delay(chances.fraction() * 4000);
    const corrected = some.filter(() => chances.chance(0.15));
    if (corrected.length > 0) await submit(corrected);
    for (const sent of some.filter(() => chances.chance(0.03))) {
      const path = `ScorecardExchange/${encodeURIComponent(sent.externalId)}`;
      sent.withdrawal = { status: (await ask(apiSet, "DELETE", path)).status, at: Date.now() };
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

/** Everything fails at once while the vendors have their day, and nothing any more when it is over. */
async function chaos(sent: readonly SentCard[]): Promise<void> {
  const { standIn, dynamodb, sqs } = pipeline;
  const none = { failShare: 0, throttleShare: 0, echoLossShare: 0, cutShare: 0, lateShare: 0 };
  const shares = {
    failShare: 0.3,
    throttleShare: 0.05,
    echoLossShare: 0.02,
    cutShare: 0.05,
    lateShare: 0.05,
  };
  Object.assign(standIn.faults, shares, { lateMilliseconds: 1500 });
  for (const engine of [dynamodb, sqs]) engine.interfere = harm;
  await pipeline.setUnionPassword(vendors[2], "forgotten");
  let isRaging = true;
  const rage = async () => {
    while (isRaging) {
      await delay(200 + random.fraction() * 800);
      kill(random.oneOf(functionsKilled));
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
  const days = vendors.map((name) =>
    vendorDay(name, Map.groupBy(sent, ({ apiSet }) => apiSet).get(name) ?? []),
  );
  const raging = rage();
  await Promise.all([goAway(), ...days]);
  isRaging = false;
  await raging;
  Object.assign(standIn.faults, none);
  for (const engine of [dynamodb, sqs]) engine.interfere = () => undefined;
}

/** All cards of the table, by vendor and name. */
async function cardsInTable(): Promise<Map<string, StoredCard>> {
  const cards = new Map<string, StoredCard>();
  const scan = { TableName: pipeline.run.resource("ScorecardTable"), ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: pipeline.cards }, scan)) {
    for (const card of Items.map(storedCard)) {
      if (card !== undefined) cards.set(`${card.apiSet}: ${card.externalId}`, card);
    }
  }
  return cards;
}

const nameOf = ({ apiSet, externalId }: SentCard) => `${apiSet}: ${externalId}`;
const statusOf = ({ externalId, version, state }: CardStatus | StoredCard) =>
  `${version} ${state} ${externalId}`;

/** Whether a card is in the state that it, and what was wrong with it, calls for. */
function belongs({ poison, withdrawal }: SentCard, state = "unknown"): boolean {
  if (withdrawal?.status === 204) return state === "withdrawn";
  // A bad card is rejected once others have shown often enough that the exchange works.
  if (poison !== undefined) return state === "rejected" || state === "retrying";
  return state === "delivered";
}

/** What does not hold of a card, by what the exchange has received. */
function* violations(card: SentCard, state: string | undefined) {
  const { apiSet, externalId, accepted, withdrawal } = card;
  const entries = pipeline.standIn.received.filter(
    (entry) => entry.apiSet === apiSet && (entry.card as { ExternalID: string }).ExternalID === externalId,
  );
  const versions = entries.map((entry) => accepted.findIndex((one) => isDeepStrictEqual(one, entry.card)));
  if (state === "delivered" && versions.at(-1) !== accepted.length - 1)
    yield `${nameOf(card)} is not delivered as it was accepted last`;
  if (versions.some((version, n) => version < (versions[n - 1] ?? 0)))
    yield `${nameOf(card)} came in an older content after a newer one`;
  if (entries.some(({ at }) => withdrawal?.status === 204 && at.getTime() > withdrawal.at))
    yield `${nameOf(card)} came after its withdrawal`;
}

const counted = ["accepted", "delivered", "rejected", "undelivered", "withdrawn"] as const;

/** What the API tells of a vendor's cards since yesterday: every card of its list, and its counts. */
async function toldByApi(apiSet: string) {
  const day = (fromToday: number) => new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);
  // Days are those of the union's time zone, which is never further away.
  const days = `?from=${day(-1)}&to=${day(1)}`;
  const { totals, waiting } = JSON.parse((await ask(apiSet, "GET", `Activity${days}`)).text);
  const listed: string[] = [];
  for (let query: string | undefined = days; query !== undefined; ) {
    const { text } = await ask(apiSet, "GET", `ScorecardExchange${query}`);
    const page: { cards: CardStatus[]; next?: string } = JSON.parse(text);
    listed.push(...page.cards.map(statusOf));
    query = page.next;
  }
  return [...listed, ...counted.map((state) => `${totals[state]} ${state}`), `${waiting.cards} waiting`];
}

/** The same of the table, with the earlier outcomes of each card. */
function toldByTable(cards: readonly StoredCard[]) {
  const ends = cards.flatMap(({ state, earlier }) => [{ state: "accepted" }, ...earlier, { state }]);
  const count = (wanted: string) => ends.filter(({ state }) => state === wanted).length;
  const waiting = cards.filter(({ state }) => !isFinal(state)).length;
  return [
    ...cards.map(statusOf),
    ...counted.map((state) => `${count(state)} ${state}`),
    `${waiting} waiting`,
  ];
}

test(
  "under all faults at once every accepted card ends where it belongs, nothing is stale, counts and lists are those of the table, and every outcome is told",
  async () => {
    await Promise.all(vendors.map(subscribe));
    const sent = Array.from({ length: cardCount }, (_, n): SentCard => {
      const poison = n % 150 === 40 ? 422 : n % 150 === 90 ? 500 : undefined;
      const apiSet = vendors[n % vendors.length] as string;
      return { apiSet, externalId: `round ${n} / hole in one 🏌️`, accepted: [], poison };
    });
    for (const { externalId, poison } of sent) {
      if (poison !== undefined) pipeline.standIn.faults.poison[externalId] = poison;
    }
    await chaos(sent);
    const unsettled = async () => {
      const cards = await cardsInTable();
      return sent.filter((card) => !belongs(card, cards.get(nameOf(card))?.state)).map(nameOf);
    };
    await expect.poll(unsettled, settles).toEqual([]);
    // Corrections that had to wait are posted once more after they were delivered.
    await delay(postTiming(hurried.timing.post).lateFinish + 5000);

    const stored = await cardsInTable();
    expect(await unsettled()).toEqual([]);
    expect(sent.flatMap((card) => [...violations(card, stored.get(nameOf(card))?.state)])).toEqual([]);
    const own = async (apiSet: string) =>
      [...(await cardsInTable()).values()].filter((card) => card.apiSet === apiSet);
    for (const apiSet of vendors) {
      const different = async () =>
        new Set(await toldByApi(apiSet)).symmetricDifference(new Set(toldByTable(await own(apiSet))));
      await expect.poll(different, settles).toEqual(new Set());
      const untold = async () => {
        const events = (endpoints.get(apiSet)?.received ?? []).map(({ body }) => JSON.parse(body));
        const told = new Set(events.flatMap(({ data }) => (data.cards ?? []).map(statusOf)));
        const ended = (await own(apiSet)).filter(({ state }) => isFinal(state));
        return ended.map(statusOf).filter((status) => !told.has(status));
      };
      // The messages of a killed run come back, and an event that was refused waits.
      await expect.poll(untold, settles).toEqual([]);
    }
    const states = Map.groupBy(stored.values(), ({ state }) => state);
    expect(states.get("delivered")?.length).toBeGreaterThan(200);
    expect([...(states.get("rejected") ?? []), ...(states.get("retrying") ?? [])]).not.toEqual([]);
    expect(kills).toBeGreaterThan(5);
  },
  600_000 + 200 * cardCount,
);
