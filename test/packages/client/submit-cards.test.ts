import { describe, expect, test } from "vitest";
import { submissionLimits } from "../../../core/cards/read-submission.ts";
import { ApiError, createClient, NoResponseError } from "../../../packages/client/index.ts";
import { inRequests, requestLimits } from "../../../packages/client/submit-cards.ts";
import { type FakeApiOptions, fakeApi } from "./fake-api.ts";

const vendor = { username: "greens", password: "secret:æ", apiSet: "greens app" };
const accepted: FakeApiOptions = { judge: () => "accepted" };

const texts = (count: number, more = "") =>
  Array.from({ length: count }, (_, number) => JSON.stringify({ ExternalID: `card-${number}`, more }));

async function* oneByOne<Item>(items: readonly Item[]) {
  yield* items;
}

test("requests stay within both limits, and a card that exceeds them is sent alone", async () => {
  const sizes: number[][] = [];
  const cards = [10, 10, 10, 8, 90, 200, 10].map((size) => (size === 8 ? "ææææ" : "x".repeat(size)));
  const limits = { cards: 3, bytes: 102 };
  for await (const request of inRequests(cards, () => true, limits)) {
    sizes.push(request.map(({ json }) => Buffer.byteLength(json)));
  }
  expect(sizes).toEqual([[10, 10, 10], [8, 90], [200], [10]]);
});

test("the limits of a request are those of the API", () => {
  expect(submissionLimits).toMatchObject(requestLimits);
});

describe("submit", () => {
  test("an array of any length is submitted, with one entry a card in its order", async () => {
    await using api = await fakeApi({
      judge: ({ ExternalID }) => (ExternalID === "card-1500" ? { code: "tee_unknown" } : "accepted"),
    });
    const client = createClient({ api: `${api.address}/`, ...vendor });
    const entries = await client.submit(texts(2_500));

    expect(entries.map(({ index }) => index)).toEqual(Array.from({ length: 2_500 }, (_, index) => index));
    expect(entries[1_499]).toMatchObject({ status: 201, card: { ID: "id of card-1499" } });
    expect(entries[1_500]).toMatchObject({ status: 422, errors: [{ index: 1_500, code: "tee_unknown" }] });
    expect(api.requests).toHaveLength(3);
    expect(api.requests[0]?.url).toBe("/test/greens%20app/ScorecardExchange");
  });

  test("a large request is compressed, and a small one is not", async () => {
    await using api = await fakeApi(accepted);
    const client = createClient({ api: api.address, ...vendor });
    await client.submit(texts(1));
    await client.submit(texts(100, "x".repeat(100)));
    expect(api.requests.map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip"]);
  });

  test("the text of a card is sent as it is, with every digit", async () => {
    await using api = await fakeApi(accepted);
    const card = '{ "ExternalID": "1", "HCP": 158000.0000000000000000001 }';
    await createClient({ api: api.address, ...vendor }).submit([card]);
    expect(api.requests[0]?.body).toBe(`[${card}]`);
  });

  test("cards may come one by one, and none is no request", async () => {
    await using api = await fakeApi(accepted);
    const client = createClient({ api: api.address, ...vendor });
    expect(await client.submit(oneByOne(texts(3)))).toHaveLength(3);
    expect(await client.submit([])).toEqual([]);
    expect(api.requests).toHaveLength(1);
  });

  test("an ExternalID that an earlier card has is refused before it becomes a correction", async () => {
    await using api = await fakeApi(accepted);
    const cards = [...texts(1_001), ...texts(1)];
    const entries = await createClient({ api: api.address, ...vendor }).submit(cards);
    expect(entries[0]).toMatchObject({ status: 201 });
    expect(entries[1_001]).toMatchObject({
      index: 1_001,
      externalId: "card-0",
      status: 422,
      errors: [{ index: 1_001, pointer: "/ExternalID", code: "duplicate_external_id" }],
    });
  });

  test("an API that is busy or unreachable for a while gets every card in the end", async () => {
    const before: FakeApiOptions["before"] = [503, "lost", 429, 504];
    await using api = await fakeApi({ ...accepted, before, retryAfter: "0" });
    expect(await createClient({ api: api.address, ...vendor }).submit(texts(30))).toHaveLength(30);
    expect(api.requests).toHaveLength(5);
  });

  test("a request that the API finds too large is split in two, down to a single card", async () => {
    await using api = await fakeApi({ ...accepted, before: [413, 413, 413] });
    const entries = await createClient({ api: api.address, ...vendor }).submit(texts(4));
    expect(entries.map(({ status }) => status)).toEqual([422, 201, 201, 201]);
    expect(entries[0]).toMatchObject({ errors: [{ code: "too_large" }] });
  });

  test("after an error, what was accepted is yielded before the error is thrown", async () => {
    await using api = await fakeApi({ ...accepted, before: [401] });
    const client = createClient({ api: api.address, ...vendor });
    let cards = 0;
    const submitted = (async () => {
      for await (const entries of client.submitInParts(texts(5_000), { parallel: 2 }))
        cards += entries.length;
    })();
    await expect(submitted).rejects.toMatchObject({ name: "ApiError", status: 401 });
    expect(cards).toBe(api.requests.length * 1_000 - 1_000);
    expect(api.requests.length).toBeLessThan(5);
  });

  test("an abort ends it with the signal's reason", async () => {
    await using api = await fakeApi(accepted);
    const signal = AbortSignal.abort(new Error("Enough."));
    const client = createClient({ api: api.address, ...vendor });
    await expect(client.submit(texts(1), { signal })).rejects.toThrow("Enough.");
  });
});

test("cards are validated in as many requests as they need, with the index of each card", async () => {
  await using api = await fakeApi({
    judge: ({ ExternalID }) => (ExternalID === "card-1001" ? { code: "tee_unknown" } : "accepted"),
  });
  const client = createClient({ api: api.address, ...vendor });
  const { accepted, cards } = await client.validate(texts(1_002), { players: true, minimal: true });
  expect(accepted).toBe(false);
  expect(cards).toHaveLength(1_002);
  expect(cards[1_001]).toMatchObject({ index: 1_001, status: 422, errors: [{ index: 1_001 }] });
  expect(api.requests[0]?.url).toMatch(/\/ScorecardExchange\/Validate\?players=1$/);
  expect(api.requests).toHaveLength(11);
  expect(api.requests[0]?.headers.prefer).toBe("return=minimal");
});

describe("credentials", () => {
  test("no error and no property of a client has the password", async () => {
    await using api = await fakeApi({ ...accepted, before: [401] });
    const client = createClient({ api: api.address, ...vendor });
    const refused: unknown = await client.submit(texts(1)).catch((error: unknown) => error);
    const nowhere = createClient({ api: "http://127.0.0.1:3/test", ...vendor, retrySeconds: 0 });
    const lost: unknown = await nowhere.clubs().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(lost).toBeInstanceOf(NoResponseError);
    const { inspect } = await import("node:util");
    const encoded = Buffer.from(`${vendor.username}:${vendor.password}`).toString("base64");
    for (const thing of [client, refused, lost]) {
      const shown = inspect(thing, { depth: 10, showHidden: true });
      expect(shown).not.toContain(vendor.password);
      expect(shown).not.toContain(encoded);
    }
    expect(api.requests[0]?.headers.authorization).toBe(`Basic ${encoded}`);
    expect(api.requests[0]?.url).not.toContain("secret");
  });

  test("a base address with credentials is refused without repeating them", () => {
    const api = "https://greens:secret@host/test";
    const create = () => createClient({ api, username: "greens", password: "secret" });
    expect(create).toThrow("`api` has credentials. Give them as `username` and `password`.");
  });

  test.each(["host/test", "ftp://host/test", ""])("%j is no base address", (api) => {
    expect(() => createClient({ api, ...vendor })).toThrow(TypeError);
  });
});
