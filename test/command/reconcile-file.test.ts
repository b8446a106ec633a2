import type { FileCard } from "@scorecard-pipeline/card-files/card-fault";
import type {
  CardInputs,
  CardStatus,
  StoredScorecard,
  Validation,
} from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import type { Discrepancy } from "../../command/reconcile/discrepancy.ts";
import { reconcileFile } from "../../command/reconcile/reconcile-file.ts";

type StoredStatus = Omit<CardStatus, "externalId">;

interface Card {
  readonly ExternalID?: string;
  readonly Comment?: string;
  /** What Validate finds. */
  readonly fault?: string;
  readonly changed?: readonly string[];
}

const fileOf = (cards: Iterable<Card | undefined>) => {
  async function* read(): AsyncGenerator<FileCard> {
    let number = 0;
    for (const value of cards) {
      number += 1;
      yield { number, value, json: value === undefined ? undefined : JSON.stringify(value) };
    }
  }
  return { cards: read(), size: 1, bytesRead: () => 1 };
};

/** A pipeline that has some cards; the hash of a card is its Comment. */
function clientOf(stored: Readonly<Record<string, StoredStatus>>) {
  const largest = { validated: 0 };
  const read: string[] = [];
  const statusOf = (externalId: string): CardStatus =>
    ({ externalId, state: "unknown", ...stored[externalId] }) as CardStatus;
  return {
    largest,
    read,
    async validate(texts: CardInputs) {
      const cards = Array.from(texts as Iterable<string>, (text, index) => {
        const { ExternalID, Comment = "", fault, changed } = JSON.parse(text) as Card;
        const name = ExternalID === undefined ? {} : { externalId: ExternalID };
        return fault === undefined && ExternalID !== undefined
          ? {
              index,
              ...name,
              status: 201,
              contentHash: Comment,
              ...(changed && { corrects: { version: 1, changed } }),
              card: { Comment: Comment.toLowerCase(), HCP: "12" },
              warnings: [],
            }
          : {
              index,
              ...name,
              status: 422,
              errors: [{ code: fault ?? "required", pointer: "/X", received: "Ann" }],
            };
      });
      largest.validated = Math.max(largest.validated, cards.length);
      return { accepted: true, cards } as unknown as Validation;
    },
    statuses: async (externalIds: readonly string[]) => externalIds.map(statusOf),
    async card(externalId: string) {
      read.push(externalId);
      const { contentHash = "" } = statusOf(externalId);
      return { card: { Comment: contentHash.toLowerCase(), HCP: 12 } } as unknown as StoredScorecard;
    },
    async *cardsOfDays() {
      yield* Object.keys(stored).map(statusOf);
    },
  };
}

async function reconcile(
  cards: Iterable<Card | undefined>,
  stored: Readonly<Record<string, StoredStatus>>,
  days?: { readonly from: string },
) {
  const found: Discrepancy[] = [];
  const client = clientOf(stored);
  const counts = await reconcileFile({
    client,
    file: fileOf(cards),
    days,
    onFound: (one) => found.push(one),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  return { counts, found, client };
}

const delivered = (contentHash: string): StoredStatus => ({ state: "delivered", contentHash });

test("cards that both have with the same content are counted by state, and none is reported", async () => {
  const { counts, found } = await reconcile(
    [
      { ExternalID: "1", Comment: "a" },
      { ExternalID: "2", Comment: "b" },
    ],
    { 1: delivered("a"), 2: { state: "queued", contentHash: "b" } },
  );
  expect(found).toEqual([]);
  expect(counts).toMatchObject({ cards: 2, same: 2, sameByState: { delivered: 1, queued: 1 } });
});

test("a card that was sent with other fields, but is delivered alike, is the same, and is read only if Validate cannot tell", async () => {
  const { counts, found, client } = await reconcile(
    [
      { ExternalID: "1", Comment: "A" },
      { ExternalID: "2", Comment: "B", changed: [] },
    ],
    { 1: delivered("a"), 2: delivered("b") },
  );
  expect([found, counts]).toMatchObject([[], { same: 2, differs: 0 }]);
  expect(client.read).toEqual(["1"]);
});

test.each<[string, Card, StoredStatus | undefined, Partial<Discrepancy>]>([
  ["was never submitted", {}, undefined, { kind: "missingThere", state: "unknown", toDo: "Submit it." }],
  ["was withdrawn", { Comment: "a" }, { state: "withdrawn", contentHash: "a" }, { kind: "missingThere" }],
  [
    "has another content there",
    { Comment: "b" },
    delivered("a"),
    { kind: "differs", state: "delivered", fields: ["/Comment"] },
  ],
  ["was erased there", { Comment: "a" }, { state: "delivered" }, { kind: "erased" }],
  [
    "would be refused now",
    { fault: "strokes_count" },
    delivered("a"),
    { kind: "refused", state: "delivered", errors: [{ code: "strokes_count", pointer: "/X" }] },
  ],
])("a card that %s is reported with its state and what to do", async (_, card, there, expected) => {
  const { found, counts } = await reconcile([{ ExternalID: "417", ...card }], there ? { 417: there } : {});
  expect(found).toEqual(
    [
      {
        card: 1,
        externalId: "417",
        toDo: expect.any(String),
        state: "unknown",
        ...there,
        ...expected,
        contentHash: undefined,
      },
    ].map(({ contentHash: _hash, ...one }) => one),
  );
  expect(counts.same).toBe(0);
});

test("a line that is not JSON, a card without an ExternalID and a repeated one would be refused", async () => {
  const { found } = await reconcile([undefined, {}, { ExternalID: "1" }, { ExternalID: "1" }], {
    1: delivered(""),
  });
  expect(found.map(({ card, errors }) => [card, errors?.[0]?.code])).toEqual([
    [1, "not_json"],
    [4, "duplicate_external_id"],
    [2, "required"],
  ]);
});

test("nothing that was sent in a card is reported but its ExternalID", async () => {
  const { found } = await reconcile([{ ExternalID: "1", fault: "x" }], {});
  expect(JSON.stringify(found)).not.toContain("Ann");
});

test("cards of the days that only the pipeline has are missing here, but not if they were withdrawn or erased", async () => {
  const stored = {
    1: delivered("a"),
    2: delivered("b"),
    3: { state: "withdrawn", contentHash: "c" },
    4: { state: "delivered" },
    5: { state: "queued", contentHash: "e" },
  } as const;
  const cards = [{ ExternalID: "1", Comment: "a" }];
  expect((await reconcile(cards, stored)).found).toEqual([]);
  const { found, counts } = await reconcile(cards, stored, { from: "2026-07-04" });
  expect(found).toEqual([
    { kind: "missingHere", externalId: "2", state: "delivered", toDo: "Add it to your database." },
    {
      kind: "missingHere",
      externalId: "5",
      state: "queued",
      toDo: "Add it to your database, or withdraw it.",
    },
  ]);
  expect(counts).toMatchObject({ same: 1, missingHere: 2 });
});

test("of many cards only some are in memory at a time", async () => {
  let alive = 0;
  let maxAlive = 0;
  function* many(): Generator<Card> {
    for (let n = 0; n < 20_000; n++) yield { ExternalID: `card-${n}`, Comment: "a" };
  }
  const found: Discrepancy[] = [];
  const client = clientOf({});
  const counts = await reconcileFile({
    client: {
      ...client,
      async validate(texts) {
        const cards = [...(texts as Iterable<string>)];
        alive += cards.length;
        maxAlive = Math.max(maxAlive, alive);
        const answer = await client.validate(cards);
        alive -= cards.length;
        return answer;
      },
    },
    file: fileOf(many()),
    days: undefined,
    onFound: (one) => found.push(one),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  expect(counts).toMatchObject({ cards: 20_000, missingThere: 20_000 });
  expect([client.largest.validated, maxAlive <= 5_000]).toEqual([1_000, true]);
});
