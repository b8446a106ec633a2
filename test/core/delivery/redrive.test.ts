import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { DeadLetter } from "../../../core/delivery/dead-letters.ts";
import { type QueuedCard, readMessage, writeMessage } from "../../../core/delivery/message.ts";
import type { OutgoingCard } from "../../../core/delivery/outgoing-messages.ts";
import { createRedrive } from "../../../core/delivery/redrive.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import { redriveTable } from "../../../core/store/redrives.ts";
import type { DeliveryRecord } from "../../../core/store/scorecard-table.ts";
import { scorecardTable } from "../../../core/store/scorecards.ts";
import { startEngine, tables } from "../store/engine.ts";

let engine: Awaited<ReturnType<typeof startEngine>>;

beforeAll(async () => {
  engine = await startEngine();
  await engine.createTable(tables.scorecards);
});
afterAll(() => engine.stop());

const acceptedAt = Date.UTC(2026, 4, 1);
const givenUpAt = Date.UTC(2026, 4, 3);
const now = Date.UTC(2026, 4, 4);

/** A message with one card. */
const bodyOf = (card: QueuedCard) => writeMessage(card, [card]);

/** A vendor of its own, its cards, and what a redrive sends of them. */
function vendor() {
  const apiSet = `vendor-${randomUUID()}` as ApiSet;
  const cards = scorecardTable(tables.scorecards.TableName, engine.client);
  const redrives = redriveTable(tables.scorecards.TableName, engine.client);
  const sent: OutgoingCard[] = [];
  const letters: DeadLetter[] = [];
  const letter = (body: string) => {
    letters.push({ messageId: randomUUID(), receiptHandle: "", body });
  };
  const queued = (externalId: string, revision: string): QueuedCard => ({
    apiSet,
    externalId,
    revision,
    acceptedAt,
    card: JSON.stringify({ ExternalID: externalId, Comment: revision }),
  });
  return {
    apiSet,
    cards,
    sent,
    letters,
    letter,
    queued,
    sentRevisions: () =>
      sent.map(({ queued: { externalId, revision } }) => `${externalId} ${revision}`).sort(),
    async store(externalId: string, revision: string) {
      const content = contentOf({ ExternalID: externalId, Comment: revision });
      await cards.putCards([{ apiSet, externalId, revision, contentHash: revision, acceptedAt, content }]);
    },
    async record(externalId: string, revision: string, change: Partial<DeliveryRecord> = {}) {
      await cards.putDeliveries([
        {
          apiSet,
          externalId,
          revision,
          state: "undelivered",
          attempts: 700,
          aloneFailures: 0,
          since: givenUpAt,
          ...change,
        },
      ]);
    },
    async giveUp(externalId: string) {
      await this.store(externalId, "first");
      await this.record(externalId, "first");
      letter(bodyOf(queued(externalId, "first")));
    },
    redrive: createRedrive({
      cards,
      redrives,
      send: async (outgoing) => void sent.push(...outgoing),
      deadLetters: {
        each: (work) => work([...letters]),
        async remove(done) {
          for (const one of done) letters.splice(letters.indexOf(one), 1);
        },
      },
      now: () => new Date(now),
    }),
  };
}

describe("a card that was given up", () => {
  test("is sent on as it is stored, to be tried as long as a new one, and its dead letter is removed", async () => {
    const own = vendor();
    await own.giveUp("417");
    const counts = await own.redrive([own.apiSet]);
    expect(counts).toEqual({ sentOn: 1, onTheWay: 0, removed: 1, unreadable: 0 });
    expect(own.sent.map(({ delaySeconds }) => delaySeconds)).toEqual([0]);
    expect(own.sent.map(({ queued }) => queued)).toEqual([
      { ...own.queued("417", "first"), acceptedAt: now },
    ]);
    expect(own.letters).toEqual([]);
  });

  test("is sent on without a dead letter too, however many there are", async () => {
    const own = vendor();
    for (let number = 0; number < 230; number++) await own.giveUp(`card ${number}`);
    own.letters.length = 0;
    expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 230, removed: 0 });
    expect(new Set(own.sentRevisions()).size).toBe(230);
  });

  test("is not sent on twice before it has been tried, unless that is asked for", async () => {
    const own = vendor();
    await own.giveUp("417");
    await own.redrive([own.apiSet]);
    expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 0, onTheWay: 1 });
    expect(await own.redrive([own.apiSet], true)).toMatchObject({ sentOn: 1, onTheWay: 0 });
    expect(own.sent).toHaveLength(2);
  });

  test("is sent on again when it was given up again", async () => {
    const own = vendor();
    await own.giveUp("417");
    await own.redrive([own.apiSet]);
    await own.record("417", "first", { since: now + 1 });
    expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 1, onTheWay: 0 });
  });

  test("and corrected since is left to its correction", async () => {
    const own = vendor();
    await own.giveUp("417");
    await own.store("417", "second");
    expect(await own.redrive([own.apiSet])).toEqual({ sentOn: 0, onTheWay: 0, removed: 1, unreadable: 0 });
    expect([own.sent, own.letters]).toEqual([[], []]);
  });

  test("and withdrawn since stays withdrawn", async () => {
    const own = vendor();
    await own.giveUp("417");
    const card = (await own.cards.read(own.apiSet, ["417"])).get("417")?.card;
    if (card === undefined) throw new Error("The card is not stored.");
    await own.cards.putCards([{ ...card, revision: "withdrawal", withdraws: "first" }]);
    expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 0, removed: 1 });
  });

  test.each(["delivered", "rejected"] as const)(
    "and %s since is not sent to the exchange again",
    async (state) => {
      const own = vendor();
      await own.giveUp("417");
      await own.record("417", "first", { state, since: now - 1 });
      expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 0, removed: 1 });
    },
  );

  test("of another vendor is left alone, with its dead letter", async () => {
    const [own, other] = [vendor(), vendor()];
    await own.giveUp("417");
    await other.giveUp("417");
    own.letters.push(...other.letters);
    expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 1, removed: 1 });
    expect(own.letters).toEqual(other.letters);
    expect(own.sent.map(({ queued }) => queued.apiSet)).toEqual([own.apiSet]);
  });
});

describe("a dead letter", () => {
  test("whose card was never recorded as given up is sent on once, however many copies there are", async () => {
    const own = vendor();
    await own.store("417", "first");
    own.letter(bodyOf(own.queued("417", "first")));
    own.letter(bodyOf(own.queued("417", "first")));
    expect(await own.redrive([own.apiSet])).toEqual({ sentOn: 1, onTheWay: 0, removed: 2, unreadable: 0 });
    expect(own.sentRevisions()).toEqual(["417 first"]);
  });

  test("that cannot be read stays, and is counted", async () => {
    const own = vendor();
    own.letter("not a card");
    expect(readMessage("not a card")).toBeUndefined();
    expect(await own.redrive([own.apiSet])).toEqual({ sentOn: 0, onTheWay: 0, removed: 0, unreadable: 1 });
    expect(own.letters).toHaveLength(1);
  });
});

test("a redrive that dies before it has noted what it sent sends it again the next time", async () => {
  const own = vendor();
  await own.giveUp("417");
  const dying = createRedrive({
    cards: own.cards,
    redrives: {
      read: async (keys) => keys.map(() => undefined),
      put: () => Promise.reject(new Error("killed")),
    },
    send: async (outgoing) => void own.sent.push(...outgoing),
    deadLetters: { each: async () => undefined, remove: async () => undefined },
    now: () => new Date(now),
  });
  await expect(dying([own.apiSet])).rejects.toThrow("killed");
  expect(await own.redrive([own.apiSet])).toMatchObject({ sentOn: 1 });
  expect(own.sent).toHaveLength(2);
});
