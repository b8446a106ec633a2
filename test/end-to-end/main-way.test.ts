import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { playableTee } from "../../local/pipeline/minimal-card.ts";
import { providePipeline, receivedCards, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);
const { card } = pipeline;
const vendor = pipeline.vendor(0);
/** Sixteen strokes: 34 points for bogeys. */
const sixteen = { HCP: "158000", CourseHandicap: 16 };
const received = (externalId: string) => receivedCards(pipeline, vendor, externalId);

describe("a good card", () => {
  test("comes back whole, with its ID and every derived field, and is delivered like that", async () => {
    const answer = await vendor.submit([card("whole", sixteen)]);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("scorecard-warnings")).toMatch(/^\d+$/);
    const [echoed] = answer.body;
    expect(echoed).toMatchObject({
      ...card("whole", sixteen),
      Course: expect.objectContaining(card("whole").Course) as object,
      Result: expect.objectContaining(card("whole").Result) as object,
    });
    expect(echoed.ID).toMatch(/^[0-9a-f-]{36}$/i);
    expect(echoed.Course.Holes).toHaveLength(18);
    expect(echoed.Result.TotalStrokes).toBe(echoed.Course.TeePar + 18);
    expect(echoed.Result.TotalPoints).toBe(34);
    await expect.poll(() => vendor.states(["whole"])).toEqual(["delivered"]);
    expect(received("whole")).toEqual([echoed]);
  });

  test("sent again changes nothing and gets the same answer", async () => {
    const first = await vendor.submit([card("again")]);
    await expect.poll(() => vendor.states(["again"])).toEqual(["delivered"]);
    const { state, version, since, attempts } = await vendor.status("again");
    const second = await vendor.submit([card("again")]);
    expect([second.status, second.body]).toEqual([201, first.body]);
    await vendor.submit([card("after-again")]);
    await expect.poll(() => vendor.states(["after-again"])).toEqual(["delivered"]);
    expect(await vendor.status("again")).toMatchObject({ state, version, since, attempts });
  });

  test("corrected after its delivery is delivered again, with the earlier outcome kept", async () => {
    await vendor.submit([card("corrected")]);
    await expect.poll(() => vendor.states(["corrected"])).toEqual(["delivered"]);
    const correction = await vendor.submit([card("corrected", { Comment: "a stroke less" })]);
    await expect.poll(() => received("corrected").length).toBe(2);
    expect(received("corrected")[1]).toEqual(correction.body[0]);
    await expect
      .poll(() => vendor.status("corrected"))
      .toMatchObject({ state: "delivered", earlier: [{ state: "delivered" }] });
  });

  test.each([
    "a b",
    "a/b",
    "100%",
    "q?u=e&r#y",
    `"quotes" and 'more'`,
    "🏌️‍♀️ hole in one ⛳",
    "...",
    "#",
    "ÆØÅ\u0301",
    "a+b",
    "x".repeat(200),
  ])("named %s works in every path", async (externalId) => {
    expect((await vendor.submit([card(externalId)])).status).toBe(201);
    expect((await vendor.states([externalId]))[0]).not.toBe("unknown");
    const path = encodeURIComponent(externalId);
    expect((await vendor.ask("GET", `ScorecardExchange/${path}`)).body.externalId).toBe(externalId);
    await expect.poll(() => vendor.states([externalId])).toEqual(["delivered"]);
    // It was found: a delivered card cannot be withdrawn any more.
    expect((await vendor.ask("DELETE", `ScorecardExchange/${path}`)).status).toBe(409);
  });

  test.each([1, 100])("of %i KiB is taken", async (kibibytes) => {
    const Comment = "ø".repeat(kibibytes * 512 - 450);
    expect((await vendor.submit([card(`size-${kibibytes}`, { Comment })])).status).toBe(201);
    await expect.poll(() => vendor.states([`size-${kibibytes}`])).toEqual(["delivered"]);
  });

  test("is not taken under a name that is not UTF-8, which would be another card's, too", async () => {
    for (const name of ["SØ-1", "SÆ-1"]) {
      const latin = Buffer.from(JSON.stringify([card(name)]), "latin1");
      const { status, body } = await vendor.ask("POST", "ScorecardExchange", latin);
      expect([status, body.errors[0].code]).toEqual([422, "external_id_garbled"]);
    }
  });

  test("is not taken gzipped in part, or in another charset than UTF-8", async () => {
    const text = JSON.stringify([card("never-read")]);
    const half = gzipSync(text).subarray(0, 100);
    const cut = await vendor.ask("POST", "ScorecardExchange", half, { "Content-Encoding": "gzip" });
    const latin = { "Content-Type": "application/json; charset=iso-8859-1" };
    const submitted = await vendor.ask("POST", "ScorecardExchange", text, latin);
    const validated = await vendor.ask("POST", "ScorecardExchange/Validate", text, latin);
    for (const answer of [cut, submitted, validated]) {
      expect([answer.status, answer.body.detail]).toEqual([415, expect.stringContaining("JSON in UTF-8")]);
    }
    expect(cut.body.detail).toContain("whole");
  });
});

describe("a bad card", () => {
  const bad = (externalId: string) => {
    const { Result, Round } = card(externalId);
    return card(externalId, { Result: { ...Result, Strokes: [4, 5] }, Round: { ...Round, HolesPlayed: 2 } });
  };

  test("refuses the whole submission, with every fault of every card", async () => {
    const answer = await vendor.submit([card("fine"), bad("bad-1"), { ...bad("bad-2"), HCP: "many" }]);
    expect(answer.status).toBe(422);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const errors: { index: number; externalId: string; pointer: string; code: string }[] = answer.body.errors;
    expect(errors).toContainEqual(
      expect.objectContaining({
        index: 1,
        externalId: "bad-1",
        pointer: "/Result/Strokes",
        code: "strokes_count",
        expected: 18,
        received: 2,
      }),
    );
    expect(
      errors
        .filter(({ externalId }) => externalId === "bad-2")
        .map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(["/HCP", "/Result/Strokes"]);
    expect(await vendor.states(["fine", "bad-1"])).toEqual(["unknown", "refused"]);
  });

  test("with handling=lenient lets the good ones through", async () => {
    const answer = await vendor.submit([bad("lenient-bad"), card("lenient-good")], {
      Prefer: "handling=lenient",
    });
    expect(answer.status).toBe(207);
    expect(answer.headers.get("preference-applied")).toBe("handling=lenient");
    expect(answer.body).toMatchObject([
      { index: 0, externalId: "lenient-bad", status: 422, errors: [{ code: "strokes_count" }] },
      { index: 1, externalId: "lenient-good", status: 201, card: { ExternalID: "lenient-good" } },
    ]);
    expect((await vendor.states(["lenient-bad", "lenient-good"]))[0]).toBe("refused");
  });

  test("on a course that nobody has is called so, and nothing waits", async () => {
    const { course, tee } = playableTee(pipeline.standIn);
    const Course = { CourseID: crypto.randomUUID(), ClubID: course.ClubID, TeeID: tee.ID };
    const answer = await vendor.submit([card("nowhere", { Course })]);
    expect([answer.status, answer.body.errors[0].code]).toEqual([422, "course_unknown"]);
  });
});

describe("a vendor", () => {
  test("without the scorecards resource may read clubs and courses, and nothing else", async () => {
    const guide = pipeline.vendor(2);
    expect((await guide.ask("GET", "Clubs")).status).toBe(200);
    expect((await guide.submit([])).status).toBe(403);
    expect((await guide.ask("GET", "ScorecardExchange?ExternalID=x")).status).toBe(403);
  });

  test.each([
    "ScorecardExchange?ExternalID=x",
    "scorecardexchange?externalid=x",
    "/ScorecardExchange?EXTERNALID=x",
  ])("reaches %s in any case, empty segments passed over", async (path) => {
    expect((await vendor.ask("GET", path)).body).toEqual({ cards: [{ externalId: "x", state: "unknown" }] });
  });

  test("is told of a hundred cards in the order it asks for, unknown ones too", async () => {
    await vendor.submit([card("mine")]);
    const order = Array.from({ length: 99 }, (_, n) => `unknown-${(n * 37) % 99}`);
    const hundred = [...order.slice(0, 50), "mine", ...order.slice(50)];
    const { body } = await vendor.ask(
      "GET",
      `ScorecardExchange?${hundred.map((externalId) => `ExternalID=${externalId}`).join("&")}`,
    );
    expect(body.cards.map(({ externalId }: { externalId: string }) => externalId)).toEqual(hundred);
    expect(body.cards.filter(({ state }: { state: string }) => state !== "unknown")).toHaveLength(1);
  });

  test("is told which paths and parameters there are", async () => {
    const nowhere = await vendor.ask("GET", "Nowhere");
    expect(nowhere.body).toMatchObject({ status: 404, title: "No such path" });
    expect(nowhere.body.detail).toContain("openapi.json");
    expect((await vendor.ask("GET", "ScorecardExchange")).body).toMatchObject({ status: 400 });
    expect((await vendor.ask("GET", "ScorecardExchange?state=lost")).body.detail).toContain("undelivered");
    for (const question of ["?ExternalID=S%D8-1", "/S%D8-1", "/S%EF%BF%BD-1"]) {
      const { status, body } = await vendor.ask("GET", `ScorecardExchange${question}`);
      expect([status, body.detail]).toEqual([400, expect.stringContaining("is not percent-encoded UTF-8.")]);
    }
    const withState = await vendor.ask("GET", "ScorecardExchange?state=rejected&ExternalID=x");
    expect([withState.status, withState.body.title]).toEqual([400, "Which cards?"]);
    const many = Array.from({ length: 101 }, (_, n) => `ExternalID=${n}`).join("&");
    expect((await vendor.ask("GET", `ScorecardExchange?${many}`)).status).toBe(400);
  });

  test("is told the limits of a submission", async () => {
    const tooMany = await vendor.submit(Array(1001).fill({}));
    expect([tooMany.status, tooMany.body.limit]).toEqual([413, "1000 scorecards"]);
    const tooLarge = await vendor.ask("POST", "ScorecardExchange", `["${"x".repeat(5 * 1024 * 1024)}"]`);
    expect([tooLarge.status, tooLarge.body.limit]).toEqual([413, "5 MiB"]);
  });
});

test("a stored card is read before and after its delivery and after a correction, explained hole by hole", async () => {
  const read = async () => (await vendor.ask("GET", "ScorecardExchange/read-back/Card")).body;
  const [echoed] = (await vendor.submit([card("read-back", sixteen)])).body;
  const atOnce = await read();
  expect(["queued", "delivered"]).toContain(atOnce.state);
  expect(atOnce.card).toEqual(echoed);

  await expect.poll(async () => (await read()).state).toBe("delivered");
  const delivered = await read();
  expect(received("read-back")).toEqual([delivered.card]);
  const { holes, totalPoints } = delivered.derivation;
  expect(holes.map(({ points }: { points: number }) => points)).toEqual(echoed.Result.Points);
  expect(holes.map(({ strokes }: { strokes: number }) => strokes)).toEqual(echoed.Result.Strokes);
  expect(totalPoints).toBe(34);

  const Strokes = echoed.Result.Strokes.with(0, echoed.Result.Strokes[0] - 1);
  const [corrected] = (
    await vendor.submit([card("read-back", { ...sixteen, Result: { Strokes, IsQualifying: true } })])
  ).body;
  expect(await read()).toMatchObject({ card: corrected, derivation: { totalPoints: 35 } });
});
