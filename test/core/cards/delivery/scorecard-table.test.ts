import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiSet } from "../../../../core/accounts/account.ts";
import type { Item } from "../../../../core/aws/batch.ts";
import {
  storedCard as readItem,
  type ScorecardTable,
  scorecardTable,
} from "../../../../core/cards/delivery/scorecard-table.ts";
import type { CardChange, StoredCard } from "../../../../core/cards/life/card.ts";
import { contentOf } from "../../../../core/cards/life/card-content.ts";
import { type RunningDynamoDb, startEmbedded, startEngine, tables } from "../../aws/engine.ts";
import { fullCard } from "../../golf/sample-cards.ts";
import { scorecardsInMemory } from "../../memory/scorecards.ts";
import { green, key, red, start, storedCard } from "../../memory/stored-card.ts";

/** A table of cards to hold to the contract. */
interface StartedTable {
  readonly table: ScorecardTable;
  stop(): Promise<void>;
}

async function onDynamoDb(start: () => Promise<RunningDynamoDb>): Promise<StartedTable> {
  const engine = await startEngine(start);
  await engine.createTable(tables.scorecards);
  return { table: scorecardTable(tables.scorecards.TableName, engine.client), stop: engine.stop };
}

/** Whatever keeps cards: engines that run DynamoDB, and the table in memory that other tests rely on. */
const implementations: readonly { readonly name: string; start(): Promise<StartedTable> }[] = [
  { name: "on the embedded DynamoDB", start: () => onDynamoDb(startEmbedded) },
  {
    name: "in memory",
    start: async () => ({ table: scorecardsInMemory().table, stop: async () => undefined }),
  },
];

/** The change that stores a card for the first time. */
function insertion({ apiSet, externalId, ...set }: StoredCard): CardChange {
  return { apiSet, externalId, set };
}

const failure = { phase: "after", status: 503, message: "busy, \u00e6\u00f8\u00e5" } as const;
const warning = { index: 0, externalId: "1", pointer: "/HCP", code: "out_of_range", detail: "…" } as const;

describe.each(implementations)("a table of cards $name", ({ start: startTable }) => {
  let started: StartedTable;
  let table: ScorecardTable;
  beforeAll(async () => {
    started = await startTable();
    table = started.table;
  });
  afterAll(() => started.stop());

  let cards = 0;
  /** A card of its own, which is stored like this. */
  async function stored(given: Partial<StoredCard> = {}): Promise<StoredCard> {
    const card = storedCard(`own-${++cards}`, given);
    expect(await table.write([insertion(card)])).toEqual(["written"]);
    return card;
  }
  const read = async (card: Pick<StoredCard, "apiSet" | "externalId">) => (await table.read([card]))[0];
  const about = ({ content: _, ...card }: StoredCard) => card;
  const change = (
    { apiSet, externalId }: StoredCard,
    expects: CardChange["expects"],
    set: CardChange["set"],
  ): CardChange => ({ apiSet, externalId, ...(expects && { expects }), set });

  test("gives a card back as it was stored", async () => {
    const content = contentOf({ ExternalID: "1", Result: { Strokes: [4, 5, 3] } }, [warning]);
    const card = await stored({ content });
    const found = await read(card);
    expect(found && about(found)).toMatchObject(about(card));
    expect(found?.content.text()).toBe(content.text());
    expect(found?.content.warnings()).toEqual([warning]);
  });

  test("gives every field of a card back", async () => {
    const card = await stored({
      version: 7,
      contentSince: 6,
      contentAt: start - 1,
      state: "retrying",
      since: start + 1,
      mustWait: true,
      attempts: 3,
      suspicion: 2.5,
      atExchange: 5,
      maybeAtExchange: 6,
      earlierContents: [{ since: 2, hash: "four strokes" }],
      nextAttemptAt: start + 2,
      failure,
      playerUnknown: true,
      laterWarnings: [{ code: "round_seen", other: "416" }, { code: "handicap_status" }],
      earlier: [{ version: 6, state: "delivered", at: start }],
    });
    const found = await read(card);
    expect(found && about(found)).toEqual(about(card));
  });

  test("finds nothing of a card that is not stored, and no card under a name that none can have", async () => {
    const card = await stored();
    const keys = [key("none"), key(""), key("x".repeat(257)), key("\ud83c"), card];
    expect((await table.read(keys)).map(({ externalId }) => externalId)).toEqual([card.externalId]);
  });

  test("stores a card for the first time once only", async () => {
    const card = await stored();
    expect(await table.write([insertion({ ...card, contentHash: "four strokes" })])).toEqual(["lost"]);
    expect(await read(card)).toMatchObject({ contentHash: "five strokes" });
  });

  test("changes what a change names, removes what it names as undefined, and leaves the rest", async () => {
    const card = await stored({ state: "retrying", attempts: 2, nextAttemptAt: start, failure });
    const set = {
      state: "delivered",
      since: start + 1,
      nextAttemptAt: undefined,
      failure: undefined,
    } as const;
    const expects = { version: 1, states: ["queued", "retrying"] } as const;
    expect(await table.write([change(card, expects, set)])).toEqual(["written"]);
    const found = await read(card);
    expect(found && about(found)).toEqual(about({ ...card, ...set }));
    expect(found?.content.text()).toBe(card.content.text());
  });

  test.each<[string, CardChange["expects"]]>([
    ["has another version", { version: 2, states: ["queued"] }],
    ["is in another state", { version: 1, states: ["retrying", "delivered"] }],
    ["is in its state since another time", { version: 1, states: ["queued"], since: start + 1 }],
    ["is known to be at the exchange otherwise", { version: 1, states: ["queued"], atExchange: 1 }],
    ["may be at the exchange otherwise", { version: 1, states: ["queued"], maybeAtExchange: 1 }],
  ])("leaves a card alone that %s than the writer has read", async (_, expects) => {
    const card = await stored();
    expect(await table.write([change(card, expects, { state: "rejected" })])).toEqual(["lost"]);
    expect(await read(card)).toMatchObject({ state: "queued", version: 1 });
  });

  test("changes a card of which everything is as the writer has read it", async () => {
    const card = await stored({ atExchange: 1, maybeAtExchange: 2 });
    const expects = {
      version: 1,
      states: ["queued"],
      since: start,
      atExchange: 1,
      maybeAtExchange: 2,
    } as const;
    expect(await table.write([change(card, expects, { atExchange: 3 })])).toEqual(["written"]);
    expect(await read(card)).toMatchObject({ atExchange: 3, state: "queued" });
  });

  test("changes no card that is not there", async () => {
    const expects = { version: 1, states: ["queued"] } as const;
    const gone = storedCard("gone");
    expect(await table.write([change(gone, expects, { state: "delivered" })])).toEqual(["lost"]);
    expect(await read(gone)).toBeUndefined();
  });

  test("makes each of many changes by itself, and says in order what became of each", async () => {
    const many = Array.from({ length: 60 }, (_, n) => storedCard(`many-${n}`));
    await table.write(many.filter((_, n) => n % 3 === 0).map(insertion));
    const results = await table.write(many.map(insertion));
    expect(results).toEqual(many.map((_, n) => (n % 3 === 0 ? "lost" : "written")));
    expect(await table.read(many)).toHaveLength(60);
  });

  test("makes several changes of one card in order, each of what the one before has left", async () => {
    const card = await stored();
    const other = storedCard("beside");
    const expects = { version: 1, states: ["queued"] } as const;
    const changes = [
      change(card, expects, { atExchange: 1 }),
      insertion(other),
      change(card, { ...expects, atExchange: 1 }, { atExchange: 2 }),
      change(card, { ...expects, atExchange: 1 }, { atExchange: 3 }),
    ];
    expect(await table.write(changes)).toEqual(["written", "written", "written", "lost"]);
    expect(await read(card)).toMatchObject({ atExchange: 2 });
  });

  test("makes nothing of no changes", async () => {
    expect([await table.write([]), await table.read([])]).toEqual([[], []]);
  });

  test("lets exactly one of several writers win who have read the same", async () => {
    const card = await stored();
    const expects = { version: 1, states: ["queued"] } as const;
    const writes = Array.from({ length: 8 }, (_, n) =>
      table.write([change(card, expects, { version: n + 2 })]),
    );
    const results = (await Promise.all(writes)).flat();
    expect(results.filter((result) => result === "written")).toHaveLength(1);
    expect((await read(card))?.version).toBe(results.indexOf("written") + 2);
  });

  test("keeps apart the cards of two vendors with the same ExternalID", async () => {
    const card = await stored();
    const other = { ...card, apiSet: red };
    expect(await read(other)).toBeUndefined();
    await table.write([insertion({ ...other, contentHash: "other" })]);
    expect([(await read(card))?.contentHash, (await read(other))?.contentHash]).toEqual([
      "five strokes",
      "other",
    ]);
  });

  test.each(["a b", "a/b", 'quote"\\', "it's", "🏌️‍♀️ hole in one", "#", "x".repeat(256), "ÆØÅ".repeat(66)])(
    "keeps the ExternalID %s as it is, in the list by state too",
    async (externalId) => {
      const card = storedCard(externalId, { state: "rejected" });
      expect(await table.write([insertion(card)])).toEqual(["written"]);
      expect((await read(card))?.externalId).toBe(externalId);
      expect((await table.inState(green, "rejected", 100)).externalIds).toContain(externalId);
    },
  );

  test("reads 250 cards in one call, each once", async () => {
    const many = Array.from({ length: 250 }, (_, n) => storedCard(`hundreds-${n}`));
    await table.write(many.map(insertion));
    const found = await table.read([...many, ...many.slice(0, 10)]);
    expect(found.map(({ externalId }) => externalId).toSorted()).toEqual(
      many.map(({ externalId }) => externalId).toSorted(),
    );
  });

  describe("lists the cards that somebody should look at", () => {
    const listed = async (state: Parameters<ScorecardTable["inState"]>[1], apiSet = green) =>
      (await table.inState(apiSet, state, 100)).externalIds;

    test("page by page, newest first, of one vendor only", async () => {
      const all = Array.from({ length: 7 }, (_, n) =>
        storedCard(`u${n}`, { apiSet: red, state: "undelivered", since: start + n }),
      );
      await table.write([...all, storedCard("other", { state: "undelivered" })].map(insertion));
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await table.inState(red, "undelivered", 3, after);
        expect(page.externalIds.length).toBeLessThanOrEqual(3);
        found.push(...page.externalIds);
        after = page.next;
      } while (after !== undefined);
      expect(found).toEqual(["u6", "u5", "u4", "u3", "u2", "u1", "u0"]);
    });

    test.each<[string, CardChange["set"], Parameters<ScorecardTable["inState"]>[1], boolean]>([
      ["one that was refused", { state: "rejected" }, "rejected", true],
      ["one that was given up", { state: "undelivered" }, "undelivered", true],
      ["one that failed by itself", { state: "retrying", suspicion: 0 }, "retrying", true],
      [
        "one that was withdrawn and has reached the exchange",
        { state: "withdrawn", atExchange: 1 },
        "withdrawn",
        true,
      ],
      ["one that was withdrawn and may have", { state: "withdrawn", maybeAtExchange: 1 }, "withdrawn", true],
      ["not one that was withdrawn in time", { state: "withdrawn" }, "withdrawn", false],
      ["not one that an outage holds up", { state: "retrying", suspicion: undefined }, "retrying", false],
    ])("%s", async (_, set, state, isListed) => {
      const card = await stored();
      await table.write([change(card, { version: 1, states: ["queued"] }, { since: start + 1, ...set })]);
      expect((await listed(state)).includes(card.externalId)).toBe(isListed);
    });

    test.each(["delivered", "queued", "withdrawn"] as const)("not one that is %s by now", async (state) => {
      const card = await stored({ state: "retrying", suspicion: 0 });
      expect(await listed("retrying")).toContain(card.externalId);
      await table.write([change(card, { version: 1, states: ["retrying"] }, { state, since: start + 1 })]);
      expect(await listed("retrying")).not.toContain(card.externalId);
    });

    test("still, when it is noted that the exchange may have it", async () => {
      const card = await stored({ state: "rejected" });
      await table.write([change(card, { version: 1, states: ["rejected"] }, { maybeAtExchange: 1 })]);
      expect(await listed("rejected")).toContain(card.externalId);
    });
  });

  describe("keeps a vendor's breaker", () => {
    const open = { since: start, failure, nextProbeAt: start + 2000 };

    test("closed until it is opened, and apart from another vendor's", async () => {
      expect((await table.readWithBreaker(green, [])).breaker).toEqual({ version: 0, open: undefined });
      const written = await table.writeBreaker(green, { version: 0 }, open);
      expect(written).toEqual({ version: 1, open });
      expect((await table.readWithBreaker(green, [])).breaker).toEqual(written);
      expect((await table.readWithBreaker(red, [])).breaker).toMatchObject({ version: 0 });
    });

    test("from being changed by a run that has not seen its last change", async () => {
      const breaker = (await table.readWithBreaker(red, [])).breaker;
      const claimed = { ...open, probing: "417" };
      const claims = await Promise.all([1, 2, 3].map(() => table.writeBreaker(red, breaker, claimed)));
      expect(claims.filter((claim) => claim !== undefined)).toEqual([
        { version: breaker.version + 1, open: claimed },
      ]);
    });

    test("with times that stay until they change", async () => {
      const blue = "blue" as ApiSet;
      const { breaker } = await table.readWithBreaker(blue, []);
      const times = { closedAt: start, allBackAt: start + 5000, delaysToday: true };
      const first = await table.writeBreaker(blue, breaker, undefined, times);
      expect((await table.readWithBreaker(blue, [])).breaker).toEqual({
        version: 1,
        open: undefined,
        ...times,
      });
      if (first === undefined) throw new Error("It was not written.");
      await table.writeBreaker(blue, first, open, { allBackAt: undefined });
      const { allBackAt: _, ...left } = times;
      expect((await table.readWithBreaker(blue, [])).breaker).toEqual({ version: 2, open, ...left });
    });

    test("when it is closed and opened again", async () => {
      const breaker = (await table.readWithBreaker(green, [])).breaker;
      const openedAt = breaker.open?.since;
      const closed = await table.writeBreaker(green, breaker, undefined, { openedAt });
      expect((await table.readWithBreaker(green, [])).breaker).toEqual({
        version: breaker.version + 1,
        open: undefined,
        openedAt,
      });
      if (closed === undefined) throw new Error("It was not closed.");
      expect(await table.writeBreaker(green, closed, open)).toMatchObject({ version: breaker.version + 2 });
    });
  });
});

test("an item that is no card is none: a vendor's breaker has no ExternalID", () => {
  expect(readItem({ id: { S: "green" }, version: { N: "1" } })).toBeUndefined();
  expect(readItem({ id: { S: "green#a#b" } })).toMatchObject({
    apiSet: green,
    externalId: "a#b",
    earlier: [],
  });
});

/** What an item weighs. @see DynamoDB developer guide, Item sizes and formats */
function bytesOf(item: Item): number {
  const value = ({ S, N, B }: Item[string]) =>
    S === undefined
      ? N === undefined
        ? (B?.byteLength ?? 1)
        : Math.ceil(N.length / 2) + 1
      : Buffer.byteLength(S);
  return Object.entries(item).reduce((sum, [name, one]) => sum + name.length + value(one), 0);
}

test("a full card takes one write unit of 1 KB when it is stored, and one when it is delivered", async () => {
  const engine = await startEngine();
  await engine.createTable(tables.scorecards);
  const table = scorecardTable(tables.scorecards.TableName, engine.client, 400);
  const weight = async () => {
    const id = { S: "green#spring-open-2026-r1-0417" };
    const { Item = {} } = await engine.client.send(
      new GetItemCommand({ TableName: tables.scorecards.TableName, Key: { id } }),
    );
    return bytesOf(Item);
  };
  const stored = storedCard("spring-open-2026-r1-0417", {
    content: contentOf(fullCard({ ID: crypto.randomUUID() })),
    contentHash: "x".repeat(43),
    requestId: crypto.randomUUID(),
  });
  await table.write([insertion(stored)]);
  expect(await weight()).toBeLessThan(1024);
  const expects = { version: 1, states: ["queued"] } as const;
  await table.write([
    {
      ...key(stored.externalId),
      expects,
      set: { state: "delivered", since: start, attempts: 1, atExchange: 1 },
    },
  ]);
  expect(await weight()).toBeGreaterThan(500);
  expect(await weight()).toBeLessThan(1024);
  await engine.stop();
});
