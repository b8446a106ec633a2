import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dayOf } from "../../core/formats/union-time.ts";
import { provideCommand } from "../command/run-command.ts";
import { readPages, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

const { pipeline, command, card } = await provideCommand(sharedPipelineWithNewVendors);

const cards = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => card(`${name}-${place}`));
const today = () => dayOf(Date.now(), "Europe/Copenhagen");

/** All cards that a vendor sent today. */
const sentToday = (vendor: Vendor): Promise<{ externalId: string; state: string }[]> =>
  readPages(vendor, `ScorecardExchange?from=${today()}`, "cards");

test("a vendor sees what its cards did, by hour and day, and how long deliveries took", async () => {
  const vendor = pipeline.vendor(0);
  await vendor.submit(cards("counted", 130));
  await expect.poll(async () => (await vendor.ask("GET", "Activity")).body.totals.delivered).toBe(130);
  await vendor.submit([card("counted-0", { Comment: "a stroke less" })]);
  await expect.poll(async () => (await vendor.ask("GET", "activity")).body.totals.delivered).toBe(131);
  const { body } = await vendor.ask("GET", `Activity?from=${today()}&to=${today()}`);
  expect(body).toMatchObject({
    from: today(),
    to: today(),
    timeZone: "Europe/Copenhagen",
    waiting: { cards: 0 },
    totals: {
      accepted: 130,
      corrected: 1,
      delivered: 131,
      rejected: 0,
      deliverySeconds: { half: expect.any(Number) },
    },
  });
  const ofHours = body.hours.reduce((sum: number, hour: { delivered: number }) => sum + hour.delivered, 0);
  expect([body.days[0].delivered, ofHours]).toEqual([131, 131]);
});

test("a vendor lists all cards that it sent on a day with their states, in pages, and nobody else's", async () => {
  const vendor = pipeline.vendor(1);
  const names = cards("listed", 230).map(({ ExternalID }) => ExternalID);
  await vendor.submit(cards("listed", 230));
  await expect
    .poll(async () => (await sentToday(vendor)).map(({ externalId }) => externalId).toSorted())
    .toEqual(names.toSorted());
  await expect
    .poll(async () => new Set((await sentToday(vendor)).map(({ state }) => state)))
    .toEqual(new Set(["delivered"]));
  const page = await vendor.ask("GET", `ScorecardExchange?from=${today()}`);
  expect(page.body.cards.length).toBeLessThanOrEqual(100);
  const before = await vendor.ask("GET", "ScorecardExchange?from=2026-01-01&to=2026-01-31");
  expect(before.body).toEqual({ cards: [] });
});

test("every refused card is in the list and has its state, with the fault and what was sent", async () => {
  const vendor = pipeline.vendor(1);
  const bad = cards("refused", 30).map((one) => ({ ...one, HCP: "9990000" }));
  const answer = await vendor.submit([...bad, card("refused-not")], { Prefer: "handling=lenient" });
  expect(answer.status).toBe(207);
  const names = bad.map(({ ExternalID }) => ExternalID);
  const listed = await readPages(vendor, "Refusals?code=out_of_range", "refusals");
  const found = listed.filter(({ externalId }) => names.includes(externalId));
  expect(found.map(({ externalId }) => externalId).toSorted()).toEqual(names.toSorted());
  expect(found[0]).toMatchObject({
    at: expect.stringMatching(/Z$/),
    requestId: answer.headers.get("x-amzn-requestid"),
    pointer: "/HCP",
    detail: expect.any(String),
    received: "9990000",
  });
  const one = await vendor.ask("GET", "Refusals?externalId=refused-17");
  expect(one.body.refusals.map(({ index }: { index: number }) => index)).toEqual([17]);
  const state = await vendor.ask("GET", "ScorecardExchange/refused-29");
  expect([state.status, state.body]).toMatchObject([
    200,
    { state: "refused", requestId: found[0].requestId, errors: [{ index: 29, pointer: "/HCP" }] },
  ]);
  expect(await vendor.states(["refused-0", "never-sent"])).toEqual(["refused", "unknown"]);
  // Once it is accepted, its state is the card's.
  await vendor.submit([card("refused-0")]);
  expect((await vendor.states(["refused-0"]))[0]).not.toBe("refused");
  expect((await pipeline.vendor(0).ask("GET", "Refusals?externalId=refused-17")).body).toEqual({
    refusals: [],
  });
  for (const query of ["code=nonsense", "cursor=1", "externalId=a&externalId=b", "from=yesterday"]) {
    expect((await vendor.ask("GET", `Refusals?${query}`)).status).toBe(400);
  }
});

test("the command says which cards a file and the pipeline do not both have, and which differ", async () => {
  const vendor = pipeline.vendor(0);
  const { username } = vendor.account;
  const options = ["--username", username, "--json"];
  const there = ["same", "other", "only there"].map((name) => card(name));
  await vendor.submit(there);
  await expect
    .poll(async () => (await sentToday(vendor)).map(({ externalId }) => externalId))
    .toEqual(expect.arrayContaining(["same", "other", "only there"]));
  // In another order, which makes no difference.
  const same = Object.fromEntries(Object.entries(card("same")).toReversed());
  const here = [same, card("other", { Comment: "changed" }), card("only here"), card("bad", { HCP: "much" })];
  const file = join(command.folder, "own.json");
  await writeFile(file, JSON.stringify(here));

  const compared = await command.run(["reconcile", file, ...options]);
  expect(compared.code).toBe(1);
  expect(compared.json.slice(0, -1).map(({ found, externalId, card }) => [found, externalId, card])).toEqual([
    ["differs", "other", 2],
    ["missingThere", "only here", 3],
    ["refused", "bad", 4],
  ]);
  expect(compared.json[0].fields).toEqual(["/Comment"]);
  expect(compared.json.at(-1)).toMatchObject({ cards: 4, same: 1, missingHere: 0, finished: true });
  expect(compared.stdout).not.toContain(card("x").Player.UnionID);

  const listed = await command.run(["reconcile", file, ...options, "--from", today()]);
  const missingHere = listed.json.filter(({ found }) => found === "missingHere");
  expect(missingHere.map(({ externalId }) => externalId)).toContain("only there");
  expect(missingHere.map(({ externalId }) => externalId)).not.toContain("same");

  const shown = await command.run(["reconcile", file, "--username", username]);
  expect(shown.stdout).toMatch(/^Missing there: card 3, "only here", unknown\. Submit it\.$/m);
  expect(shown.stdout).toMatch(
    /^Would be refused: card 4, "bad", unknown, \S+ at \/HCP\. Correct it, then submit it\.$/m,
  );
  // As the pipeline answered it, with every total.
  const { card: filled } = (await vendor.ask("GET", "ScorecardExchange/same/Card")).body;
  await writeFile(file, JSON.stringify([filled]));
  const well = await command.run(["reconcile", file, "--username", username]);
  expect([well.code, well.stdout]).toEqual([
    0,
    expect.stringMatching(/^1 card in the file: the same 1 \(1 \w+\)\.$/m),
  ]);
});

test("days that cannot be listed end the comparison before the file is read", async () => {
  const file = join(command.folder, "unread.json");
  await writeFile(file, JSON.stringify([card("unread")]));
  const days = ["--from", "2026-01-01", "--to", "2026-06-01"];
  const { code, stdout, stderr } = await command.run(["reconcile", file, ...days]);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("31 days")]);
});
