import { afterAll, beforeAll, expect, test } from "vitest";
import { explainCard } from "../../core/golf/explain.ts";
import type { Scorecard } from "../../core/golf/scorecard.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { variants } from "../../local/pipeline/settings-variants.ts";
import { startEndpoint, type VendorEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { type PlayResult, play } from "../../local/sample/play.ts";
import { sampleTournament } from "../../local/sample/tournament.ts";
import { hurried } from "../hurried-settings.ts";
import { followRecords, type RecordsResult } from "../local/sample/player-records.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

let pipeline: Pipeline;
let endpoint: VendorEndpoint;
/** ExternalIDs of the cards that the union is told to lose, of those that it does not know the player of, and of all others. */
let lost: readonly string[];
let ofUnknownPlayers: readonly string[];
let others: readonly string[];
let result: PlayResult;
let records: RecordsResult;

const externalIdOf = ({ card }: { readonly card: object }) => String((card as Scorecard).ExternalID);
const losesEvery = 40;

/** The sample tournament of `npm start`, of which the union loses some cards. */
beforeAll(async () => {
  pipeline = await startPipeline({ assembly: await assemblyOf(variants.local(hurried)) });
  const { standIn, machine } = pipeline;
  endpoint = await startEndpoint();
  await pipeline.vendor(0).ask("POST", "Webhooks", JSON.stringify({ url: endpoint.url }));

  const { clubs, courses, members } = standIn;
  const now = new Date();
  const submissions = sampleTournament({
    clubs,
    courses,
    members,
    seed: 2026,
    run: "records",
    now,
    timeZone: "Europe/Copenhagen",
    country: "DK",
  });
  const good = submissions
    .flatMap(({ cards }) => cards)
    .flatMap(({ card, expected }) => (expected.kind === "delivered" ? [{ card, expected }] : []));
  ofUnknownPlayers = good.filter(({ expected }) => expected.warning).map(externalIdOf);
  lost = good
    .map(externalIdOf)
    .filter((name, place) => place % losesEvery === 0 && !ofUnknownPlayers.includes(name));
  others = good.map(externalIdOf).filter((name) => !lost.includes(name) && !ofUnknownPlayers.includes(name));
  Object.assign(standIn.faults, { unprocessed: lost });

  const { signal } = new AbortController();
  result = await play({ api: machine.run.api, vendors: demoVendors, submissions, signal });
  await standIn.process();
  Object.assign(standIn.faults, { latencyMilliseconds: 10 });
  records = await followRecords({
    api: machine.run.api,
    vendors: demoVendors,
    delivered: result.acceptedCards,
    check: () => machine.run.invoke("check-records", {}),
    differentialOf: (card) => explainCard(card as unknown as Scorecard)?.scoreDifferential ?? undefined,
    deadlineMilliseconds: 300_000,
    signal,
  });
});
afterAll(async () => {
  await endpoint?.stop();
  await pipeline?.stop();
});

/** The status of each card that was delivered. */
async function statuses() {
  const all = await Promise.all(
    ([0, 1, 2] as const).map(async (number) => {
      const { apiSet } = pipeline.vendor(number).account;
      const names = result.acceptedCards.filter((card) => card.apiSet === apiSet).map(externalIdOf);
      const parts = Array.from({ length: Math.ceil(names.length / 100) }, (_, part) =>
        names.slice(100 * part, 100 * part + 100),
      );
      const answers = await Promise.all(
        parts.map((part) =>
          pipeline
            .vendor(number)
            .ask("GET", `ScorecardExchange?${new URLSearchParams(part.map((name) => ["ExternalID", name]))}`),
        ),
      );
      return answers.flatMap(({ body }) => body.cards as Json[]);
    }),
  );
  return all.flat();
}
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
type Json = any;

test("every delivered card of the sample is found in the player's record, but those that the union loses, and they alone are not", async () => {
  expect(lost.length).toBeGreaterThan(4);
  expect(ofUnknownPlayers.length).toBeGreaterThan(0);
  expect(result.unexpected).toEqual([]);
  const all = await statuses();
  const named = (state: string) =>
    all.filter(({ record }) => record?.state === state).map(({ externalId }) => externalId);
  expect(named("recorded").sort()).toEqual([...others].sort());
  expect(named("not_recorded").sort()).toEqual([...lost, ...ofUnknownPlayers].sort());
  expect(records).toMatchObject({
    delivered: lost.length + ofUnknownPlayers.length + others.length,
    recorded: others.length,
    unknown: 0,
  });
});

test("a card that is not in the record is warned of with the likeliest cause", async () => {
  const all = await statuses();
  const warnedOf = (name: string | undefined) =>
    all
      .find(({ externalId }) => externalId === name)
      ?.warnings.find(({ code }: Json) => code === "not_recorded").detail;
  expect(warnedOf(ofUnknownPlayers[0])).toMatch(/The union knows no player with this number/);
  expect(warnedOf(lost[0])).toMatch(/may not have processed it yet/);
});

test("the Score Differentials are the union's", () => {
  expect(records.compared).toBe(others.length);
  expect(records.differences).toEqual([]);
});

test("the union is never asked for more than two records at the same time, and once a run for a player", () => {
  const { record, requests } = pipeline.standIn;
  expect(record.records.maxAtOnce).toBe(2);
  const players = new Set(
    result.acceptedCards.map(({ card }) => (card as unknown as Scorecard).Player.UnionID),
  );
  const looksAtLost = 4;
  expect(requests.records).toBeLessThan(
    // A card that was found is looked for once more.
    3 * players.size + looksAtLost * (lost.length + ofUnknownPlayers.length),
  );
});

test("the vendor is told by webhook and in its counts", async () => {
  const mine = result.acceptedCards
    .filter(({ apiSet }) => apiSet === pipeline.vendor(0).account.apiSet)
    .map(externalIdOf);
  const toldOf = (type: string) =>
    endpoint.received
      .map(({ body }) => JSON.parse(body))
      .filter((event) => event.type === type)
      .flatMap(({ data }) => data.cards.map(({ externalId }: Json) => externalId));
  const missing = [...lost, ...ofUnknownPlayers];
  await expect
    .poll(() => new Set(toldOf("scorecard.recorded")))
    .toEqual(new Set(mine.filter((name) => !missing.includes(name))));
  await expect
    .poll(() => new Set(toldOf("scorecard.not_recorded")))
    .toEqual(new Set(mine.filter((name) => missing.includes(name))));
  await expect
    .poll(async () => (await pipeline.vendor(0).ask("GET", "Activity")).body.totals)
    .toMatchObject({
      recorded: mine.filter((name) => !missing.includes(name)).length,
      notRecorded: mine.filter((name) => missing.includes(name)).length,
    });
});

test("a corrected card is looked for again", async () => {
  const [name] = lost;
  const sent = result.acceptedCards.find((card) => externalIdOf(card) === name);
  const number = ([0, 1, 2] as const).find((one) => pipeline.vendor(one).account.apiSet === sent?.apiSet);
  if (sent === undefined || number === undefined) throw new Error("The card was not sent.");
  Object.assign(pipeline.standIn.faults, { unprocessed: [] });
  const { ID, ...card } = sent.card as unknown as Scorecard & { readonly ID: string };
  await pipeline.vendor(number).submit([{ ...card, Comment: "sent again" }]);
  await expect
    .poll(
      async () => {
        await pipeline.machine.run.invoke("check-records", {});
        return (await pipeline.vendor(number).status(name ?? "")).record?.state;
      },
      { interval: 500 },
    )
    .toBe("recorded");
});
