import { isDeepStrictEqual } from "node:util";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import { commandFaults } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tournamentId } from "../../core/views/tournament.ts";
import type { TournamentCard } from "../../core/views/tournament-card.ts";
import type { StartListReport, TournamentSummary } from "../../core/views/tournament-report.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type Pipeline, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

let pipeline: Pipeline;
let vendor: Vendor;

beforeAll(async () => {
  pipeline = await sharedPipelineWithNewVendors();
  vendor = pipeline.vendor(0);
});
afterAll(() => pipeline?.stop());

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

const today = () => new Date().toISOString().slice(0, 10);

const read = async (name: string, of = vendor) =>
  (await of.ask("GET", `Tournaments/${encodeURIComponent(name)}`)).body;

/** All cards of a tournament, page by page. */
async function cardsOf(name: string): Promise<TournamentCard[]> {
  const found: TournamentCard[] = [];
  for (let query: string | undefined = ""; query !== undefined; ) {
    const path = `Tournaments/${encodeURIComponent(name)}/Scorecards${query}`;
    const { status, body } = await vendor.ask("GET", path);
    expect(status).toBe(200);
    found.push(...body.cards);
    query = body.next;
  }
  return found;
}

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
    refused: {
      cards: 1,
      corrections: 1,
      byFault: [{ code: "out_of_range", cards: 2 }],
      isComplete: true,
    },
  });
  const { latest } = body.refused;
  expect(latest).toMatchObject([
    { externalId: "cup-0", isCorrection: true, errors: [{ code: "out_of_range", pointer: "/HCP" }] },
    { externalId: "cup-bad", round: 2, day, isCorrection: false, errors: [{ code: "out_of_range" }] },
  ]);
  const found = await cardsOf(name);
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

test("a correction to another name or day moves the card, and a withdrawal stays in its tournament", async () => {
  await vendor.submit(cards("moves", 4, "Friday Cup"));
  await expect.poll(async () => (await read("Friday Cup")).totals?.delivered).toBe(4);
  await vendor.submit([card("moves-0", "Saturday Cup")]);
  const [plain] = cards("moves", 1, "Friday Cup");
  const earlier = { ...plain?.Round, StartTime: "20260101T100000" };
  await vendor.submit([card("moves-1", "Friday Cup", 1, { Round: earlier })]);
  await expect.poll(async () => (await read("Friday Cup")).totals?.cards).toBe(2);
  await expect.poll(async () => (await read("Saturday Cup")).totals?.delivered).toBe(1);
  const before = "Tournaments/Friday%20Cup?from=2025-12-31&to=2026-01-02";
  await expect.poll(async () => (await vendor.ask("GET", before)).body.totals?.cards).toBe(1);
  expect((await cardsOf("Friday Cup")).map(({ externalId }) => externalId).toSorted()).toEqual([
    "moves-2",
    "moves-3",
  ]);
  expect((await cardsOf("Saturday Cup")).map(({ externalId }) => externalId)).toEqual(["moves-0"]);
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

describe("a start list", () => {
  /** Three cards of three players, and the players' numbers. */
  const start = (name: string) => {
    const sent = Array.from({ length: 40 }, (_, place) => card(`${name}-${place}`, name));
    const byPlayer = new Map(sent.map((one) => [one.Player.UnionID, one]));
    return [...byPlayer.values()].slice(0, 3) as [(typeof sent)[0], (typeof sent)[0], (typeof sent)[0]];
  };
  const put = (name: string, day: string, list: object, of = vendor) =>
    of.ask("PUT", `Tournaments/${encodeURIComponent(name)}/Players?from=${day}`, JSON.stringify(list));
  const numberOf = ({ Player }: { Player: { UnionID: string } }) => Player.UnionID;
  const unlistedIn = async (name: string) =>
    (await read(name)).startLists[0].rounds[0].unlistedCards.toSorted();
  const missingIn = async (name: string) => {
    const { startLists } = await read(name);
    return startLists?.map(({ rounds }: StartListReport) =>
      rounds.map(({ round, missing, missingPlayers, unlisted }) => ({
        round,
        missing,
        labels: missingPlayers.map(({ label, index, reason }) => `${label ?? index} ${reason}`),
        unlisted,
      })),
    );
  };

  test("of a tournament to come is kept until 30 days after its last day", async () => {
    const [one] = start("Next Month Cup");
    const last = new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await put("Next Month Cup", last, { players: [{ unionId: numberOf(one) }] });
    expect([status, Date.parse(body.expiresAt)]).toEqual([200, Date.parse(last) + 31 * 86_400_000]);
  });

  test("tells by round whose card is missing, by labels and without numbers, also of cards that are corrected or sent to another spelling of the number", async () => {
    const name = "Start List Cup";
    const [one, two, three] = start(name);
    const day = dayOf(one);
    const players = [
      { unionId: `0${numberOf(one)}`, label: "17" },
      { unionId: numberOf(two), label: "18" },
      { unionId: numberOf(three) },
    ];
    const answer = await put(name, day, { rounds: [1, 2], players });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ from: day, to: day, rounds: [1, 2], players: 3 });
    const days = (Date.parse(answer.body.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);

    const all = ["17 not_sent", "18 not_sent", "2 not_sent"];
    expect(await read(name)).toMatchObject({ name, totals: { cards: 0 }, rounds: [] });
    expect(await missingIn(name)).toEqual([
      [1, 2].map((round) => ({ round, missing: 3, labels: all, unlisted: 0 })),
    ]);
    await vendor.submit([one, two, card("second", name, 2, { Player: three.Player })]);
    await expect
      .poll(() => missingIn(name))
      .toEqual([
        [
          { round: 1, missing: 1, labels: ["2 not_sent"], unlisted: 0 },
          { round: 2, missing: 2, labels: ["17 not_sent", "18 not_sent"], unlisted: 0 },
        ],
      ]);
    // The card was of another player after all.
    await vendor.submit([{ ...two, Player: three.Player }]);
    await expect.poll(async () => (await missingIn(name))?.[0][0].labels).toEqual(["18 not_sent"]);
    const text = JSON.stringify(await read(name));
    // A number is not a part of a date, as 10-27 is of 2026-10-27.
    for (const { unionId } of players) expect(text).not.toMatch(new RegExp(`(?<![\\d-])${unionId}(?!\\d)`));
  });

  test("has its tournament listed with its players before the first card came, and after it", async () => {
    const name = "Awaited Cup";
    const [one, two] = start(name);
    const from = new Date(Date.parse(dayOf(one)) - 86_400_000).toISOString().slice(0, 10);
    const to = dayOf(one);
    const players = [{ unionId: numberOf(one) }, { unionId: numberOf(two) }];
    const path = `Tournaments/${encodeURIComponent(name)}/Players?from=${from}&to=${to}`;
    expect((await vendor.ask("PUT", path, JSON.stringify({ rounds: [2], players }))).status).toBe(200);
    const listed = async (query: string, of = vendor) =>
      (await of.ask("GET", `Tournaments?${query}`)).body.tournaments
        .filter((entry: { name?: string }) => entry.name === name)
        .map(({ day, cards, startList }: Record<string, unknown>) => ({ day, cards, startList }));
    const startList = { from, to, rounds: [2], players: 2 };
    expect(await listed(`from=${from}&to=${to}`)).toEqual([{ day: from, cards: 0, startList }]);
    // Of days after its first one it is on the first of these.
    expect(await listed(`from=${to}&to=${to}`)).toEqual([{ day: to, cards: 0, startList }]);
    expect(await listed(`from=${from}&to=${to}`, pipeline.vendor(1))).toEqual([]);
    await vendor.submit([one]);
    await expect
      .poll(() => listed(`from=${from}&to=${to}`))
      .toEqual([
        { day: to, cards: 1, startList: undefined },
        { day: from, cards: 0, startList },
      ]);
    expect(await listed(`from=${to}&to=${to}`)).toEqual([{ day: to, cards: 1, startList }]);
  });

  test("is replaced whole by the next one of its days, and can be removed", async () => {
    const name = "Replaced Cup";
    const [one, two, three] = start(name);
    const day = dayOf(one);
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    await vendor.submit([one, three]);
    await put(name, day, { players: [{ unionId: numberOf(one), label: "1" }] });
    await expect.poll(() => missingIn(name)).toEqual([[{ round: 1, missing: 0, labels: [], unlisted: 1 }]]);
    const path = `Tournaments/${encodeURIComponent(name)}/Players`;
    const list = { players: [{ unionId: numberOf(two), label: "2" }] };
    const longer = `${path}?from=${before}&to=${day}`;
    expect((await vendor.ask("PUT", longer, JSON.stringify(list))).status).toBe(200);
    expect(await missingIn(name)).toEqual([[{ round: 1, missing: 1, labels: ["2 not_sent"], unlisted: 2 }]]);
    expect(await unlistedIn(name)).toEqual([one.ExternalID, three.ExternalID].toSorted());
    expect((await vendor.ask("DELETE", `${path}?from=${day}`)).status).toBe(204);
    expect(await read(name)).not.toHaveProperty("startLists");
    const again = await vendor.ask("DELETE", `${path}?from=${day}`);
    expect([again.status, again.body.title]).toEqual([404, "No start list"]);
  });

  test("of a vendor is nothing of another vendor's tournament with the same name", async () => {
    const name = "Common Cup";
    const [one] = start(name);
    const day = dayOf(one);
    const other = pipeline.vendor(1);
    const list = { players: [{ unionId: numberOf(one), label: "1" }] };
    expect((await put(name, day, list)).status).toBe(200);
    expect((await other.ask("GET", "Tournaments/Common%20Cup")).status).toBe(404);
    expect((await other.ask("DELETE", `Tournaments/Common%20Cup/Players?from=${day}`)).status).toBe(404);
    await other.submit([one]);
    await expect.poll(async () => (await read(name, other)).totals?.cards).toBe(1);
    expect(await read(name, other)).not.toHaveProperty("startLists");
    expect((await missingIn(name))?.[0]).toMatchObject([{ missing: 1 }]);
  });

  test.each([
    ["without days", "", 400],
    ["with a day far ahead", "?from=2099-07-04", 400],
    ["with days that are none", "?from=2026-13-04", 400],
    ["with days given twice", `?from=${today()}&from=${today()}`, 400],
    ["with a player twice", `?from=${today()}`, 422],
  ])("%s is refused, and nothing is stored", async (_, query, status) => {
    const list = { players: [{ unionId: "32-1" }, { unionId: "032-01" }] };
    const answer = await vendor.ask("PUT", `Tournaments/Refused/Players${query}`, JSON.stringify(list));
    expect(answer.status).toBe(status);
    expect((await vendor.ask("GET", "Tournaments/Refused")).status).toBe(404);
  });

  test("is sent and removed with the client package, which throws with the faults of its players", async () => {
    const name = "Client Cup";
    const [one] = start(name);
    const client = createClient({ ...vendor.account, api: pipeline.machine.run.api });
    const days = { from: dayOf(one) };
    const unionId = numberOf(one);
    const list = await client.putStartList(name, days, { players: [{ unionId, label: "7" }] });
    expect(list).toMatchObject({ ...days, to: days.from, players: 1 });
    const { startLists } = await client.tournament(name, days);
    expect(startLists?.[0]?.rounds[0]?.missingPlayers).toEqual([
      { index: 0, label: "7", reason: "not_sent" },
    ]);
    const players = [{ unionId }, { unionId }];
    await expect(client.putStartList(name, days, { players })).rejects.toMatchObject({
      status: 422,
      problem: { players: [{ index: 1, pointer: "/players/1/unionId" }] },
    });
    await client.removeStartList(name, days);
    await expect(client.removeStartList(name, days)).rejects.toMatchObject({ status: 404 });
  });

  test("of a tournament that is named by its ID is the same as by its name", async () => {
    const name = "Named / Cup";
    const [one] = start(name);
    const id = tournamentId(name);
    const list = { players: [{ unionId: numberOf(one) }] };
    expect((await put(id, dayOf(one), list)).body).toMatchObject({ id });
    expect(await read(name)).toMatchObject({ id, startLists: [{ rounds: [{ missing: 1 }] }] });
    expect(await read(name)).not.toHaveProperty("name");
    const other = await put(id, dayOf(one), { ...list, name: "Another Cup" });
    expect([other.status, other.body.title]).toEqual([400, "Which tournament?"]);
    expect((await put(id, dayOf(one), { ...list, name: " Named /  Cup" })).status).toBe(200);
    expect(await read(name)).toMatchObject({ id, name });
  });
});

test.each([
  "Tournaments?after=nowhere",
  "Tournaments?after=2026-07-04%23name",
  "Tournaments/Cup/Scorecards?after=1",
  "Tournaments?from=2026-07-04&to=2026-07-03",
  "Tournaments/Cup?from=2026-01-01&to=2026-07-03",
])("%s is refused with 400", async (path) => {
  expect((await vendor.ask("GET", path)).status).toBe(400);
});

// Last: the exchange is down for this vendor from here on.
test("a card that waits and is withdrawn is counted as what it is at each time", async () => {
  commandFaults(pipeline.standIn.faultsOfVendor(vendor.account.apiSet), { outage: true });
  await vendor.submit(cards("waits", 3, "Rainy Cup"));
  await expect.poll(async () => (await read("Rainy Cup")).totals?.waiting).toBe(3);
  const first = card("waits-0", "Rainy Cup");
  const list = { players: [{ unionId: first.Player.UnionID, label: "1" }] };
  const path = `Tournaments/Rainy%20Cup/Players?from=${dayOf(first)}`;
  expect((await vendor.ask("PUT", path, JSON.stringify(list))).status).toBe(200);
  const { status } = await vendor.ask("DELETE", "ScorecardExchange/waits-0");
  const state = status === 204 ? "withdrawn" : "waiting";
  await expect
    .poll(async () => (await read("Rainy Cup")).totals)
    .toMatchObject({
      cards: 3,
      waiting: status === 204 ? 2 : 3,
      [state]: status === 204 ? 1 : 3,
    });
  const { startLists } = await read("Rainy Cup");
  expect(startLists[0].rounds).toMatchObject([
    {
      missing: status === 204 ? 1 : 0,
      missingPlayers: status === 204 ? [{ label: "1", reason: "withdrawn" }] : [],
    },
  ]);
  const states = (await cardsOf("Rainy Cup")).map((one) => one.state === "withdrawn");
  expect(states.filter(Boolean)).toHaveLength(status === 204 ? 1 : 0);
});
