import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { clientsOf } from "./local-clients.ts";
import { providePipeline, vendorOf } from "./pipeline.ts";
import { privateData } from "./private-data.ts";

const pipeline = await providePipeline();
const { card } = pipeline;
const vendor = pipeline.vendor(0);
const validate = (cards: readonly unknown[]) =>
  vendor.ask("POST", "ScorecardExchange/Validate", JSON.stringify(cards));

describe("Validate", () => {
  test("says the same, warnings too, without cards and derivations if the vendor wants the least", async () => {
    const sent = [
      card("least"),
      card("least-bad", { HCP: "12.4" }),
      card("least-doubtful", { CourseHandicap: 40 }),
    ];
    const [whole, least] = await Promise.all([
      validate(sent),
      vendor.ask("POST", "ScorecardExchange/Validate", JSON.stringify(sent), { Prefer: "return=minimal" }),
    ]);
    const found = whole.body.cards.map(
      ({ card: _, derivation: __, ...entry }: Record<string, unknown>) => entry,
    );
    expect(least.body).toEqual({ accepted: false, cards: found });
    expect(found[2].warnings).toMatchObject([{ code: "course_handicap_differs" }]);
    expect(JSON.stringify(least.body).length).toBeLessThan(JSON.stringify(whole.body).length / 4);
  });

  test("gives the hash that a submission and the card's status have, whatever the order of the fields", async () => {
    const sent = card("hashed");
    const turned = Object.fromEntries(Object.entries(sent).toReversed());
    const submitted = await vendor.submit([sent], { Prefer: "handling=lenient" });
    const { contentHash } = await vendor.status("hashed");
    const { body } = await validate([turned, card("hashed-2", { Comment: "another" })]);
    const hashes = body.cards.map((entry: { contentHash: string }) => entry.contentHash);
    expect([submitted.body[0].contentHash, hashes[0]]).toEqual([contentHash, contentHash]);
    expect(hashes[1]).not.toBe(contentHash);
  });

  test("says every fault of a bad card, and what a submission would have said, and keeps nothing", async () => {
    const bad = card("bad", { HCP: "12.4", Marker: {} });
    const { status, body } = await validate([card("good"), bad]);
    expect([status, body.accepted]).toEqual([200, false]);
    expect(body.cards[0]).toMatchObject({
      card: { ExternalID: "good" },
      derivation: { holes: { length: 18 } },
    });
    expect(await vendor.states(["good", "bad"])).toEqual(["unknown", "unknown"]);
    expect(body.cards.map((entry: { status: number }) => entry.status)).toEqual([201, 422]);
    const submitted = await vendor.submit([card("good"), bad]);
    expect(submitted.status).toBe(422);
    expect(body.cards[1].errors).toEqual(submitted.body.errors);
    expect(body.cards[1].errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "/HCP",
      "/Marker",
    ]);
  });

  test("answers for as many cards as a submission may have, good or bad", async () => {
    const many = Array.from({ length: 1_000 }, (_, place) => card(`many-${place}`));
    const { status, body } = await validate(many);
    expect([status, body.accepted, body.cards.length]).toEqual([200, true, 1_000]);
    const hole = { Number: "x", Par: "x", Index: "x", Length: "x", SPH: "x" };
    const holes = Array.from({ length: 18 }, () => hole);
    const bad = many.map((one) => ({
      ...one,
      Course: { ...(one as { Course: object }).Course, Holes: holes },
    }));
    const refused = await vendor.submit(bad);
    expect(refused.status).toBe(422);
    expect(refused.body.errors.length + refused.body.errorsLeftOut).toBe(90_000);
    const validated = await validate(bad);
    expect([validated.status, validated.body.cards.length]).toEqual([200, 1_000]);
  });
});

describe("the player check", () => {
  const stranger = { Player: { FullName: "Stranger Nobody", UnionID: "9999-4711" } };
  /** The codes of the warnings about players. */
  const warningsOf = ({ warnings = [] }: { warnings?: readonly { readonly code: string }[] }) =>
    warnings.map(({ code }) => code).filter((code) => code.startsWith("player"));

  test("a card of a player whom the union does not know is delivered, and has the warning within seconds", async () => {
    expect((await vendor.submit([card("of nobody", stranger), card("of somebody")])).status).toBe(201);
    const read = async () => {
      const status = await vendor.status("of nobody");
      return [status.state, status.attempts, warningsOf(status)];
    };
    await expect.poll(read).toEqual(["delivered", 1, ["player_unknown"]]);
    const known = await vendor.status("of somebody");
    expect([known.state, warningsOf(known)]).toEqual(["delivered", []]);
    // The union has taken both without a word, and calculates a handicap from one.
    expect((await pipeline.standIn.process()).vanished).toEqual({ player_unknown: 1 });
  });

  /** Another round of the same player on that day. */
  const later = (one: ReturnType<typeof card>) => {
    const StartTime = one.Round.StartTime.replace("T100000", "T160000");
    return { ...one, ExternalID: "known too", CreateDateTime: StartTime, Round: { ...one.Round, StartTime } };
  };

  test("Validate with players=1 says at once whom the union does not know", async () => {
    const body = JSON.stringify([card("asked", stranger), card("known"), later(card("known"))]);
    const answer = await vendor.ask("POST", "ScorecardExchange/Validate?players=1", body);
    expect([answer.status, answer.body.accepted]).toEqual([200, true]);
    expect(answer.body.players).toEqual({ known: 1, unknown: 1, unanswered: 0 });
    expect(answer.body.cards.map(warningsOf)).toEqual([["player_unknown"], [], []]);
    expect((await vendor.ask("POST", "ScorecardExchange/Validate?Players=2", body)).status).toBe(400);
    const many = JSON.stringify(Array.from({ length: 101 }, () => ({})));
    const refused = await vendor.ask("POST", "ScorecardExchange/Validate?players=1", many);
    expect([refused.status, refused.body.limit]).toEqual([413, "100 scorecards with players=1"]);
    expect((await validate([card("not asked", stranger)])).body.players).toBeUndefined();
  });

  test("an account that may not look members up is told nothing of them", async () => {
    const account = demoVendors.find(({ username }) => username === "round-share");
    if (account === undefined) throw new Error("There is no independent demo vendor.");
    const independent = vendorOf(pipeline.machine.run.api, account);
    const cards = [card("of an independent vendor", stranger)];
    const answer = await independent.ask(
      "POST",
      "ScorecardExchange/Validate?players=1",
      JSON.stringify(cards),
    );
    expect(answer.body.players).toEqual({ known: 0, unknown: 0, unanswered: 1 });
    expect(answer.body.cards.map(warningsOf)).toEqual([[]]);
    expect((await independent.submit(cards)).status).toBe(201);
    const metrics = () => pipeline.machine.run.metrics.all().map(({ name }) => name);
    await expect.poll(metrics).toContain("PlayersUnchecked");
    expect(warningsOf(await independent.status("of an independent vendor"))).toEqual([]);
  });

  test("no name and no number of a player is in a log, a metric or the key of an item", async () => {
    const { run } = pipeline.machine;
    const scan = new ScanCommand({ TableName: run.resource("ScorecardTable") });
    const { Items = [] } = await clientsOf(run).dynamodb.send(scan);
    const players = Items.filter(({ id }) => id?.S?.startsWith("player:"));
    expect(players).not.toEqual([]);
    const metrics = run.metrics.all().map(({ name, dimensions }) => JSON.stringify({ name, dimensions }));
    expect(metrics.join()).toContain("PlayersUnknown");
    const lines = [...pipeline.logs, ...metrics, ...players.map((item) => JSON.stringify(item))];
    const { members } = pipeline.standIn;
    const known = privateData(members, []);
    known.sent("", {}, [stranger]);
    expect(known.foundIn(lines)).toEqual([]);
  });
});
