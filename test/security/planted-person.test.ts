import { hash } from "node:crypto";
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { PurgeQueueCommand } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import { expect, test } from "vitest";
import { type Route, routes } from "../../api/routes.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { provideCommand } from "../command/run-command.ts";
import { sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { readSinks, type Sink } from "./read-sinks.ts";

/** A person whom nobody else of the run has the data of. No part of a text is encoded in an address. */
const planted = {
  name: "Zaphira O'Quillhaven",
  lifeTimeId: "231199-77Q",
  unionId: "977-4711",
  address: "Fairwayroad.3@planted.example",
  externalId: "planted-external",
  tournament: "Plantcup",
} as const;
type Kind = keyof typeof planted;
const kinds = Object.keys(planted) as Kind[];
const person = ["name", "lifeTimeId", "unionId", "address"] as const;

/** How a text looks in any place: as it is, in parts, and as a hash that could be guessed. */
const traces: Readonly<Record<Kind, readonly string[]>> = Object.fromEntries(
  kinds.map((kind) => {
    const text = planted[kind];
    const first = text.split(" ")[0] ?? text;
    const hashes = (["hex", "base64", "base64url"] as const).map((form) => hash("sha256", text, form));
    return [kind, [first, first.replace("-", ""), ...hashes.map((one) => one.slice(0, 12))]];
  }),
) as never;

/** What may be where, as docs/privacy.md says; nothing is elsewhere. */
const allowed: Readonly<Record<Sink, readonly Kind[]>> = {
  ScorecardTable: kinds,
  // Faults of refused cards name the card and its tournament, never its player.
  ActivityTable: ["externalId", "tournament"],
  // The vendor's own: the address of its endpoint.
  WebhookTable: ["address"],
  queues: ["externalId"],
  AccountTable: [],
  ClubTable: [],
  CourseTable: [],
  "logs, mails and the bus": [],
  metrics: [],
};

/** The name as other people's cards may have it. */
const spellings = [
  planted.name,
  "ZAPHIRA O’QUILLHAVEN",
  "O'Quillhaven, Zaphira",
  "OQuillhaven Zaphira",
  "Zaphira B. O'Quillhaven",
  "Z. O'Quillhaven",
  "Zaphira\u00a0O\u02bcQuill\u00adhaven",
  "Zaphira\u200bO'Quillhaven",
  "Zaphira_OQuillhaven",
  "ZaphiraO'Quillhaven",
  "Zaphi\u0301ra O-Quillhaven",
  "Ｚａｐｈｉｒａ Ｏ Ｑｕｉｌｌｈａｖｅｎ",
];
const toLetters = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{Ll}]+/gu, "");

const { pipeline, command, vendor, dynamodb, sqs } = await provideCommand(sharedPipelineWithNewVendors);

interface Found {
  readonly sink: Sink;
  readonly kind: Kind;
  /** The text with what is around it. */
  readonly context: string;
}

/** Which texts of the person are where; each once a place. */
async function findTraces(): Promise<Found[]> {
  const sinks = await readSinks(pipeline);
  return [...sinks].flatMap(([sink, text]) => {
    const lower = text.toLowerCase();
    return kinds.flatMap((kind) => {
      const places = traces[kind].map((trace) => lower.indexOf(trace.toLowerCase()));
      const at = places.find((place) => place >= 0);
      return at === undefined ? [] : [{ sink, kind, context: text.slice(Math.max(0, at - 200), at + 100) }];
    });
  });
}

const player = {
  FullName: planted.name,
  LifeTimeID: planted.lifeTimeId,
  UnionID: planted.unionId,
  HomeClubName: planted.address,
  [planted.name]: planted.unionId,
};

/** A card that has the person in every part. */
const plantedCard = (ExternalID: string, change: object = {}) => {
  const card = minimalCard(pipeline.standIn, { ExternalID });
  return {
    ...card,
    Player: player,
    Marker: player,
    Comment: Object.values(planted).join(", "),
    Round: { ...card.Round, TournamentName: planted.tournament },
    More: [{ [planted.lifeTimeId]: planted.name }],
    ...change,
  };
};

/** Cards of others, of which each names the person in another spelling. */
const cardsOfOthers = () =>
  spellings.flatMap((name, number) => [
    minimalCard(pipeline.standIn, { ExternalID: `of-another-${number}`, Comment: `with ${name}, 2 others` }),
    minimalCard(pipeline.standIn, { ExternalID: `marked-${number}`, Marker: { FullName: name } }),
  ]);

/** Cards that are refused, of which each names the person by its tournament and by a wrong value. */
const refusedCards = () =>
  spellings.map((name, number) => {
    const card = minimalCard(pipeline.standIn, { ExternalID: `refused-${number}`, HCP: "x" });
    const Round = { ...card.Round, TournamentName: `Cup of ${name}` };
    return { ...card, Round, Course: { ...card.Course, Country: name } };
  });

/** Cards of which each has a fault in another field of Player and Marker, whose values must not be kept. */
function* faultyCards() {
  for (const part of ["Player", "Marker"]) {
    for (const [number, field] of Object.keys(player).entries()) {
      for (const value of [[planted[kinds[2] as Kind]], { [planted.name]: planted.address }, 7]) {
        yield plantedCard(`${planted.externalId}-${part}-${number}-${typeof value}`, {
          [part]: { ...player, [field]: value },
          HCP: "x",
        });
      }
    }
  }
}

const query = new URLSearchParams([
  ...["ExternalID", "unionid", "lifetimeid", "name", "tournament", "from", "state", "after"].flatMap((name) =>
    kinds.map((kind) => [name, planted[kind]]),
  ),
  ...kinds.map((kind) => [planted[kind], kind]),
]).toString();

const headers = (kind: Kind) => ({
  ...Object.fromEntries(
    ["Token", "User-Agent", "Referer", "Cookie", "If-None-Match", "Prefer", "X-Request-Id", "Forwarded"].map(
      (name) => [name, planted[kind]],
    ),
  ),
  "X-Amzn-Trace-Id": `Root=1-67891233-abcdef012345678912345678;Self=${planted[kind]}`,
});

/** Every operation with the person in its path, query, headers and body. */
function* requests() {
  for (const route of Object.values<Route>(routes)) {
    for (const kind of kinds) {
      const path = route.path.replaceAll(/\{(?!apiset)\w+\}/g, encodeURIComponent(planted[kind]));
      const body = JSON.stringify({ ...planted, url: `https://${planted.address}/`, players: [player] });
      yield { kind, method: route.method, path, body: route.method === "GET" ? undefined : body };
    }
  }
}

test("a person in every field, path, query and header comes to rest only where the table of places says", async () => {
  const endpoint = await startEndpoint(() => ({ status: 500 }));
  const made = await vendor.ask(
    "POST",
    "Webhooks",
    JSON.stringify({ url: endpoint.url, headers: { "X-Contact": planted.address } }),
  );
  expect(made.status).toBe(201);
  let sent = 0;
  await pMap(
    requests(),
    async ({ kind, method, path, body }) => {
      sent += 1;
      const ask = path.startsWith("/{apiset}/") ? vendor.ask : pipeline.ask;
      await ask(method, `${path.replace(/^\/(\{apiset\}\/)?/, "")}?${query}`, body, headers(kind));
    },
    { concurrency: 4 },
  );
  const cards = [plantedCard(planted.externalId), plantedCard(`${planted.externalId}-2`, { Marker: {} })];
  const faulty = [...faultyCards()];
  const lenient = { Prefer: "handling=lenient" };
  const others = cardsOfOthers();
  const { status, body } = await vendor.submit([...cards, ...faulty, ...others], lenient);
  const accepted = body.filter((one: { status: number }) => one.status === 201).length;
  expect([status, accepted]).toEqual([207, 1 + others.length]);
  console.log(`${sent + cards.length + faulty.length} requests and cards with the person`);
  await expect.poll(() => vendor.status(planted.externalId)).toMatchObject({ state: "delivered" });
  const ofOthers = others.map(({ ExternalID }) => ExternalID);
  await expect.poll(() => vendor.states(ofOthers)).toEqual(others.map(() => "delivered"));
  await expect.poll(() => endpoint.received.length).toBeGreaterThan(0);
  endpoint.stop();

  const found = await findTraces();
  expect(found.filter(({ sink, kind }) => !allowed[sink].includes(kind))).toEqual([]);
  // What may be there is found, so the search works.
  const foundIn = (sink: Sink) => found.filter((one) => one.sink === sink).map(({ kind }) => kind);
  for (const sink of Object.keys(allowed) as Sink[])
    expect([sink, foundIn(sink)]).toEqual([sink, allowed[sink]]);
});

test("after it was erased, nothing of a person is anywhere", async () => {
  expect((await vendor.submit(refusedCards())).status).toBe(422);
  const table = pipeline.machine.run.resource("ScorecardTable");
  // No run posts a card that was delivered three hours ago.
  const since = { N: String(Date.now() - 3 * 3_600_000) };
  const change = { UpdateExpression: "SET since = :since", ExpressionAttributeValues: { ":since": since } };
  await scanInSegments(dynamodb, table, async (items) => {
    for (const { id } of items) {
      if (!id?.S?.startsWith(`${vendor.account.apiSet}#`)) continue;
      await dynamodb.send(new UpdateItemCommand({ TableName: table, Key: { id }, ...change }));
    }
  });
  const { webhooks } = (await vendor.ask("GET", "Webhooks")).body;
  for (const { id } of webhooks) await vendor.ask("DELETE", `Webhooks/${id}`);
  const states = () => vendor.states(cardsOfOthers().map(({ ExternalID }) => ExternalID));
  const last = await vendor.status(planted.externalId);
  const erase = (...also: string[]) =>
    command.run([
      ...["person", "erase", "--union-id", planted.unionId, "--lifetime-id", planted.lifeTimeId],
      ...["--name", planted.name, "--json", ...also],
    ]);
  const first = await erase();
  const mayBe = ["Zaphira B. O'Quillhaven", "Z. O'Quillhaven"];
  expect([first.code, first.stderr, first.json[0].mayBe.toSorted()]).toEqual([1, "", mayBe.toSorted()]);
  // Events that wait for an endpoint cannot be read: with them it is not complete.
  const purge = new PurgeQueueCommand({ QueueUrl: pipeline.machine.run.outputs.WebhookQueueUrl });
  const eraseAgain = () => sqs.send(purge).then(() => erase("--also", ...mayBe));
  await expect.poll(eraseAgain).toMatchObject({ code: 0, stderr: "" });
  const expectNowhere = async () => {
    const letters = [...(await readSinks(pipeline)).values()].map(toLetters);
    for (const spelling of spellings)
      expect(letters.filter((text) => text.includes(toLetters(spelling)))).toEqual([]);
  };
  await expectNowhere();

  // The vendor's next synchronization brings nothing back.
  const before = await states();
  const again = [plantedCard(planted.externalId), ...cardsOfOthers()];
  expect((await vendor.submit(again)).status).toBe(201);
  expect((await vendor.submit(refusedCards())).status).toBe(422);
  const { version, acceptedAt } = last;
  expect(await vendor.status(planted.externalId)).toMatchObject({ state: "delivered", version, acceptedAt });
  expect(await states()).toEqual(before);
  const found = (await findTraces()).filter(({ kind }) => (person as readonly Kind[]).includes(kind));
  expect(found).toEqual([]);
  await expectNowhere();
});
