import { isDeepStrictEqual } from "node:util";
import { commandFaults } from "@scorecard-pipeline/stand-in";
import { expect, test } from "vitest";
import type { TournamentCard, TournamentSummary } from "../../api/tournaments.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { providePipeline, readPages, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);
const vendor = pipeline.vendor(0);

const lenient = { Prefer: "handling=lenient" };

/** A card of a tournament. */
function card(ExternalID: string, TournamentName: string, TournamentRoundNumber = 1, change: object = {}) {
  const plain = minimalCard(pipeline.standIn, { ExternalID });
  return { ...plain, Round: { ...plain.Round, TournamentName, TournamentRoundNumber }, ...change };
}
const cards = (prefix: string, count: number, name: string, round?: number) =>
  Array.from({ length: count }, (_, place) => card(`${prefix}-${place}`, name, round));
const bad = { HCP: "9990000" };
/** The cards' day of play. */
const dayOf = ({ Round }: ReturnType<typeof card>) =>
  Round.StartTime.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3");

const read = async (name: string, of = vendor) =>
  (await of.ask("GET", `Tournaments/${encodeURIComponent(name)}`)).body;

test("a tournament's cards are counted by round and state, and those to be mended are listed with their faults", async () => {
  const name = "Midsummer Cup";
  const [first] = cards("cup", 1, name);
  const refused = card("cup-bad", name, 2, bad);
  const { status } = await vendor.submit(
    [...cards("cup", 12, name), ...cards("cup2", 5, name, 2), refused, card("cup-mended", name, 1, bad)],
    lenient,
  );
  expect(status).toBe(207);
  expect((await vendor.submit([card("cup-mended", name)])).status).toBe(201);
  expect((await vendor.submit([card("cup-0", name, 1, bad)])).status).toBe(422);
  await expect.poll(async () => (await read(name)).totals?.delivered).toBe(18);
  const body = await read(name);
  const day = first && dayOf(first);
  const counts = { waiting: 0, rejected: 0, undelivered: 0, withdrawn: 0 };
  expect(body).toMatchObject({
    name,
    timeZone: "Europe/Copenhagen",
    totals: { cards: 18, delivered: 18, ...counts },
    rounds: [
      { day, round: 1, cards: 13, delivered: 13, ...counts },
      { day, round: 2, cards: 5, delivered: 5, ...counts },
    ],
    refused: { cards: 1, corrections: 1, byFault: [{ code: "out_of_range", cards: 2 }], isComplete: true },
  });
  const { latest } = body.refused;
  expect(latest).toMatchObject([
    { externalId: "cup-0", isCorrection: true, errors: [{ code: "out_of_range", pointer: "/HCP" }] },
    { externalId: "cup-bad", round: 2, day, isCorrection: false, errors: [{ code: "out_of_range" }] },
  ]);
  const path = `Tournaments/${encodeURIComponent(name)}/Scorecards`;
  const found: TournamentCard[] = await readPages(vendor, path, "cards");
  expect(found.map(({ externalId }) => externalId).toSorted()).toEqual(
    [
      ...Array.from({ length: 12 }, (_, n) => `cup-${n}`),
      ...Array.from({ length: 5 }, (_, n) => `cup2-${n}`),
      "cup-mended",
    ].toSorted(),
  );
  const shown = found.find(({ externalId }) => externalId === "cup2-3");
  expect(shown).toMatchObject({ state: "delivered", round: 2 });
  const list = (await vendor.ask("GET", "Tournaments")).body;
  const summary = list.tournaments.find((one: TournamentSummary) => one.name === name);
  expect(summary).toMatchObject({ id: body.id, day, rounds: [1, 2], cards: 18, delivered: 18, refused: 1 });
});

test("Validate tells of a round that waits under another ExternalID of its tournament", async () => {
  const held = pipeline.vendor(1);
  const faults = pipeline.standIn.faultsOfVendor(held.account.apiSet);
  commandFaults(faults, { outage: true });
  const waiting = card("held", "Held Cup");
  await held.submit([waiting]);
  const validate = async () => {
    const body = JSON.stringify([{ ...waiting, ExternalID: "held again" }]);
    const answer = await held.ask("POST", "ScorecardExchange/Validate?players=1", body);
    return answer.body.cards[0].warnings ?? [];
  };
  await expect.poll(validate).toMatchObject([{ code: "round_seen" }]);
  expect(await held.states(["held"])).toEqual(["retrying"]);
  commandFaults(faults, { outage: false });
});

test.each([
  ["slashes, hashes and signs that mean something in a URL", "a/b#c?d=%2F&e ~+"],
  ["characters beyond the first plane", "🏌️‍♀️ Årets pokal"],
  ["a name that is the parent's folder in a path", ".."],
])("a tournament is found by its ID whatever its name is: %s", async (_, name) => {
  await vendor.submit(cards(`named ${name.length}`, 2, name));
  const found = async (): Promise<TournamentSummary[]> =>
    (await vendor.ask("GET", "Tournaments")).body.tournaments.filter(
      (one: TournamentSummary) => one.name === name,
    );
  await expect.poll(async () => (await found()).map(({ delivered }) => delivered)).toEqual([2]);
  const [summary] = await found();
  const byId = await vendor.ask("GET", `Tournaments/${summary?.id}`);
  expect([byId.status, byId.body.name, byId.body.totals.cards]).toEqual([200, name, 2]);
  if (name === "..") return;
  // A warning that is found after the delivery may be counted between two requests.
  await expect
    .poll(async () => {
      const { body } = await vendor.ask("GET", `Tournaments/${summary?.id}`);
      return isDeepStrictEqual(await read(name), body);
    })
    .toBe(true);
});

test("a tournament of which every card is refused is listed, and another vendor sees none of it", async () => {
  const refused = cards("all-bad", 3, "Bad Cup").map((one) => ({ ...one, ...bad }));
  expect((await vendor.submit(refused)).status).toBe(422);
  const listed = async (of: Vendor) =>
    (await of.ask("GET", "Tournaments")).body.tournaments.filter(
      (one: TournamentSummary) => one.name === "Bad Cup",
    );
  expect(await listed(vendor)).toMatchObject([{ cards: 0, refused: 3, rounds: [] }]);
  expect(await read("Bad Cup")).toMatchObject({ totals: { cards: 0 }, rounds: [], refused: { cards: 3 } });
  const other = pipeline.vendor(1);
  expect(await listed(other)).toEqual([]);
  const { status, body } = await other.ask("GET", "Tournaments/Bad%20Cup");
  expect([status, body.title]).toEqual([404, "No such tournament"]);
  expect((await other.ask("GET", "Tournaments/Midsummer%20Cup/Scorecards")).body).toEqual({ cards: [] });
});

test("a tournament whose cards were all refused weeks after it was played is listed, and its page has them", async () => {
  const name = "Late Cup";
  const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  const StartTime = `${day.replaceAll("-", "")}T100000`;
  const refused = cards("late", 2, name).map((one) => ({
    ...one,
    ...bad,
    Round: { ...one.Round, StartTime },
  }));
  expect((await vendor.submit(refused)).status).toBe(422);
  const { tournaments } = (await vendor.ask("GET", "Tournaments")).body;
  const found = tournaments.filter((one: TournamentSummary) => one.name === name);
  expect(found).toMatchObject([{ day, cards: 0, refused: 2 }]);
  const days = `from=${day}&to=${day}`;
  const { status, body } = await vendor.ask("GET", `Tournaments/${found[0].id}?${days}`);
  expect([status, body.refused?.cards]).toEqual([200, 2]);
  const ofDay = (await vendor.ask("GET", `Tournaments?${days}`)).body.tournaments;
  expect(ofDay).toMatchObject([{ id: found[0].id, refused: 2 }]);
});
